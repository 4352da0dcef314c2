import type { Schemas } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import { periodOf } from "./period.ts";
import type { Split } from "./series.ts";
import { byHour, type Split } from "./activity.ts";

export type Receipt = Schemas["Receipt"];

/** Figures of the same half minute are the same question. */
const now = () => new Date(Math.ceil(Date.now() / 30_000) * 30_000);
const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
const within = (days: number) => {
  const { start, end } = periodOf(days, now());
  return { start: seconds(start), end: seconds(end) };
};

export const summaryQuery = (days: number) =>
  queryOptions({
    queryKey: ["usage", "summary", days],
    queryFn: async () => feather.usage.activity.summary(within(days)),
  });

export const unitsQuery = (days: number) =>
  queryOptions({
    queryKey: ["usage", "units", days],
    queryFn: async () => feather.usage.concurrencies({ ...within(days), bucket: days === 1 ? "hour" : "day" }),
  });

/** Activity by hour or day, and by model, key or outcome. */
export const activityQuery = (days: number, split: Split) =>
  queryOptions({
    queryKey: ["usage", "activity", days, split],
    queryFn: async () =>
      feather.usage.activity.report({ ...within(days), group_by: `${days === 1 ? "hour" : "day"},${split}` }),
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
