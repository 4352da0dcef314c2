import type { Schemas } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { type GroupBy, isHourly } from "./activity.ts";

/** The receipt of a request. */
export type Receipt = Schemas["Receipt"];

/** Rounded up to half a minute, so that equal requests within it share a cache entry. */
const getRoundedNow = () => new Date(Math.ceil(Date.now() / 30_000) * 30_000);
const toUnixSeconds = (date: Date) => Math.floor(date.getTime() / 1000);
const DAY_S = 86_400;
const HOUR_S = 3_600;

/** Returns a period of whole slices, up to the current one, so that totals match the chart. */
function toTimeRange(days: number): { start: number; end: number } {
  const end = toUnixSeconds(getRoundedNow());
  const start = isHourly(days)
    ? Math.floor(end / HOUR_S) * HOUR_S - 23 * HOUR_S
    : (Math.floor(end / DAY_S) - days + 1) * DAY_S;
  return { start, end };
}

/** Totals of a period. */
export const summaryQuery = (days: number) =>
  queryOptions({
    ...queries.usage.activity.summary.queryOptions(toTimeRange(days)),
  });

/** The units in use over a period. */
export const unitsQuery = (days: number) =>
  queryOptions({
    ...queries.usage.concurrencies.queryOptions({ ...toTimeRange(days), bucket: isHourly(days) ? "hour" : "day" }),
  });

/** Activity by hour or day, and by model, key or outcome. */
export const activityQuery = (days: number, groupBy: GroupBy) =>
  queryOptions({
    ...queries.usage.activity.report.queryOptions({
      ...toTimeRange(days),
      group_by: `${isHourly(days) ? "hour" : "day"},${groupBy}`,
    }),
    placeholderData: keepPreviousData,
  });

/** One page of the requests of a period. */
export const requestsQuery = (days: number, page: number) =>
  queryOptions({
    ...queries.usage.activity.requests.queryOptions({ ...toTimeRange(days), page, perPage: 25 }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });

/** The most requests in one export. */
export const MAX_EXPORTED_REQUESTS = 10_000;

/** Returns the requests of a period, newest first, from all pages up to the limit of an export. */
export async function loadAllRequests(days: number): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for await (const receipt of feather.usage.activity.requests({ ...toTimeRange(days), perPage: 100 })) {
    receipts.push(receipt);
    if (receipts.length === MAX_EXPORTED_REQUESTS) break;
  }
  return receipts;
}
