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
