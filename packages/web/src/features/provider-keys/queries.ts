import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** The queries that are refetched after a provider key has changed. */
export const PROVIDER_KEY_QUERY_KEYS = [queries.providerKeys.key()];

/** The organization's keys for providers, and the providers for which it can set one. */
export const providerKeysQuery = queryOptions({ ...queries.providerKeys.list.queryOptions() });
