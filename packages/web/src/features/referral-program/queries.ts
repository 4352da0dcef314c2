import type { Result } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

/** The user's rewards and the terms of the program. */
export type ReferralSummary = Result<"referral.summary">;

/** The user's referral code and link. */
export const codeQuery = queryOptions({
  queryKey: ["referral", "code"],
  queryFn: async () => feather.referral.code(),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The user's rewards and the terms of the program. */
export const summaryQuery = queryOptions({
  queryKey: ["referral", "summary"],
  queryFn: async () => feather.referral.summary(),
});

const PAGE_SIZE = 20;

/** One page of the rewards. */
export const rewardsQuery = (page: number) =>
  queryOptions({
    queryKey: ["referral", "rewards", page],
    queryFn: async () => feather.referral.rewards({ page, perPage: PAGE_SIZE }),
    placeholderData: (previous) => previous,
  });

/** One page of the payouts. Needs the permission to manage billing. */
export const payoutsQuery = (page: number) =>
  queryOptions({
    queryKey: ["referral", "payouts", page],
    queryFn: async () => feather.referral.payouts({ page, perPage: PAGE_SIZE }),
    placeholderData: (previous) => previous,
  });
