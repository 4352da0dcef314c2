import type { PlanSubscriberPrice, PlanSubscribers } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { formatMoney } from "#/entities/money/money.ts";
import { planSubscribersQuery } from "./queries.ts";

/** Says whom a change of a plan affects: who is on it, and at which prices. */
export function PlanSubscribersNote({ id }: { id: string }) {
  const subscribers = useQuery(planSubscribersQuery(id));
  return (
    <section className="mb-6" aria-labelledby="affected">
      <h2 className="h4" id="affected">{t`Whom a change affects`}</h2>
      <Loaded subject={t`who is on the plan`} query={subscribers}>
        {(counts) => (
          <>
            <p className="muted small mt-2 measure">{describeCounts(counts)}</p>
            {counts.prices.length > 0 ? (
              <ul className="small mt-2">
                {counts.prices.map((price) => (
                  <li key={`${price.price_cents} ${price.currency} ${price.interval}`}>{describePrice(price)}</li>
                ))}
              </ul>
            ) : null}
          </>
        )}
      </Loaded>
    </section>
  );
}

function describeCounts(counts: PlanSubscribers): string {
  const { subscription_count, trial_count, granted_count, arriving_count } = counts;
  if (subscription_count + granted_count + arriving_count === 0) return t`Nobody is on this plan.`;
  return [
    plural(subscription_count, { one: "# organization pays for it", other: "# organizations pay for it" }),
    ...(trial_count > 0 ? [plural(trial_count, { one: "# of them in a trial", other: "# of them in trials" })] : []),
    ...(granted_count > 0
      ? [plural(granted_count, { one: "# has it without paying here", other: "# have it without paying here" })]
      : []),
    ...(arriving_count > 0
      ? [plural(arriving_count, { one: "# changes to it next period", other: "# change to it next period" })]
      : []),
  ].join(", ");
}

function describePrice(price: PlanSubscriberPrice): string {
  const { price_cents, currency, interval, subscription_count, is_current, announced_count } = price;
  const amount = formatMoney(price_cents, currency);
  const pays = plural(subscription_count, { one: "# pays", other: "# pay" });
  const what = interval === "year" ? t`${pays} ${amount} a year` : t`${pays} ${amount} a month`;
  if (is_current) return t`${what}, the price of the plan`;
  if (announced_count === 0) return t`${what}, an earlier price: it stays until you announce the new one`;
  return t`${what}, an earlier price: the new one is announced to ${announced_count}`;
}
