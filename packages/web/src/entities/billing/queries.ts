import type { Subscription } from "@feather/sdk";
import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { userQuery } from "#/entities/session/user.ts";
import { queries } from "#/lib/queries.ts";

const PAGE_SIZE = 10;

/** How often the billing details are read while their VAT id is being checked. */
const VAT_ID_CHECK_MS = 5_000;

/** The organization's subscription. */
export const subscriptionQuery = queryOptions({
  ...queries.subscription.get.queryOptions(),
});

/** One page of the credit transactions, with the balance. */
export const creditsQuery = (page: number) =>
  queryOptions({
    ...queries.usage.credits.queryOptions({ page, perPage: PAGE_SIZE }),
    placeholderData: (previous) => previous,
  });

/** When credits are bought automatically. */
export const autoTopUpQuery = queryOptions({
  ...queries.credits.autoTopUp.get.queryOptions(),
});

/** What a marketplace bills beyond the credits. */
export const meteringQuery = queryOptions({
  ...queries.marketplace.metering.get.queryOptions(),
});

/** One page of the invoices. */
export const invoicesQuery = (page: number) =>
  queryOptions({
    ...queries.invoices.list.queryOptions({ page, perPage: PAGE_SIZE }),
    placeholderData: (previous) => previous,
  });

/** One page of the credit notes. */
export const creditNotesQuery = (page: number) =>
  queryOptions({
    ...queries.creditNotes.list.queryOptions({ page, perPage: PAGE_SIZE }),
    placeholderData: (previous) => previous,
  });

/** The details that the organization's invoices are written to. */
export const billingDetailsQuery = queryOptions({
  ...queries.organization.billingDetails.get.queryOptions(),
  refetchInterval: ({ state }) => (state.data?.vat_id_check.state === "checking" ? VAT_ID_CHECK_MS : false),
});

/** The organization's cards. */
export const cardsQuery = queryOptions({
  ...queries.paymentMethods.list.queryOptions(),
});

/** The coupon offered to those who cancel; null when there is none. */
export const retentionQuery = queryOptions({
  ...queries.subscription.retentionCoupon.get.queryOptions(),
  staleTime: 0,
});

/** Whether the user may start a trial. */
export const trialQuery = queryOptions({
  ...queries.auth.trialEligibility.queryOptions(),
});

/** What a payment or a change of plan affects besides the user and the subscription itself. */
const AFFECTED_QUERY_KEYS = [
  queries.usage.credits.key(),
  queries.credits.autoTopUp.key(),
  queries.invoices.key(),
  queries.creditNotes.key(),
  queries.paymentMethods.key(),
  queries.auth.trialEligibility.key(),
  queries.concurrency.key(),
  queries.subscription.change.key(),
  queries.subscription.coupons.key(),
  queries.referral.key(),
];

/** Returns a function that refetches everything that a payment or a change of plan affects. */
export function useBillingRefresh() {
  const client = useQueryClient();
  return {
    async refreshBilling(subscription?: Subscription | null): Promise<void> {
      if (subscription) client.setQueryData(subscriptionQuery.queryKey, subscription);
      else void client.invalidateQueries({ queryKey: subscriptionQuery.queryKey });
      void client.invalidateQueries({ queryKey: userQuery.queryKey });
      for (const queryKey of AFFECTED_QUERY_KEYS) void client.invalidateQueries({ queryKey });
    },
  };
}
