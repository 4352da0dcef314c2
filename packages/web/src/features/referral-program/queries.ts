import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** The user's referral code and link. */
export const codeQuery = queryOptions({
  ...queries.referral.code.queryOptions(),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The user's rewards and the terms of the program. */
export const summaryQuery = queryOptions({
  ...queries.referral.summary.queryOptions(),
});

const PAGE_SIZE = 20;

/** One page of the rewards. */
export const rewardsQuery = (page: number) =>
  queryOptions({
    ...queries.referral.rewards.queryOptions({ page, perPage: PAGE_SIZE }),
    placeholderData: (previous) => previous,
  });

/** One page of the payouts. Needs the permission to manage billing. */
export const payoutsQuery = (page: number) =>
  queryOptions({
    ...queries.referral.payouts.queryOptions({ page, perPage: PAGE_SIZE }),
    placeholderData: (previous) => previous,
  });
