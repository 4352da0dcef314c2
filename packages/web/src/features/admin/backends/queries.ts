import type { Result, Schemas } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** A backend as an admin sees it. */
export type Backend = Schemas["Backend"];
/** The result of a connection test. */
export type BackendTest = Result<"admin.backends.test">;

/** All backends with their state, refreshed every 15 seconds. */
export const backendsQuery = queryOptions({
  ...queries.admin.backends.list.queryOptions(),
  refetchInterval: 15_000,
});
