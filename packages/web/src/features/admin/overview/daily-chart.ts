import { t } from "@lingui/core/macro";
import type { ChartData } from "#/components/chart/chart-data.ts";
import { formatCompact, formatCount } from "#/lib/format.ts";

type DailyRequests = { day: string; requests: number; errors: number };

/** Returns a chart of requests per day, answered and failed ones. */
export const createDailyChart = (days: readonly DailyRequests[]): ChartData => ({
  kind: "bars",
  series: [
    { id: "answered", name: t`Answered` },
    { id: "failed", name: t`Failed`, tone: "bad" },
  ],
  more: [],
  slices: days.map(({ day, requests, errors }) => ({ at: day, values: [requests - errors, errors], more: [] })),
  format: formatCount,
  formatTick: formatCompact,
  isCount: true,
});
