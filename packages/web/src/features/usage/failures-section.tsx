import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { percent } from "#/lib/format.ts";
import { ChartSection } from "./chart-section.tsx";
import { failuresChart } from "./failures.ts";
import { OUTCOMES } from "./outcomes.ts";
import { activityQuery } from "./queries.ts";

/** The share of requests that failed over a period. */
export function FailuresSection({ days }: { days: number }) {
  const report = useQuery(activityQuery(days, "outcome"));
  const chart =
    report.data &&
    failuresChart(report.data.items, days, report.data.end_date, {
      nameOf: (outcome) => OUTCOMES[outcome].word,
      format: (share) => percent(share),
      requests: t`Requests`,
    });
  return (
    <ChartSection
      title={t`Share of requests that failed`}
      chart={chart}
      error={report.error}
      again={() => void report.refetch()}
      file="failures"
      exportLabel={t`Export failures as CSV`}
      nothing={t`No request failed in this period.`}
    />
  );
}
