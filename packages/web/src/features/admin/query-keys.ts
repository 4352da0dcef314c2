import { queries } from "#/lib/queries.ts";

/** The keys of the queries that the admin area shows. Each change there loads them again. */
export const ADMIN_QUERY_KEYS = [queries.admin.key(), queries.status.key()];
