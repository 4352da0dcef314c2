import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** The plans of the price list. */
export const plansQuery = queryOptions({
  ...queries.subscription.plans.queryOptions(),
  staleTime: 300_000,
});
