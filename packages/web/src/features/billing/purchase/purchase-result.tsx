import type { Subscription } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { paths } from "#/config/paths.ts";
import { invoicesQuery } from "#/entities/billing/queries.ts";
import { useBillingPermission } from "#/entities/billing/use-billing-permission.ts";
import { formatMoney } from "#/entities/money/money.ts";
import { isPaidPlan } from "#/entities/plans/paid-plan.ts";
import { plansQuery } from "#/entities/plans/queries.ts";
import { countUnits, describeNextStep, formatLongDate, formatUnits } from "#/entities/plans/subscription-labels.ts";
import type { ExpectedPurchase, PurchaseOutcome } from "./expected-purchase.ts";
import { PurchaseActions } from "./purchase-actions.tsx";

type Props = { subscription: Subscription; outcome: PurchaseOutcome; expected: ExpectedPurchase; retry(): void };

/** Shows the outcome of a change of plan and where to go next. */
export function PurchaseResult({ subscription, outcome, expected, retry }: Props) {
  if (outcome === "done") return <Done subscription={subscription} />;
  if (outcome === "failed") return <Failed subscription={subscription} expected={expected} />;
  return <Waiting hasTimedOut={outcome === "unconfirmed"} expected={expected} retry={retry} />;
}

function Done({ subscription }: { subscription: Subscription }) {
  const { plan, quantity, pending_change, cancel_at_period_end } = subscription;
  const units = countUnits(plan, quantity);
  return (
    <>
      <h1 className="h2">{doneTitle(subscription)}</h1>
      <p className="row muted mt-3">
        <Barbs active={units ?? 8} total={units ?? 8} label={formatUnits(units)} />
        {formatUnits(units)}
      </p>
      <p className="muted mt-2">{describeNextStep(subscription)}</p>
      {pending_change || cancel_at_period_end ? null : <LastInvoice />}
      <PurchaseActions>
        <Link className="btn primary" to={paths.apiKeys}>
          {t`Make a key`}
        </Link>
        <Link className="btn" to={paths.chat()}>
          {t`Open the chat`}
        </Link>
        <Link className="btn" to={paths.account}>
          {t`See the plan`}
        </Link>
      </PurchaseActions>
    </>
  );
}

function doneTitle({
  status,
  plan,
  pending_change,
  cancel_at_period_end,
  current_period_end_date: end,
}: Subscription): string {
  if (!isPaidPlan(plan)) return t`You are on the free plan`;
  if (cancel_at_period_end) return end ? t`${plan.name} ends on ${formatLongDate(end)}` : t`${plan.name} ends`;
  if (pending_change) return t`Your plan changes on ${formatLongDate(pending_change.effective_date)}`;
  return status === "trialing" ? t`Your trial of ${plan.name} has begun` : t`You are on ${plan.name}`;
}

/** The invoice of the purchase, for users who may see it. Invoices for credits have no period. */
function LastInvoice() {
  const { canView } = useBillingPermission();
  const { data } = useQuery({ ...invoicesQuery(1), enabled: canView });
  const newest = data?.items.find(({ period_start_date }) => period_start_date !== null);
  if (newest?.status !== "paid") return null;
  return (
    <p className="muted mt-2">
      <Trans>
        Invoice{" "}
        <a
          className="link num"
          href={`/api/invoices/${encodeURIComponent(newest.id)}/page`}
          target="_blank"
          rel="noreferrer"
        >
          {newest.number}
        </a>
        : <span className="num">{formatMoney(newest.total_cents, newest.currency)}</span>, paid.
      </Trans>{" "}
      {newest.is_test ? (
        <>
          <Tag>{t`test`}</Tag> {t`No money moved.`}
        </>
      ) : null}
    </p>
  );
}

function Waiting({
  hasTimedOut,
  expected,
  retry,
}: {
  hasTimedOut: boolean;
  expected: ExpectedPurchase;
  retry(): void;
}) {
  const plans = useQuery(plansQuery);
  const name = plans.data?.items.find(({ id }) => id === expected.plan_id)?.name;
  const title = name ? t`The payment for ${name} is on its way` : t`The payment is on its way`;
  return (
    <>
      <h1 className="h2">{hasTimedOut ? t`Not confirmed yet` : title}</h1>
      <p className="muted mt-3">
        {hasTimedOut
          ? t`The payment service has not answered. If you confirmed with your bank, the plan changes by itself as soon as it does. If you did not pay, nothing was charged.`
          : t`The payment service has not answered yet. This page looks again every two seconds; it may be left.`}
      </p>
      <PurchaseActions>
        {hasTimedOut ? (
          <button type="button" className="btn primary" onClick={retry}>
            {t`Look again`}
          </button>
        ) : null}
        <Link className="btn" to={paths.account}>
          {t`See the plan`}
        </Link>
      </PurchaseActions>
    </>
  );
}

function Failed({ subscription, expected }: { subscription: Subscription; expected: ExpectedPurchase }) {
  const query = { plan: expected.plan_id, quantity: String(expected.quantity) };
  return (
    <>
      <h1 className="h2">{t`The payment did not go through`}</h1>
      <p className="muted mt-3">
        {subscription.status === "past_due"
          ? t`An invoice of ${subscription.plan.name} is open. Pay it, or use another card.`
          : t`Nothing was charged. You are on ${subscription.plan.name}, as before.`}
      </p>
      <PurchaseActions>
        {subscription.status === "past_due" ? (
          <Link className="btn primary" to={`${paths.account}#invoices`}>
            {t`See the invoice`}
          </Link>
        ) : (
          <Link className="btn primary" to={paths.changePlan(query)}>
            {t`Try again`}
          </Link>
        )}
        <Link className="btn" to={paths.paymentMethods}>
          {t`Look after the cards`}
        </Link>
      </PurchaseActions>
    </>
  );
}
