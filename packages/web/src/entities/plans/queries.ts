import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** The currencies in which organizations can pay. */
export const currenciesQuery = queryOptions({
  ...queries.currencies.list.queryOptions(),
  staleTime: 300_000,
});

/** The plans of the price list. */
export const plansQuery = queryOptions({
  ...queries.subscription.plans.queryOptions(),
  staleTime: 300_000,
});
