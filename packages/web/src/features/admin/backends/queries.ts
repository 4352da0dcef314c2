import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** All backends with their state, refreshed every 15 seconds. */
export const backendsQuery = queryOptions({
  ...queries.admin.backends.list.queryOptions(),
  refetchInterval: 15_000,
});
