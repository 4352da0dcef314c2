import { queries } from "#/lib/queries.ts";

const KEYS_PER_PAGE = 100;

/** The organization's API keys. */
export const keysQuery = queries.apiKeys.list.queryOptions({ perPage: KEYS_PER_PAGE });

/** A page of the organization's API keys, counted from 1. The first shares its cache entry with `keysQuery`. */
export const keysPageQuery = (page: number) =>
  page === 1 ? keysQuery : queries.apiKeys.list.queryOptions({ perPage: KEYS_PER_PAGE, page });

/** Requests and cost of the last 30 days, one row for each key that was used. */
export const keyUsageQuery = queries.usage.activity.report.queryOptions({ group_by: "api_key" });
