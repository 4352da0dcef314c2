import { queries } from "#/lib/queries.ts";

/** The providers that a backend can be added from. They change only with the server's version. */
export const providersQuery = { ...queries.admin.providers.list.queryOptions(), staleTime: Number.POSITIVE_INFINITY };
