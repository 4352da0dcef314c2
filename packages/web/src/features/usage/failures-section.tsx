import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { formatPercent } from "#/lib/format.ts";
import { ChartSection } from "./chart-section.tsx";
import { createFailuresChart } from "./failures-chart.ts";
import { OUTCOME_LABELS } from "./outcomes.ts";
import { activityQuery } from "./queries.ts";

/** The share of requests that failed over a period. */
export function FailuresSection({ days }: { days: number }) {
  const report = useQuery(activityQuery(days, "outcome"));
  const chart =
    report.data &&
    createFailuresChart(report.data.items, days, report.data.end_date, {
      nameOf: (outcome) => OUTCOME_LABELS[outcome].label,
      format: (share) => formatPercent(share),
      requests: t`Requests`,
    });
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
