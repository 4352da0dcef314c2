import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { CompleteView, NothingBought } from "#/features/billing/complete-view.tsx";
import { type Expectation, outcomeOf, readExpectation } from "#/features/billing/expectation.ts";
import { subscriptionQuery, useBillingRefresh } from "#/features/billing/queries.ts";

const EVERY = 2_000;

/** Shown after a change of plan; polls until the change is complete. */
export default function SubscriptionCompletePage() {
  const [params] = useSearchParams();
  const wanted = readExpectation(params);
  return (
    <div className="wrap complete-page" aria-live="polite">
      {wanted ? <Purchase wanted={wanted} state={params.get("state")} /> : <NothingBought />}
    </div>
  );
}

/** Polls the subscription until it matches the purchase. */
function Purchase({ wanted, state: said }: { wanted: Expectation; state: string | null }) {
  const [since, setSince] = useState(() => Date.now());
  const { changed } = useBillingRefresh();
  const subscription = useQuery({
    ...subscriptionQuery,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data && outcomeOf(data, wanted, said, Date.now() - since) === "pending" ? EVERY : false,
  });
  const waited = Math.max(0, subscription.dataUpdatedAt - since);
  const outcome = subscription.data && outcomeOf(subscription.data, wanted, said, waited);
  const isDone = outcome === "done";

  // Refetches everything else the payment has changed, once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the purchase is complete
  useEffect(() => {
    if (!isDone) return;
    void changed(subscription.data);
  }, [isDone]);

  return (
    <>
      {subscription.data && outcome ? (
        <CompleteView
          subscription={subscription.data}
          outcome={outcome}
          wanted={wanted}
          again={() => {
            setSince(Date.now());
            void subscription.refetch();
          }}
        />
      ) : subscription.isError ? (
        <>
          <h1 className="h2">{t`Subscription`}</h1>
          <ReadFault what={t`The plan`} error={subscription.error} again={() => void subscription.refetch()} />
        </>
      ) : (
        <h1 className="h2">{t`One moment …`}</h1>
      )}
    </>
  );
}
