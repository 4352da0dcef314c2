import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";
import { type Period, toTimeRange } from "../period.ts";
import type { RequestsQuery } from "./request-filters.ts";

/** How often a list of requests is read anew that is followed, in milliseconds. */
const FOLLOW_MS = 5_000;

/** A page of requests, read anew every few seconds while it is followed and the tab is visible. */
export const requestsQuery = (query: RequestsQuery, isFollowed = false) =>
  queryOptions({
    ...queries.usage.activity.requests.queryOptions(query),
    placeholderData: keepPreviousData,
    refetchInterval: isFollowed ? FOLLOW_MS : false,
  });

/** The models that were called in a period, the most called first. */
export const modelsQuery = (period: Period) =>
  queries.usage.activity.report.queryOptions({ ...toTimeRange(period), group_by: "model" });
