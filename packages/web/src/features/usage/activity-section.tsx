import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router-dom";
import { count } from "#/lib/format.ts";
import { activityChart, activityOf, SPLITS, type Split, tokensOf } from "./activity.ts";
import { ChartSection } from "./chart-section.tsx";
import { activityQuery } from "./queries.ts";
import { seriesName } from "./series-names.ts";

const TITLES: Record<Split, string> = {
  api_key: t`Tokens by key`,
  model: t`Tokens by model`,
  outcome: t`Tokens by result`,
};

/** Returns the charts' grouping in the address. */
export const splitIn = (params: URLSearchParams): Split => SPLITS.find((one) => one === params.get("by")) ?? "api_key";

type Props = { days: number; keyNames: ReadonlyMap<string, string> };

/** Tokens over a period, grouped by key, model or outcome. */
export function ActivitySection({ days, keyNames }: Props) {
  const [params, setParams] = useSearchParams();
  const split = splitIn(params);
  const report = useQuery(activityQuery(days, split));
  const chart =
    report.data &&
    activityChart(activityOf(report.data.items, split, { days, now: report.data.end_date }, tokensOf), {
      nameOf: (id) => seriesName(id, split, keyNames),
      format: count,
      more: [t`Requests`, t`Failed`],
    });
  const choose = (by: string) =>
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
      title={TITLES[split]}
      chart={chart}
      error={report.error}
      again={() => void report.refetch()}
      file="tokens"
      exportLabel={t`Export tokens as CSV`}
      nothing={t`No tokens were read or written in this period.`}
      tools={
        <select
          className="input"
          style={{ width: "auto" }}
          aria-label={t`Told apart by`}
          value={split}
          onChange={(event) => choose(event.target.value)}
        >
          {SPLITS.map((one) => (
            <option key={one} value={one}>
              {TITLES[one]}
            </option>
          ))}
        </select>
      }
    />
  );
}
