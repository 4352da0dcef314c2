import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router-dom";
import { Skeleton } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { paths } from "#/config/paths.ts";
import { ChangePanel } from "#/features/billing/change-panel.tsx";
import { plansOnSale, readChoice } from "#/features/billing/choice.ts";
import { BarrierNote } from "#/features/billing/notes.tsx";
import { useBilling } from "#/features/billing/permission.ts";
import { PlanChoice } from "#/features/billing/plan-choice.tsx";
import { subscriptionQuery } from "#/features/billing/queries.ts";
import { plansQuery } from "#/features/home/plans.ts";

/** Choose another plan, quantity or coupon, with a quote. The choice is in the URL. */
export default function SubscriptionChangePage() {
  const [params, setParams] = useSearchParams();
  const subscription = useQuery(subscriptionQuery);
  const plans = useQuery(plansQuery);
  const { sees, barrier } = useBilling();
  const mayChange = sees && barrier === null;
  const failed = subscription.isError ? subscription : plans.isError ? plans : null;
  const onSale = subscription.data && plans.data ? plansOnSale(plans.data.items, subscription.data) : [];
  const choice = subscription.data ? readChoice(params, onSale, subscription.data) : null;
  const set = (change: Record<string, string | null>) =>
    setParams(
      (now) => {
        for (const [name, value] of Object.entries(change)) value === null ? now.delete(name) : now.set(name, value);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );

  return (
    <div className="wrap change-page">
      <div>
        <Link className="small dim" to={paths.account}>
          {t`Subscription`}
        </Link>
        <h1 className="h2">{t`Change subscription`}</h1>
        <p className="mid mt-2">
          {t`A plan is a number of units: a request holds one to four of them while it runs. What costs more holds at once, what costs less begins with the next period.`}
        </p>
        <BarrierNote barrier={barrier} />
        <div className="mt-5">
          {failed ? (
            <ReadFault what={t`The plans`} error={failed.error} again={() => void failed.refetch()} />
          ) : choice && subscription.data ? (
            <PlanChoice
              plans={onSale}
              choice={choice}
              subscription={subscription.data}
              disabled={!mayChange}
              choose={(plan) => set({ plan: plan.id, quantity: null })}
              setQuantity={(quantity) => set({ plan: choice.plan.id, quantity: String(quantity) })}
            />
          ) : subscription.data && plans.data ? (
            <p className="mid">{t`No plan is on sale here.`}</p>
          ) : (
            <Loading />
          )}
        </div>
      </div>
      {choice && subscription.data && mayChange ? (
        <ChangePanel
          choice={choice}
          subscription={subscription.data}
          couponCode={params.get("coupon")}
          intentId={params.get("intent")}
          setCoupon={(coupon) => set({ coupon })}
        />
      ) : null}
    </div>
  );
}

function Loading() {
  return (
    <div aria-busy="true">
      <span className="visually-hidden">{t`Loading the plans`}</span>
      {[1, 2, 3].map((row) => (
        <div key={row} className="mt-2">
          <Skeleton height={64} />
        </div>
      ))}
    </div>
  );
}
