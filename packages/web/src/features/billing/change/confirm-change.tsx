import { isApiError, type PaymentMethod, type Subscription, type SubscriptionPreview } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { cardsQuery, useBillingRefresh } from "#/entities/billing/queries.ts";
import { feather } from "#/lib/feather.ts";
import { navigateToExternalUrl } from "#/lib/navigation/external-navigation.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { AddCard } from "../cards/add-card.tsx";
import { formatCardName } from "../cards/cards.ts";
import type { PlanSelection } from "./plan-selection.ts";
import { type ChangeKind, getConfirmLabel } from "./preview.ts";

/** The request body of a change of plan. */
export type ChangeRequest = {
  plan_id: string;
  quantity: number;
  coupon_code: string | null;
  trial?: boolean;
};

type Props = {
  selection: PlanSelection;
  changeRequest: ChangeRequest;
  kind: ChangeKind;
  preview: SubscriptionPreview | null;
  subscription: Subscription;
  /** The setup intent of a card that was just added on the bank's page. */
  intentId: string | null;
  /** Whether the displayed price is correct and belongs to this request. */
  ready: boolean;
};

/** The card of a confirmed setup intent. Fails for one that has expired or whose card was removed. */
const intentCardQuery = (intentId: string | null, enabled: boolean) => ({
  ...queries.paymentMethods.setupIntents.confirm.queryOptions(intentId ?? ""),
  enabled: enabled && intentId !== null,
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
});

/** The card that pays, and the button that confirms the change. */
export function ConfirmChange({ selection, changeRequest, kind, preview, subscription, intentId, ready }: Props) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { refreshBilling } = useBillingRefresh();
  const [added, setAdded] = useState<{ card: PaymentMethod; intentId: string } | null>(null);
  const [adding, setAdding] = useState(false);
  const cards = useQuery(cardsQuery);
  const needsCard = kind === "now" || kind === "trial";
  const intentCard = useQuery(intentCardQuery(intentId, needsCard && added === null));
  // The displayed card must be the one that is charged, so an intent without a card is not sent.
  const newCard = added ?? (intentId !== null && intentCard.data ? { card: intentCard.data, intentId } : null);
  const intent = newCard?.intentId ?? null;
  const card = newCard?.card ?? cards.data?.items.find(({ is_default }) => is_default);
  const change = useAction(
    (body: ChangeRequest & { setup_intent: string | null }, options) =>
      feather.subscription.change(
        { ...body, currency: preview?.currency ?? subscription.currency, preview: false },
        options,
      ),
    { showsError: true, once: true },
  );

  async function confirm(): Promise<void> {
    const result = await change.run({ ...changeRequest, setup_intent: needsCard ? intent : null });
    if (!result) return;
    await refreshBilling(result.value.subscription);
    navigate(paths.subscriptionComplete(toQuery(selection)));
  }

  if (needsCard && cards.isError)
    return <LoadError subject={t`Your cards`} error={cards.error} retry={() => void cards.refetch()} />;
  if (needsCard && (cards.isPending || intentCard.isLoading)) return <Skeleton height={80} />;
  if (needsCard && (adding || !card))
    return (
      <section className="mt-5" aria-label={t`Card`}>
        <h3 className="h4">{card ? t`Another card` : t`The card that pays`}</h3>
        <AddCard
          submitLabel={t`Use this card`}
          returnTo={(id) => `${pathname}${withIntent(search, id)}`}
          onAdded={(newCard, id) => {
            setAdded({ card: newCard, intentId: id });
            setAdding(false);
            void refreshBilling(subscription);
          }}
        />
        {card ? (
          <button type="button" className="btn ghost" onClick={() => setAdding(false)}>
            <Trans>Keep {formatCardName(card)}</Trans>
          </button>
        ) : (
          <ExternalCheckout changeRequest={changeRequest} />
        )}
      </section>
    );
  return (
    <>
      {needsCard && card ? (
        <p className="row wrapping between mt-5">
          <span>
            <Trans>{formatCardName(card)} pays</Trans> {card.is_test ? <Tag>{t`test`}</Tag> : null}
          </span>
          <button type="button" className="plain" onClick={() => setAdding(true)}>
            {t`Use another card`}
          </button>
        </p>
      ) : null}
      <ErrorNotice
        error={change.error}
        onOtherCard={() => {
          change.clearError();
          setAdding(true);
        }}
      />
      <PendingPaymentButton error={change.error} selection={selection} />
      <button
        type="button"
        className="btn primary large full mt-4"
        disabled={!ready || change.busy}
        aria-busy={change.busy}
        onClick={() => void confirm()}
      >
        {change.busy ? t`Please wait …` : getConfirmLabel(kind, selection, subscription, preview)}
      </button>
    </>
  );
}

const toQuery = ({ plan, quantity }: PlanSelection) => ({ plan: plan.id, quantity: String(quantity) });

function withIntent(search: string, intentId: string): string {
  const query = new URLSearchParams(search);
  query.set("intent", intentId);
  return `?${query}`;
}

/** A link to the page that waits for a pending payment. */
function PendingPaymentButton({ error, selection }: { error: unknown; selection: PlanSelection }) {
  const navigate = useNavigate();
  if (!isApiError(error) || error.code !== "payments.pending") return null;
  return (
    <button
      type="button"
      className="btn"
      onClick={() => navigate(paths.subscriptionComplete({ ...toQuery(selection), state: "pending" }))}
    >
      {t`Wait for the answer`}
    </button>
  );
}

/** A link to pay on the payment service's page, which supports no coupons. */
function ExternalCheckout({ changeRequest }: { changeRequest: ChangeRequest }) {
  const checkout = useAction(
    (body: { plan_id: string; quantity: number }, options) => feather.subscription.checkout(body, options),
    { showsError: true },
  );
  async function openCheckout(): Promise<void> {
    const session = await checkout.run({ plan_id: changeRequest.plan_id, quantity: changeRequest.quantity });
    if (!session) return;
    navigateToExternalUrl(session.value.url);
  }
  if (changeRequest.coupon_code !== null) return null;
  return (
    <>
      <ErrorNotice error={checkout.error} />
      <p className="mt-4 small muted">
        {t`Or`}{" "}
        <button type="button" className="link" disabled={checkout.busy} onClick={() => void openCheckout()}>
          {t`pay on the payment page`}
        </button>
        {t`, which takes the card there.`}
      </p>
    </>
  );
}
