import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router-dom";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { subscriptionQuery } from "#/entities/billing/queries.ts";
import { ReadOnlyNote } from "#/entities/billing/read-only-note.tsx";
import { useBillingPermission } from "#/entities/billing/use-billing-permission.ts";
import { plansQuery } from "#/entities/plans/queries.ts";
import { useStripeDocument } from "#/features/billing/cards/use-stripe-document.ts";
import { ChangePanel } from "#/features/billing/change/change-panel.tsx";
import { PlanPicker } from "#/features/billing/change/plan-picker.tsx";
import { listPlansOnSale, parseSelection } from "#/features/billing/change/plan-selection.ts";
import styles from "./subscription-change.module.css";

/** Choose another plan, quantity or coupon, with a quote. The choice is in the URL. */
export default function SubscriptionChangePage() {
  const [params, setParams] = useSearchParams();
  useStripeDocument();
  const subscription = useQuery(subscriptionQuery);
  const plans = useQuery(plansQuery);
  const { canView, readOnlyReason } = useBillingPermission();
  const mayChange = canView && readOnlyReason === null;
  const failedQuery = subscription.isError ? subscription : plans.isError ? plans : null;
  const onSale = subscription.data && plans.data ? listPlansOnSale(plans.data.items, subscription.data) : [];
  const choice = subscription.data ? parseSelection(params, onSale, subscription.data) : null;
  const set = (change: Record<string, string | null>) =>
    setParams(
      (now) => {
        for (const [name, value] of Object.entries(change)) value === null ? now.delete(name) : now.set(name, value);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );

  return (
    <div className={`page-width ${styles.changePage}`}>
      <div>
        <Link className="small faint" to={paths.account}>
          {t`Subscription`}
        </Link>
        <h1 className="h2">{t`Change subscription`}</h1>
        <p className="muted mt-2">
          {t`A plan is a number of units: a request holds one to four of them while it runs. What costs more holds at once, what costs less begins with the next period.`}
        </p>
        <ReadOnlyNote readOnlyReason={readOnlyReason} />
        <div className="mt-5">
          {failedQuery ? (
            <LoadError subject={t`The plans`} error={failedQuery.error} retry={() => void failedQuery.refetch()} />
          ) : choice && subscription.data ? (
            <PlanPicker
              plans={onSale}
              selection={choice}
              subscription={subscription.data}
              disabled={!mayChange}
              onSelect={(plan) => set({ plan: plan.id, quantity: null })}
              setQuantity={(quantity) => set({ plan: choice.plan.id, quantity: String(quantity) })}
            />
          ) : subscription.data && plans.data ? (
            <p className="muted">{t`No plan is on sale here.`}</p>
          ) : (
            <LoadingPlans />
          )}
        </div>
      </div>
      {choice && subscription.data && mayChange ? (
        <ChangePanel
          selection={choice}
          subscription={subscription.data}
          couponCode={params.get("coupon")}
          intentId={params.get("intent")}
          setCoupon={(coupon) => set({ coupon })}
        />
      ) : null}
    </div>
  );
}

function LoadingPlans() {
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

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<unknown> =>
  Promise.all([client.prefetchQuery(subscriptionQuery), client.prefetchQuery(plansQuery)]);
