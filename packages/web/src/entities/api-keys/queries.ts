import type { Query } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** The organization's newest API keys, for their names. */
export const keysQuery = queries.apiKeys.list.queryOptions({ perPage: 100 });

/** A page of the organization's API keys. */
export const keyListQuery = (query: Query<"apiKeys.list">) =>
  queryOptions({ ...queries.apiKeys.list.queryOptions(query), placeholderData: keepPreviousData });

/** A page of one key, which says how many there are. */
export const keyCountQuery = queries.apiKeys.list.queryOptions({ perPage: 1 });

/** Requests and cost of the last 30 days, one row for each key that was used. */
export const keyUsageQuery = queries.usage.activity.report.queryOptions({ group_by: "api_key" });
