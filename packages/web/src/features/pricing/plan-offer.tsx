import type { Plan } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { plansQuery } from "#/entities/plans/queries.ts";
import { useSalesEnabled } from "#/lib/site-config.ts";
import { PlanColumns } from "./plan-columns.tsx";

/** `currentId` is the user's plan; `mayTry` says whether trials are offered. */
type Props = { currentId: string | undefined; mayTry: boolean; currency: string };

/** Shows the plans in columns, those with a flat price first. */
export function PlanOffer({ currentId, mayTry, currency }: Props) {
  const { data, isError, refetch } = useQuery(plansQuery);
  const isSold = useSalesEnabled();
  if (isError)
    return (
      <div className="notice mt-6" role="alert">
        <p>{t`The plans cannot be read just now.`}</p>
        <button type="button" className="btn mt-3" onClick={() => void refetch()}>
          {t`Try again`}
        </button>
      </div>
    );
  if (data === undefined)
    return (
      <div className="mt-6">
        <Skeleton height={300} />
      </div>
    );
  if (data.items.length === 0)
    return (
      <EmptyState title={t`No plan is on sale`}>
        {t`Whoever runs this server has put none up. What you have goes on.`}
      </EmptyState>
    );
  const columns = { currentId, recommended: findRecommended(data.items, currentId), isSold, mayTry, currency };
  const others = data.items.filter((plan) => !isFlat(plan));
  return (
    <>
      <PlanColumns plans={data.items.filter(isFlat)} {...columns} />
      {others.length > 0 ? <PlanColumns plans={others} {...columns} /> : null}
    </>
  );
}

const isFlat = (plan: Plan): boolean => plan.billing_mode === "subscription" && plan.price_usd_cents !== null;

/** Returns the id of the next more expensive plan with a flat price: the most likely upgrade. */
function findRecommended(plans: readonly Plan[], currentId: string | undefined): string | undefined {
  const priceOf = (plan: Plan | undefined) => plan?.price_usd_cents ?? 0;
  const currentPrice = priceOf(plans.find(({ id }) => id === currentId));
  const [next] = plans
    .filter((plan) => isFlat(plan) && priceOf(plan) > currentPrice)
    .sort((a, b) => priceOf(a) - priceOf(b));
  return next?.id;
}
