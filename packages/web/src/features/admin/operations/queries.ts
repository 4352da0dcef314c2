import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** The server takes a point so often. */
const POINT_INTERVAL_MS = 10_000;

/** The state of the server and its last hour, reloaded repeatedly while the page is open. */
export const operationsQuery = queryOptions({
  ...queries.admin.operations.queryOptions(),
  refetchInterval: POINT_INTERVAL_MS,
});
