import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Barbs, Tag } from "#/components/ui/bits.tsx";
import { paths } from "#/config/paths.ts";
import { plansQuery } from "#/features/home/plans.ts";
import type { Expectation, Outcome } from "./expectation.ts";
import { dollars } from "./money.ts";
import { isPaidPlan } from "./paid-plan.ts";
import { useBilling } from "./permission.ts";
import { invoicesQuery } from "./queries.ts";
import { dayInWords, nextOf, type Subscription, unitsOf, unitsText } from "./words.ts";

type Props = { subscription: Subscription; outcome: Outcome; wanted: Expectation; again(): void };

/** Shows the outcome of a change of plan and where to go next. */
export function CompleteView({ subscription, outcome, wanted, again }: Props) {
  if (outcome === "done") return <Done subscription={subscription} />;
  if (outcome === "failed") return <Failed subscription={subscription} wanted={wanted} />;
  return <Waiting stopped={outcome === "unconfirmed"} wanted={wanted} again={again} />;
}

/** Shown where the page's address names no purchase. */
export function NothingBought() {
  return (
    <>
      <h1 className="h2">{t`There is nothing to finish here`}</h1>
      <p className="mid mt-3">{t`This page says what became of a change of plan. Your plan and its invoices are on the subscription page.`}</p>
      <Ways>
        <Link className="btn primary" to={paths.account}>
          {t`See the plan`}
        </Link>
      </Ways>
    </>
  );
}

function Done({ subscription }: { subscription: Subscription }) {
  const { plan, quantity, pending_change, cancel_at_period_end } = subscription;
  const units = unitsOf(plan, quantity);
  return (
    <>
      <h1 className="h2">{doneTitle(subscription)}</h1>
      <p className="row mid mt-3">
        <Barbs on={units ?? 8} of={units ?? 8} label={unitsText(units)} />
        {unitsText(units)}
      </p>
      <p className="mid mt-2">{nextOf(subscription)}</p>
      {pending_change || cancel_at_period_end ? null : <LastInvoice />}
      <Ways>
        <Link className="btn primary" to={paths.apiKeys}>
          {t`Make a key`}
        </Link>
        <Link className="btn" to={paths.chat()}>
          {t`Open the chat`}
        </Link>
        <Link className="btn" to={paths.account}>
          {t`See the plan`}
        </Link>
      </Ways>
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
  if (cancel_at_period_end) return end ? t`${plan.name} ends on ${dayInWords(end)}` : t`${plan.name} ends`;
  if (pending_change) return t`Your plan changes on ${dayInWords(pending_change.effective_date)}`;
  return status === "trialing" ? t`Your trial of ${plan.name} has begun` : t`You are on ${plan.name}`;
}

/** The invoice of the purchase, for users who may see it. Invoices for credits have no period. */
function LastInvoice() {
  const { sees } = useBilling();
  const { data } = useQuery({ ...invoicesQuery(1), enabled: sees });
  const newest = data?.items.find(({ period_start_date }) => period_start_date !== null);
  if (newest?.status !== "paid") return null;
  return (
    <p className="mid mt-2">
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
        : <span className="num">{dollars(newest.total_cents)}</span>, paid.
      </Trans>{" "}
      {newest.is_test ? (
        <>
          <Tag>{t`test`}</Tag> {t`No money moved.`}
        </>
      ) : null}
    </p>
  );
}

function Waiting({ stopped, wanted, again }: { stopped: boolean; wanted: Expectation; again(): void }) {
  const plans = useQuery(plansQuery);
  const name = plans.data?.items.find(({ id }) => id === wanted.plan_id)?.name;
  const title = name ? t`The payment for ${name} is on its way` : t`The payment is on its way`;
  return (
    <>
      <h1 className="h2">{stopped ? t`Not confirmed yet` : title}</h1>
      <p className="mid mt-3">
        {stopped
          ? t`The payment service has not answered. If you confirmed with your bank, the plan changes by itself as soon as it does. If you did not pay, nothing was charged.`
          : t`The payment service has not answered yet. This page looks again every two seconds; it may be left.`}
      </p>
      <Ways>
        {stopped ? (
          <button type="button" className="btn primary" onClick={again}>
            {t`Look again`}
          </button>
        ) : null}
        <Link className="btn" to={paths.account}>
          {t`See the plan`}
        </Link>
      </Ways>
    </>
  );
}

function Failed({ subscription, wanted }: { subscription: Subscription; wanted: Expectation }) {
  const again = { plan: wanted.plan_id, quantity: String(wanted.quantity) };
  return (
    <>
      <h1 className="h2">{t`The payment did not go through`}</h1>
      <p className="mid mt-3">
        {subscription.status === "past_due"
          ? t`An invoice of ${subscription.plan.name} is open. Pay it, or use another card.`
          : t`Nothing was charged. You are on ${subscription.plan.name}, as before.`}
      </p>
      <Ways>
        {subscription.status === "past_due" ? (
          <Link className="btn primary" to={`${paths.account}#invoices`}>
            {t`See the invoice`}
          </Link>
        ) : (
          <Link className="btn primary" to={paths.changePlan(again)}>
            {t`Try again`}
          </Link>
        )}
        <Link className="btn" to={paths.paymentMethods}>
          {t`Look after the cards`}
        </Link>
      </Ways>
    </>
  );
}

function Ways({ children }: { children: ReactNode }) {
  return <div className="row wraps mt-6">{children}</div>;
}
