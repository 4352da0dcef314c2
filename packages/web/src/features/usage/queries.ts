import type { Schemas } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

export type Receipt = Schemas["Receipt"];

const DAY = 86_400;
/** Figures of the same half minute are the same question. */
const now = () => Math.ceil(Date.now() / 30_000) * 30;

export const summaryQuery = (days: number) =>
  queryOptions({
    queryKey: ["usage", "summary", days],
    queryFn: async () => feather.usage.activity.summary({ start: now() - days * DAY, end: now() }),
  });

export const unitsQuery = (days: number) =>
  queryOptions({
    queryKey: ["usage", "units", days],
    queryFn: async () =>
      feather.usage.concurrencies({ start: now() - days * DAY, end: now(), bucket: days > 7 ? "day" : "hour" }),
  });

export const requestsQuery = (days: number, page: number) =>
  queryOptions({
    queryKey: ["usage", "requests", days, page],
    queryFn: async () => feather.usage.activity.requests({ start: now() - days * DAY, end: now(), page, perPage: 25 }),
    placeholderData: (previous) => previous,
    refetchInterval: 10_000,
  });
