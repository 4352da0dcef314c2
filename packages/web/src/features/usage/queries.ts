import type { ConcurrencyReport } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
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

/** The latest requests of a period, read anew, as the units in use show them. */
export const latestQuery = (period: Period) =>
  queryOptions({
    ...queries.usage.activity.requests.queryOptions({ ...toTimeRange(period), perPage: 25 }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
