import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router-dom";
import { ChartSection } from "#/components/chart/chart-section.tsx";
import { Select } from "#/components/ui/controls/select.tsx";
import { formatCompact, formatCount } from "#/lib/format.ts";
import { aggregateActivity, countTokens, createActivityChart, GROUP_BY_OPTIONS, type GroupBy } from "./activity.ts";
import type { Period } from "./period.ts";
import { activityQuery } from "./queries.ts";
import { getSeriesName } from "./series-names.ts";

const TITLES: Record<GroupBy, string> = {
  api_key: t`Tokens by key`,
  model: t`Tokens by model`,
  outcome: t`Tokens by result`,
};

/** Returns the charts' grouping in the address. */
export const parseGroupBy = (params: URLSearchParams): GroupBy =>
  GROUP_BY_OPTIONS.find((one) => one === params.get("by")) ?? "api_key";

type Props = { period: Period; keyNames: ReadonlyMap<string, string> };

/** Tokens over a period, grouped by key, model or outcome. */
export function ActivitySection({ period, keyNames }: Props) {
  const [params, setParams] = useSearchParams();
  const groupBy = parseGroupBy(params);
  const report = useQuery(activityQuery(period, groupBy));
  const chart =
    report.data &&
    createActivityChart(aggregateActivity(report.data.items, groupBy, period, countTokens), {
      nameOf: (id) => getSeriesName(id, groupBy, keyNames),
      format: formatCount,
      formatTick: formatCompact,
      more: [t`Requests`, t`Failed`],
    });
  const setGroupBy = (by: string) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        next.set("by", by);
        return next;
      },
      { replace: true },
    );
  return (
    <ChartSection
      title={TITLES[groupBy]}
      chart={chart}
      error={report.error}
      retry={() => void report.refetch()}
      file="tokens"
      exportLabel={t`Export tokens as CSV`}
      emptyText={t`No tokens were read or written in this period. They are counted here as soon as a model has answered.`}
      tools={
        <Select
          look="button"
          aria-label={t`Told apart by`}
          value={groupBy}
          options={GROUP_BY_OPTIONS.map((one) => ({ value: one, label: TITLES[one] }))}
          onChange={setGroupBy}
        />
      }
    />
  );
}
