import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router-dom";
import { ChartSection } from "#/components/chart/chart-section.tsx";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { aggregateActivity, createActivityChart, type GroupBy, getCostNanoUsd } from "./activity.ts";
import { parseGroupBy } from "./activity-section.tsx";
import type { Period } from "./period.ts";
import { activityQuery } from "./queries.ts";
import { getSeriesName } from "./series-names.ts";

const TITLES: Record<GroupBy, string> = {
  api_key: t`Credits spent by key`,
  model: t`Credits spent by model`,
  outcome: t`Credits spent by result`,
};

const NANO_USD_PER_DOLLAR = 1_000_000_000;
const NANO_USD_PER_CENT = NANO_USD_PER_DOLLAR / 100;

type Props = { period: Period; keyNames: ReadonlyMap<string, string> };

/** Credits spent over a period, grouped like the tokens. */
export function CreditsSection({ period, keyNames }: Props) {
  const [params] = useSearchParams();
  const groupBy = parseGroupBy(params);
  const report = useQuery(activityQuery(period, groupBy));
  const chart = report.data && {
    ...createActivityChart(aggregateActivity(report.data.items, groupBy, period, getCostNanoUsd), {
      nameOf: (id) => getSeriesName(id, groupBy, keyNames),
      format: formatRounded,
      more: [t`Requests`, t`Failed`],
    }),
    unit: t`nano-USD`,
  };
  return (
    <ChartSection
      title={TITLES[groupBy]}
      chart={chart}
      error={report.error}
      retry={() => void report.refetch()}
      file="credits"
      exportLabel={t`Export credits as CSV`}
      emptyText={t`No request was charged in this period. A request that costs credits stands here as soon as it has ended.`}
    />
  );
}

/** Rounds amounts of a dollar or more to cents; smaller ones are exact. The export has every digit. */
const formatRounded = (nano: number): string =>
  formatNanoUsd(String(nano < NANO_USD_PER_DOLLAR ? nano : Math.round(nano / NANO_USD_PER_CENT) * NANO_USD_PER_CENT));
