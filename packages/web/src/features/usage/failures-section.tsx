import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { ChartSection } from "#/components/chart/chart-section.tsx";
import { formatPercent, formatPercentTick } from "#/lib/format.ts";
import { createFailuresChart } from "./failures-chart.ts";
import { OUTCOME_LABELS } from "./outcomes.ts";
import type { Period } from "./period.ts";
import { activityQuery } from "./queries.ts";

/** The share of requests that failed over a period. */
export function FailuresSection({ period }: { period: Period }) {
  const report = useQuery(activityQuery(period, "outcome"));
  const chart = report.data && {
    ...createFailuresChart(report.data.items, period, {
      nameOf: (outcome) => OUTCOME_LABELS[outcome].label,
      format: (share) => formatPercent(share),
      requests: t`Requests`,
    }),
    formatTick: formatPercentTick,
  };
  return (
    <ChartSection
      title={t`Share of requests that failed`}
      chart={chart}
      error={report.error}
      retry={() => void report.refetch()}
      file="failures"
      exportLabel={t`Export failures as CSV`}
      emptyText={t`No request failed in this period.`}
    />
  );
}
