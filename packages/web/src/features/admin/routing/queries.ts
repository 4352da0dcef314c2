import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** All aliases of models. */
export const aliasesQuery = queryOptions({
  ...queries.admin.routing.aliases.list.queryOptions(),
});
