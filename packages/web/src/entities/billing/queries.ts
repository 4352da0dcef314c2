import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { Subscription } from "#/entities/plans/subscription-labels.ts";
import { userQuery } from "#/entities/session/user.ts";
import { feather } from "#/lib/feather.ts";

const PAGE_SIZE = 10;

/** The organization's subscription. */
export const subscriptionQuery = queryOptions({
  queryKey: ["subscription"],
  queryFn: async () => feather.subscription.get(),
});

/** One page of the credit transactions, with the balance. */
export const creditsQuery = (page: number) =>
  queryOptions({
    queryKey: ["credits", page],
    queryFn: async () => feather.usage.credits({ page, perPage: PAGE_SIZE }),
    placeholderData: (previous) => previous,
  });

/** One page of the invoices. */
export const invoicesQuery = (page: number) =>
  queryOptions({
    queryKey: ["invoices", page],
    queryFn: async () => feather.invoices.list({ page, perPage: PAGE_SIZE }),
    placeholderData: (previous) => previous,
  });

/** The organization's cards. */
export const cardsQuery = queryOptions({
  queryKey: ["payment-methods"],
  queryFn: async () => feather.paymentMethods.list(),
});

/** The coupon offered to those who cancel; null when there is none. */
export const retentionQuery = queryOptions({
  queryKey: ["retention-coupon"],
  queryFn: async () => feather.subscription.retentionCoupon.get(),
  staleTime: 0,
});

/** Whether the user may start a trial. */
export const trialQuery = queryOptions({
  queryKey: ["trial"],
  queryFn: async () => feather.auth.trialEligibility(),
});

const BILLING_QUERY_KEYS = ["credits", "invoices", "payment-methods", "trial", "concurrency", "preview", "referral"];

/** Returns a function that refetches everything that a payment or a change of plan affects. */
export function useBillingRefresh() {
  const client = useQueryClient();
  return {
    async refreshBilling(subscription?: Subscription | null): Promise<void> {
      if (subscription) client.setQueryData(subscriptionQuery.queryKey, subscription);
      else void client.invalidateQueries({ queryKey: subscriptionQuery.queryKey });
      void client.invalidateQueries({ queryKey: userQuery.queryKey });
      void client.invalidateQueries({ predicate: ({ queryKey }) => BILLING_QUERY_KEYS.includes(String(queryKey[0])) });
    },
  };
}
