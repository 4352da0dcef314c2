import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** The requests of the organization that are running now, and the units they hold. */
export const concurrencyQuery = queryOptions({
  ...queries.concurrency.get.queryOptions(),
  refetchInterval: 5_000,
});
