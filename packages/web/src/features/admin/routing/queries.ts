import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** The order of backends, and the fee of own keys. */
export const routingQuery = queryOptions({
  ...queries.admin.routing.get.queryOptions(),
});

/** All aliases of models. */
export const aliasesQuery = queryOptions({
  ...queries.admin.routing.aliases.list.queryOptions(),
});
