import type { Result } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

export type Summary = Result<"referral.summary">;

export const codeQuery = queryOptions({
  queryKey: ["referral", "code"],
  queryFn: async () => feather.referral.code(),
  staleTime: Number.POSITIVE_INFINITY,
});

export const summaryQuery = queryOptions({
  queryKey: ["referral", "summary"],
  queryFn: async () => feather.referral.summary(),
});

const PER_PAGE = 20;

export const rewardsQuery = (page: number) =>
  queryOptions({
    queryKey: ["referral", "rewards", page],
    queryFn: async () => feather.referral.rewards({ page, perPage: PER_PAGE }),
    placeholderData: (previous) => previous,
  });

/** Only those who look after payments may see these. */
export const payoutsQuery = (page: number) =>
  queryOptions({
    queryKey: ["referral", "payouts", page],
    queryFn: async () => feather.referral.payouts({ page, perPage: PER_PAGE }),
    placeholderData: (previous) => previous,
  });
