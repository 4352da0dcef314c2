import type { Subscription } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { AsideNote } from "#/components/ui/feedback/aside-note.tsx";
import { paths } from "#/config/paths.ts";
import { trialQuery } from "#/entities/billing/queries.ts";
import { formatMoney } from "#/entities/money/money.ts";
import { isPaidPlan } from "#/entities/plans/paid-plan.ts";
import { plansQuery } from "#/entities/plans/queries.ts";
import { countUnits, formatLongDate, formatPlanPrice, formatUnits } from "#/entities/plans/subscription-labels.ts";

/** Notices about the current plan: a failed payment, scheduled changes, a trial offer. */
export function PlanNotices({ subscription, mayChange }: { subscription: Subscription; mayChange: boolean }) {
  const { plan, status, pending_change, price_change } = subscription;
  return (
    <>
      {status === "past_due" ? <PastDue subscription={subscription} mayChange={mayChange} /> : null}
      {pending_change ? <ScheduledChange change={pending_change} from={subscription} /> : null}
      {price_change ? <PriceChange change={price_change} subscription={subscription} /> : null}
      {!isPaidPlan(plan) && mayChange ? <TrialOffer /> : null}
    </>
  );
}

function PastDue({ subscription: { plan }, mayChange }: { subscription: Subscription; mayChange: boolean }) {
  return (
    <div className="notice fault mt-4" role="alert">
      <p>
        <Trans>
          The last payment for {plan.name} did not succeed. It is tried again over the next days; when none succeeds,
          the plan ends.
        </Trans>
      </p>
      {mayChange ? (
        <p className="row wrapping">
          <Link className="link" to="#invoices">
            {t`Pay the open invoice`}
          </Link>
          <Link className="link" to={paths.paymentMethods}>
            {t`Use another card`}
          </Link>
        </p>
      ) : null}
    </div>
  );
}

type NewPrice = NonNullable<Subscription["price_change"]>;

function PriceChange({ change, subscription }: { change: NewPrice; subscription: Subscription }) {
  const price = formatMoney(change.price_cents * subscription.quantity, subscription.currency);
  return (
    <AsideNote>
      {change.interval === "year"
        ? t`From the first period that begins on ${formatLongDate(change.effective_date)} or later, the plan costs ${price} a year.`
        : t`From the first period that begins on ${formatLongDate(change.effective_date)} or later, the plan costs ${price} a month.`}
    </AsideNote>
  );
}

type Change = NonNullable<Subscription["pending_change"]>;

function ScheduledChange({ change, from }: { change: Change; from: Subscription }) {
  const { data } = useQuery(plansQuery);
  const plan =
    data?.items.find(({ id }) => id === change.plan_id) ?? (from.plan.id === change.plan_id ? from.plan : null);
  return (
    <AsideNote>
      <Trans>
        From <strong>{formatLongDate(change.effective_date)}</strong> on:
      </Trans>{" "}
      {plan
        ? `${plan.name}, ${formatUnits(countUnits(plan, change.quantity))}, ${formatPlanPrice(plan, from.currency, change.quantity) ?? t`price by offer`}.`
        : t`${change.plan_id}, quantity ${change.quantity}.`}
    </AsideNote>
  );
}

function TrialOffer() {
  const trial = useQuery(trialQuery);
  const plans = useQuery(plansQuery);
  const plan = plans.data?.items.find(({ trial_days, price_usd_cents }) => trial_days > 0 && price_usd_cents !== null);
  if (!trial.data?.trial_eligible || !plan) return null;
  return (
    <AsideNote>
      <Trans>
        {plan.name} can be tried for <Plural value={plan.trial_days} one="# day" other="# days" />.{" "}
        <Link className="link" to={paths.changePlan({ plan: plan.id })}>
          See what follows
        </Link>
      </Trans>
    </AsideNote>
  );
}
