import type { MarketplaceAccount, MarketplaceSubscribeRequest } from "@feather/sdk";
import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { NarrowPage } from "#/components/layouts/narrow-page.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { Logo } from "#/components/ui/labels/logo.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { paths } from "#/config/paths.ts";
import { MARKETPLACES } from "#/entities/billing/marketplaces.ts";
import { useBillingRefresh } from "#/entities/billing/queries.ts";
import { ReadOnlyNote } from "#/entities/billing/read-only-note.tsx";
import { useBillingPermission } from "#/entities/billing/use-billing-permission.ts";
import { type MarketplaceLanding, parseMarketplaceLanding } from "#/features/billing/marketplace.ts";
import { feather } from "#/lib/feather.ts";
import { getProductName } from "#/lib/product.ts";
import { useAction } from "#/lib/use-action.ts";

/** Where a cloud marketplace redirects buyers to, with a one-time token. */
export default function ConnectMarketplaceAccountPage() {
  const [params] = useSearchParams();
  const [landing] = useState(() => parseMarketplaceLanding(params));
  const [account, setAccount] = useState<MarketplaceAccount | null>(null);
  return (
    <NarrowPage isWide>
      <Link className="brand" to={paths.home}>
        <Logo /> {getProductName()}
      </Link>
      <div className="mt-8" aria-live="polite">
        {account ? (
          <Connected account={account} />
        ) : landing.kind === "incomplete" ? (
          <>
            <h1 className="h2">{t`Nothing to connect`}</h1>
            <p className="muted">{landing.message}</p>
            <Link className="btn mt-6" to={paths.account}>
              {t`See the plan`}
            </Link>
          </>
        ) : (
          <Connect landing={landing} onConnected={setAccount} />
        )}
      </div>
    </NarrowPage>
  );
}

function Connect({
  landing,
  onConnected,
}: {
  landing: Extract<MarketplaceLanding, { kind: "ready" }>;
  onConnected(account: MarketplaceAccount): void;
}) {
  const { provider, token } = landing;
  const { canView, readOnlyReason, organization } = useBillingPermission("marketplaces");
  const { refreshBilling } = useBillingRefresh();
  const action = useAction(
    (body: MarketplaceSubscribeRequest, options) => feather.marketplace.subscribe(body, options),
    { showsError: true, once: true },
  );
  const code = isApiError(action.error) ? action.error.code : null;

  async function connect(): Promise<void> {
    const connected = await action.run({ provider, token });
    if (!connected) return;
    await refreshBilling();
    onConnected(connected.value);
  }

  return (
    <>
      <h1 className="h2">
        <Trans>Connect {MARKETPLACES[provider]}</Trans>
      </h1>
      <p className="muted">
        <Trans>
          {MARKETPLACES[provider]} then collects for what was bought there, and <strong>{organization}</strong> is on
          that plan at once. The link that brought you works once.
        </Trans>
      </p>
      <ReadOnlyNote readOnlyReason={readOnlyReason} />
      <ErrorNotice error={action.error}>
        {code === "marketplace.plan_is_paid" ? (
          <Link className="link" to={paths.account}>
            {t`See the plan`}
          </Link>
        ) : null}
      </ErrorNotice>
      {canView && readOnlyReason === null ? (
        <button
          type="button"
          className="btn primary full mt-6"
          disabled={action.busy}
          aria-busy={action.busy}
          onClick={() => void connect()}
        >
          {action.busy ? t`Please wait …` : t`Connect it to ${organization}`}
        </button>
      ) : null}
      <Link className="btn full mt-3" to={paths.account}>
        {t`Not now`}
      </Link>
    </>
  );
}

function Connected({ account: { provider, customer_id, product, status, is_test } }: { account: MarketplaceAccount }) {
  const isActive = status === "active";
  return (
    <>
      <h1 className="h2">{isActive ? t`Connected` : t`Connected, not active yet`}</h1>
      <p className="muted">
        {isActive
          ? t`${MARKETPLACES[provider]} pays for your plan from now on.`
          : t`The marketplace has not confirmed the purchase yet. Your plan changes by itself as soon as it does.`}
      </p>
      <dl className="facts mt-5">
        <dt>{t`Account`}</dt>
        <dd className="mono">{customer_id}</dd>
        <dt>{t`Product`}</dt>
        <dd className="mono">{product}</dd>
        <dt>{t`State`}</dt>
        <dd>
          <StateBadge tier={isActive ? "good" : "loading"}>{status}</StateBadge> {is_test ? <Tag>{t`test`}</Tag> : null}
        </dd>
      </dl>
      {is_test ? <p className="small muted mt-3">{t`This is a test: no money moves.`}</p> : null}
      <Link className="btn primary full mt-6" to={paths.account}>
        {t`See the plan`}
      </Link>
    </>
  );
}
