import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

/** The plans of the price list. */
export const plansQuery = queryOptions({
  queryKey: ["plans"],
  queryFn: async () => feather.subscription.plans(),
  staleTime: 300_000,
});
