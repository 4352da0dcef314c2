import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { FiguresTable } from "#/components/chart/figures-table.tsx";
import { describeTimeZone } from "#/components/chart/slice-time.ts";
import { SmallChart } from "#/components/chart/small-chart.tsx";
import { Select } from "#/components/ui/controls/select.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { downloadText } from "#/lib/browser/download-text.ts";
import { formatCount } from "#/lib/format.ts";
import { metricsQuery } from "../queries.ts";
import {
  createMetricsCharts,
  fillPoints,
  type MetricPoint,
  PERIODS,
  sumTotals,
  toMetricsCsv,
  toSlice,
} from "./metrics.ts";

type Props = {
  deployment: { id: string; name: string };
  hours: number;
  isTable: boolean;
  setParams(change: { hours?: string; view?: string }): void;
};

const formatMilliseconds = (value: number) => t`${formatCount(Math.round(value))} ms`;
const formatPerSecond = (value: number) => `${formatCount(Math.round(value * 10) / 10)}/s`;

/** Requests and speed over time, as charts or as a table, with CSV export. */
export function MetricsView({ deployment, hours, isTable, setParams }: Props) {
  const { data, error, refetch } = useQuery(metricsQuery(deployment.id, hours));
  const points = data ? fillPoints(data) : null;
  const { noCalls } = PERIODS.find((period) => period.hours === hours) ?? PERIODS[1];
  return (
    <section aria-labelledby="metrics">
      <div className="row between wrapping">
        <h2 className="h4" id="metrics">
          {t`Requests and speed`}
        </h2>
        <div className="row wrapping">
          <Select
            look="button"
            aria-label={t`Period`}
            value={String(hours)}
            options={PERIODS.map((period) => ({ value: String(period.hours), label: period.label }))}
            onChange={(value) => setParams({ hours: value })}
          />
          <button type="button" className="btn" onClick={() => setParams({ view: isTable ? "" : "table" })}>
            {isTable ? t`Show charts` : t`Show table`}
          </button>
          <button
            type="button"
            className="btn"
            disabled={points === null}
            onClick={() => downloadText(`${deployment.name}-metrics.csv`, "text/csv", toMetricsCsv(points ?? []))}
          >
            {t`Export CSV`}
          </button>
        </div>
      </div>
      {error ? <LoadError subject={t`The metrics`} error={error} retry={() => void refetch()} /> : null}
      {points === null ? (
        error ? null : (
          <div className="mt-4" aria-busy="true">
            <Skeleton height={404} />
          </div>
        )
      ) : sumTotals(points).requests === 0 ? (
        <p className="muted mt-3">
          {noCalls} {t`Requests, errors and speed are shown here after the first call.`}
        </p>
      ) : isTable ? (
        <MetricsTable points={points} />
      ) : (
        <Charts points={points} />
      )}
    </section>
  );
}

function Charts({ points }: { points: readonly MetricPoint[] }) {
  const { requests, errors, firstTokenMs, tokensPerSecond } = sumTotals(points);
  const [first] = points;
  return (
    <div className="mt-4">
      <p className="small muted num">
        <Trans>
          <Plural value={requests} one="# request" other="# requests" />, {formatCount(errors)} failed
        </Trans>{" "}
        · {t`first token ${firstTokenMs === null ? t`unknown` : formatMilliseconds(firstTokenMs)}`} ·{" "}
        {tokensPerSecond === null
          ? t`speed unknown`
          : t`${formatCount(Math.round(tokensPerSecond * 10) / 10)} tokens a second`}
      </p>
      {createMetricsCharts(points, { formatMilliseconds, formatPerSecond }).map(({ title, chart }) => (
        <figure key={title} className="mt-4">
          <figcaption className="small">{title}</figcaption>
          <SmallChart chart={chart} label={title} emptyText={t`Nothing was measured.`} />
        </figure>
      ))}
      {first ? <p className="tiny faint">{describeTimeZone(toSlice(first))}</p> : null}
    </div>
  );
}

function MetricsTable({ points }: { points: readonly MetricPoint[] }) {
  return (
    <div className="mt-4">
      <FiguresTable
        label={t`Requests and speed over time, without times that nobody called in`}
        columns={[
          { id: "requests", name: t`Requests`, format: formatCount },
          { id: "errors", name: t`Failed`, format: formatCount },
          { id: "p50_ttft_ms", name: t`First token`, format: formatMilliseconds },
          { id: "tokens_per_s", name: t`Tokens/s`, format: formatPerSecond },
        ]}
        rows={points
          .filter(({ requests }) => requests > 0)
          .toReversed()
          .map((point) => ({
            ...toSlice(point),
            values: [point.requests, point.errors, point.firstTokenMs, point.tokensPerSecond],
          }))}
      />
    </div>
  );
}
