import type { PaymentConnection as Connection } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Fragment, useState } from "react";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { DetailList } from "#/components/ui/lists/detail-list.tsx";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";

const STATES: Readonly<Record<Connection["permissions"][number]["state"], { tier: string; label: string }>> = {
  granted: { tier: "good", label: t`granted` },
  missing: { tier: "bad", label: t`missing` },
  unknown: { tier: "loading", label: t`unknown` },
};
const WEBHOOK_STATES: Readonly<Record<NonNullable<Connection["webhook"]>["state"], { tier: string; label: string }>> = {
  registered: { tier: "good", label: t`registered with all events` },
  incomplete: { tier: "bad", label: t`registered, some events are missing` },
  disabled: { tier: "bad", label: t`disabled at Stripe` },
  missing: { tier: "bad", label: t`not registered` },
  unknown: { tier: "loading", label: t`unknown` },
};

/** Checks on request how the server is connected to Stripe, and says what is missing and what to do. */
export function PaymentConnection() {
  const [connection, setConnection] = useState<Connection | null>(null);
  const check = useAction(() => feather.admin.payments.check(), { onSuccess: setConnection });
  return (
    <section aria-label={t`Connection to Stripe`} className="mb-4">
      <h2 className="h4">{t`Connection to Stripe`}</h2>
      <p className="small muted">{t`Asks Stripe for the account, the webhook endpoint and the permissions of the key. Changes nothing there.`}</p>
      <button type="button" className="btn mt-2" aria-busy={check.busy} onClick={() => void check.run(undefined)}>
        {check.busy ? t`Checking…` : connection === null ? t`Check` : t`Check again`}
      </button>
      {connection === null ? null : <ConnectionDetails connection={connection} />}
    </section>
  );
}

function ConnectionDetails({ connection }: { connection: Connection }) {
  const { is_test, account, webhook, permissions, problems } = connection;
  return (
    <div className="mt-4">
      {problems.length === 0 ? (
        <p>
          <StateBadge tier="good">{t`Nothing is missing`}</StateBadge>
        </p>
      ) : (
        <ul className="mb-4">
          {problems.map((problem) => (
            <li key={problem} className="user-text">
              {problem}
            </li>
          ))}
        </ul>
      )}
      <DetailList>
        <dt>{t`Account`}</dt>
        <dd className="user-text">
          {account === null ? t`unknown` : [account.name, account.id].filter(Boolean).join(", ")}
          {` · ${is_test ? t`test mode, no money moves` : t`live mode`}`}
        </dd>
        {webhook === null ? null : (
          <>
            <dt>{t`Webhooks`}</dt>
            <dd>
              <StateBadge tier={WEBHOOK_STATES[webhook.state].tier}>{WEBHOOK_STATES[webhook.state].label}</StateBadge>
              <div className="mono small user-text">{webhook.url}</div>
            </dd>
          </>
        )}
        {permissions.map(({ name, access, state }) => (
          <Fragment key={name}>
            <dt>{`${name}, ${access}`}</dt>
            <dd>
              <StateBadge tier={STATES[state].tier}>{STATES[state].label}</StateBadge>
            </dd>
          </Fragment>
        ))}
      </DetailList>
    </div>
  );
}
