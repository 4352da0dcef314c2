import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { Skeleton, Tag } from "#/components/ui/bits.tsx";
import { FaultNotice, ReadFault } from "#/components/ui/fault-notice.tsx";
import { paths } from "#/config/paths.ts";
import { feather } from "#/lib/feather.ts";
import { leaveFor } from "#/lib/leave.ts";
import { useAttempt } from "#/lib/use-attempt.ts";
import { AddCard } from "./add-card.tsx";
import { type Card, cardName } from "./cards.ts";
import type { Choice } from "./choice.ts";
import { confirmLabel, type Kind, type Preview } from "./preview.ts";
import { cardsQuery, useBillingRefresh } from "./queries.ts";
import type { Subscription } from "./words.ts";

/** The request body of a change of plan. */
export type Wish = {
  plan_id: string;
  quantity: number;
  coupon_code: string | null;
  trial?: boolean;
};

type Props = {
  choice: Choice;
  wish: Wish;
  kind: Kind;
  preview: Preview | null;
  subscription: Subscription;
  /** The setup intent of a card that was just added on the bank's page. */
  intentId: string | null;
  /** Whether the displayed price is correct and belongs to this request. */
  ready: boolean;
};

/** The card of a confirmed setup intent. Fails for one that has expired or whose card was removed. */
const intentCardQuery = (intentId: string | null, enabled: boolean) => ({
  queryKey: ["setup-intent-card", intentId],
  queryFn: async () => feather.paymentMethods.setupIntents.confirm(intentId ?? ""),
  enabled: enabled && intentId !== null,
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
});

/** The card that pays, and the button that confirms the change. */
export function ConfirmChange({ choice, wish, kind, preview, subscription, intentId, ready }: Props) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { changed } = useBillingRefresh();
  const [added, setAdded] = useState<{ card: Card; intentId: string } | null>(null);
  const [adding, setAdding] = useState(false);
  const cards = useQuery(cardsQuery);
  const needsCard = kind === "now" || kind === "trial";
  const fromBank = useQuery(intentCardQuery(intentId, needsCard && added === null));
  // The displayed card must be the one that is charged, so an intent without a card is not sent.
  const brought = added ?? (intentId !== null && fromBank.data ? { card: fromBank.data, intentId } : null);
  const intent = brought?.intentId ?? null;
  const card = brought?.card ?? cards.data?.items.find(({ is_default }) => is_default);
  const change = useAttempt(
    (body: Wish & { setup_intent: string | null }, options) =>
      feather.subscription.change({ ...body, preview: false }, options),
    { once: true },
  );

  async function confirm(): Promise<void> {
    const done = await change.run({ ...wish, setup_intent: needsCard ? intent : null });
    if (!done) return;
    await changed(done.value.subscription);
    navigate(paths.changeDone(inAddress(choice)));
  }

  if (needsCard && cards.isError)
    return <ReadFault what={t`Your cards`} error={cards.error} again={() => void cards.refetch()} />;
  if (needsCard && (cards.isPending || fromBank.isLoading)) return <Skeleton height={80} />;
  if (needsCard && (adding || !card))
    return (
      <section className="mt-5" aria-label={t`Card`}>
        <h3 className="h4">{card ? t`Another card` : t`The card that pays`}</h3>
        <AddCard
          submitLabel={t`Use this card`}
          returnTo={(id) => `${pathname}${withIntent(search, id)}`}
          added={(fresh, id) => {
            setAdded({ card: fresh, intentId: id });
            setAdding(false);
            void changed(subscription);
          }}
        />
        {card ? (
          <button type="button" className="btn ghost" onClick={() => setAdding(false)}>
            <Trans>Keep {cardName(card)}</Trans>
          </button>
        ) : (
          <CheckoutElsewhere wish={wish} />
        )}
      </section>
    );
  return (
    <>
      {needsCard && card ? (
        <p className="row wraps between mt-5">
          <span>
            <Trans>{cardName(card)} pays</Trans> {card.is_test ? <Tag>{t`test`}</Tag> : null}
          </span>
          <button type="button" className="plain" onClick={() => setAdding(true)}>
            {t`Use another card`}
          </button>
        </p>
      ) : null}
      <FaultNotice
        error={change.error}
        anotherCard={() => {
          change.forget();
          setAdding(true);
        }}
      />
      <PendingWay error={change.error} choice={choice} />
      <button
        type="button"
        className="btn primary big full mt-4"
        disabled={!ready || change.busy}
        aria-busy={change.busy}
        onClick={() => void confirm()}
      >
        {change.busy ? t`One moment …` : confirmLabel(kind, choice, subscription, preview)}
      </button>
    </>
  );
}

const inAddress = ({ plan, quantity }: Choice) => ({ plan: plan.id, quantity: String(quantity) });

function withIntent(search: string, intentId: string): string {
  const query = new URLSearchParams(search);
  query.set("intent", intentId);
  return `?${query}`;
}

/** A link to the page that waits for a pending payment. */
function PendingWay({ error, choice }: { error: unknown; choice: Choice }) {
  const navigate = useNavigate();
  if (!isApiError(error) || error.code !== "payments.pending") return null;
  return (
    <button
      type="button"
      className="btn"
      onClick={() => navigate(paths.changeDone({ ...inAddress(choice), state: "pending" }))}
    >
      {t`Wait for the answer`}
    </button>
  );
}

/** A link to pay on the payment service's page, which supports no coupons. */
function CheckoutElsewhere({ wish }: { wish: Wish }) {
  const checkout = useAttempt((body: { plan_id: string; quantity: number }, options) =>
    feather.subscription.checkout(body, options),
  );
  async function go(): Promise<void> {
    const begun = await checkout.run({ plan_id: wish.plan_id, quantity: wish.quantity });
    if (!begun) return;
    leaveFor(begun.value.url);
  }
  if (wish.coupon_code !== null) return null;
  return (
    <>
      <FaultNotice error={checkout.error} />
      <p className="mt-4 small mid">
        {t`Or`}{" "}
        <button type="button" className="link" disabled={checkout.busy} onClick={() => void go()}>
          {t`pay on the payment page`}
        </button>
        {t`, which takes the card there.`}
      </p>
    </>
  );
}
