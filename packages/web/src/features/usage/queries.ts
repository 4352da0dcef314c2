import type { Schemas } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import { byHour, type Split } from "./activity.ts";

export type Receipt = Schemas["Receipt"];

/** Figures of the same half minute are the same question. */
const now = () => new Date(Math.ceil(Date.now() / 30_000) * 30_000);
const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
const DAY = 86_400;
const HOUR = 3_600;

/** A period in whole slices, the running one the last: what is summed up is what the chart shows. */
function within(days: number): { start: number; end: number } {
  const end = seconds(now());
  const start = byHour(days) ? Math.floor(end / HOUR) * HOUR - 23 * HOUR : (Math.floor(end / DAY) - days + 1) * DAY;
  return { start, end };
}

export const summaryQuery = (days: number) =>
  queryOptions({
    queryKey: ["usage", "summary", days],
    queryFn: async () => feather.usage.activity.summary(within(days)),
  });

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

export const requestsQuery = (days: number, page: number) =>
  queryOptions({
    queryKey: ["usage", "requests", days, page],
    queryFn: async () => feather.usage.activity.requests({ ...within(days), page, perPage: 25 }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });

export const liveQuery = queryOptions({
  queryKey: ["concurrency"],
  queryFn: async () => feather.concurrency.get(),
  refetchInterval: 5_000,
});

/** So many requests are put into one file at most. */
export const MOST_EXPORTED = 10_000;

/** The requests of a period, newest first, page after page. */
export async function allRequests(days: number): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for await (const receipt of feather.usage.activity.requests({ ...within(days), perPage: 100 })) {
    receipts.push(receipt);
    if (receipts.length === MOST_EXPORTED) break;
  }
  return receipts;
}
