import type { ConcurrencyReport, Receipt } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import type { GroupBy } from "./activity.ts";
import { isHourly, type Period, toTimeRange } from "./period.ts";

/** How often figures are read anew, in milliseconds. */
const REFRESH_MS = 10_000;

/** Totals of a period, read anew while they count no request: the first one is stored shortly after it ended. */
export const summaryQuery = (period: Period) =>
  queryOptions({
    ...queries.usage.activity.summary.queryOptions(toTimeRange(period)),
    refetchInterval: ({ state: { data } }) => (data?.totals.request_count === 0 ? REFRESH_MS : false),
  });

/** The units in use over a period, read anew while there were none. */
export const unitsQuery = (period: Period) =>
  queryOptions({
    ...queries.usage.concurrencies.queryOptions({ ...toTimeRange(period), bucket: isHourly(period) ? "hour" : "day" }),
    refetchInterval: ({ state: { data } }) => (data && isUnused(data) ? REFRESH_MS : false),
  });

const isUnused = ({ items }: ConcurrencyReport): boolean =>
  items.every(({ used_max, rejected }) => used_max === 0 && rejected === 0);

/** Activity by hour or day, and by model, key or outcome. */
export const activityQuery = (period: Period, groupBy: GroupBy) =>
  queryOptions({
    ...queries.usage.activity.report.queryOptions({
      ...toTimeRange(period),
      group_by: `${isHourly(period) ? "hour" : "day"},${groupBy}`,
    }),
    placeholderData: keepPreviousData,
  });

/** One page of the requests of a period. */
export const requestsQuery = (period: Period, page: number) =>
  queryOptions({
    ...queries.usage.activity.requests.queryOptions({ ...toTimeRange(period), page, perPage: 25 }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });

/** The most requests in one export. */
export const MAX_EXPORTED_REQUESTS = 10_000;

/** Returns the requests of a period, newest first, from all pages up to the limit of an export. */
export async function loadAllRequests(period: Period): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for await (const receipt of feather.usage.activity.requests({ ...toTimeRange(period), perPage: 100 })) {
    receipts.push(receipt);
    if (receipts.length === MAX_EXPORTED_REQUESTS) break;
  }
  return receipts;
}
