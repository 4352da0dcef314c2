import type { Schemas } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import { byHour, type Split } from "./activity.ts";

/** The receipt of a request. */
export type Receipt = Schemas["Receipt"];

/** Rounded up to half a minute, so that equal requests within it share a cache entry. */
const now = () => new Date(Math.ceil(Date.now() / 30_000) * 30_000);
const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
const DAY = 86_400;
const HOUR = 3_600;

/** Returns a period of whole slices, up to the current one, so that totals match the chart. */
function within(days: number): { start: number; end: number } {
  const end = seconds(now());
  const start = byHour(days) ? Math.floor(end / HOUR) * HOUR - 23 * HOUR : (Math.floor(end / DAY) - days + 1) * DAY;
  return { start, end };
}

/** Totals of a period. */
export const summaryQuery = (days: number) =>
  queryOptions({
    queryKey: ["usage", "summary", days],
    queryFn: async () => feather.usage.activity.summary(within(days)),
  });

/** The units in use over a period. */
export const unitsQuery = (days: number) =>
  queryOptions({
    queryKey: ["usage", "units", days],
    queryFn: async () => feather.usage.concurrencies({ ...within(days), bucket: byHour(days) ? "hour" : "day" }),
  });

/** Activity by hour or day, and by model, key or outcome. */
export const activityQuery = (days: number, split: Split) =>
  queryOptions({
    queryKey: ["usage", "activity", days, split],
    queryFn: async () =>
      feather.usage.activity.report({ ...within(days), group_by: `${byHour(days) ? "hour" : "day"},${split}` }),
    placeholderData: keepPreviousData,
  });

/** One page of the requests of a period. */
export const requestsQuery = (days: number, page: number) =>
  queryOptions({
    queryKey: ["usage", "requests", days, page],
    queryFn: async () => feather.usage.activity.requests({ ...within(days), page, perPage: 25 }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });

/** The requests that are running now, and the units they hold. */
export const liveQuery = queryOptions({
  queryKey: ["concurrency"],
  queryFn: async () => feather.concurrency.get(),
  refetchInterval: 5_000,
});

/** The most requests in one export. */
export const MOST_EXPORTED = 10_000;

/** Returns the requests of a period, newest first, from all pages up to the limit of an export. */
export async function allRequests(days: number): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for await (const receipt of feather.usage.activity.requests({ ...within(days), perPage: 100 })) {
    receipts.push(receipt);
    if (receipts.length === MOST_EXPORTED) break;
  }
  return receipts;
}
