import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router-dom";
import { usd } from "#/features/billing/money.ts";
import { activityChart, activityOf, costOf, type Split } from "./activity.ts";
import { splitIn } from "./activity-section.tsx";
import { ChartSection } from "./chart-section.tsx";
import { activityQuery } from "./queries.ts";
import { seriesName } from "./series-names.ts";

const TITLES: Record<Split, string> = {
  api_key: t`Credits spent by key`,
  model: t`Credits spent by model`,
  outcome: t`Credits spent by result`,
};

const DOLLAR = 1_000_000_000;
const CENT = DOLLAR / 100;

type Props = { days: number; keyNames: ReadonlyMap<string, string> };

/** Credits spent over a period, grouped like the tokens. */
export function CreditsSection({ days, keyNames }: Props) {
  const [params] = useSearchParams();
  const split = splitIn(params);
  const report = useQuery(activityQuery(days, split));
  const chart = report.data && {
    ...activityChart(activityOf(report.data.items, split, { days, now: report.data.end_date }, costOf), {
      nameOf: (id) => seriesName(id, split, keyNames),
      format: readable,
      more: [t`Requests`, t`Failed`],
    }),
    unit: t`nano-USD`,
  };
  return (
    <ChartSection
      title={TITLES[split]}
      chart={chart}
      error={report.error}
      again={() => void report.refetch()}
      file="credits"
      exportLabel={t`Export credits as CSV`}
      nothing={t`No request was charged in this period.`}
    />
  );
}

/** Rounds amounts of a dollar or more to cents; smaller ones are exact. The export has every digit. */
const readable = (nano: number): string => usd(String(nano < DOLLAR ? nano : Math.round(nano / CENT) * CENT));
