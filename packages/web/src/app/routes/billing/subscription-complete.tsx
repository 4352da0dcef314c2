import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { subscriptionQuery, useBillingRefresh } from "#/entities/billing/queries.ts";
import {
  type ExpectedPurchase,
  getPurchaseOutcome,
  parseExpectedPurchase,
} from "#/features/billing/purchase/expected-purchase.ts";
import { NoPurchase } from "#/features/billing/purchase/no-purchase.tsx";
import { PurchaseResult } from "#/features/billing/purchase/purchase-result.tsx";
import styles from "./subscription-complete.module.css";

const POLL_INTERVAL_MS = 2_000;

/** Shown after a change of plan; polls until the change is complete. */
export default function SubscriptionCompletePage() {
  const [params] = useSearchParams();
  const expectation = parseExpectedPurchase(params);
  return (
    <div className={`page-width ${styles.completePage}`} aria-live="polite">
      {expectation ? <Purchase expectation={expectation} state={params.get("state")} /> : <NoPurchase />}
    </div>
  );
}

/** Polls the subscription until it matches the purchase. */
function Purchase({ expectation, state: stateParam }: { expectation: ExpectedPurchase; state: string | null }) {
  const [startedAt, setStartedAt] = useState(() => Date.now());
  const { refreshBilling } = useBillingRefresh();
  const subscription = useQuery({
    ...subscriptionQuery,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data && getPurchaseOutcome(data, expectation, stateParam, Date.now() - startedAt) === "pending"
        ? POLL_INTERVAL_MS
        : false,
  });
  const waitedMs = Math.max(0, subscription.dataUpdatedAt - startedAt);
  const outcome = subscription.data && getPurchaseOutcome(subscription.data, expectation, stateParam, waitedMs);
  const isDone = outcome === "done";

  // Refetches everything else the payment has changed, once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the purchase is complete
  useEffect(() => {
    if (!isDone) return;
    void refreshBilling(subscription.data);
  }, [isDone]);

  return (
    <>
      {subscription.data && outcome ? (
        <PurchaseResult
          subscription={subscription.data}
          outcome={outcome}
          expected={expectation}
          retry={() => {
            setStartedAt(Date.now());
            void subscription.refetch();
          }}
        />
      ) : subscription.isError ? (
        <>
          <h1 className="h2">{t`Subscription`}</h1>
          <LoadError subject={t`The plan`} error={subscription.error} retry={() => void subscription.refetch()} />
        </>
      ) : (
        <h1 className="h2">{t`Please wait …`}</h1>
      )}
    </>
  );
}
