import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Skeleton } from "#/components/ui/bits.tsx";
import { save } from "#/lib/download.ts";
import { count, dateFormat } from "#/lib/format.ts";
import { readFault } from "./faults.ts";
import { LineChart } from "./line-chart.tsx";
import { PERIODS, type Point, pointsAsCsv, pointsOf, totalsOf } from "./metrics.ts";
import { Failed } from "./notices.tsx";
import { metricsQuery } from "./queries.ts";

type Props = {
  deployment: { id: string; name: string };
  hours: number;
  table: boolean;
  set(change: { hours?: string; view?: string }): void;
};

const milliseconds = (value: number) => t`${count(Math.round(value))} ms`;
const perSecond = (value: number) => `${count(Math.round(value * 10) / 10)}/s`;
const stamp = dateFormat({ dateStyle: "short", timeStyle: "short" });
const timeOf = ({ at }: Point) => stamp.format(new Date(at * 1000));

/** Requests and speed over time, as charts or as a table, with CSV export. */
export function MetricsView({ deployment, hours, table, set }: Props) {
  const { data, error, refetch } = useQuery(metricsQuery(deployment.id, hours));
  const points = data ? pointsOf(data) : null;
  const { ago } = PERIODS.find((period) => period.hours === hours) ?? PERIODS[1];
  return (
    <section aria-labelledby="metrics">
      <div className="row between wraps">
        <h2 className="h4" id="metrics">
          {t`Requests and speed`}
        </h2>
        <div className="row wraps">
          <select
            className="btn"
            aria-label={t`Period`}
            value={hours}
            onChange={(event) => set({ hours: event.target.value })}
          >
            {PERIODS.map((period) => (
              <option key={period.hours} value={period.hours}>
                {period.label}
              </option>
            ))}
          </select>
          <button type="button" className="btn" onClick={() => set({ view: table ? "" : "table" })}>
            {table ? t`Show charts` : t`Show table`}
          </button>
          <button
            type="button"
            className="btn"
            disabled={points === null}
            onClick={() => save(`${deployment.name}-metrics.csv`, "text/csv", pointsAsCsv(points ?? []))}
          >
            {t`Export CSV`}
          </button>
        </div>
      </div>
      {error ? <Failed message={readFault(error, t`The metrics`)} retry={() => void refetch()} /> : null}
      {points === null ? (
        error ? null : (
          <div className="mt-4" aria-busy="true">
            <Skeleton height={404} />
          </div>
        )
      ) : totalsOf(points).requests === 0 ? (
        <p className="mid mt-3">
          <Trans>Nobody called it since {ago}. Requests, errors and speed stand here after the first call.</Trans>
        </p>
      ) : table ? (
        <MetricsTable points={points} />
      ) : (
        <Charts points={points} from={ago} />
      )}
    </section>
  );
}

function Charts({ points, from }: { points: readonly Point[]; from: string }) {
  const { requests, errors, firstToken, speed } = totalsOf(points);
  const times = points.map(timeOf);
  const shared = { times, from };
  return (
    <div className="charts mt-4">
      <p className="small mid num">
        <Trans>
          <Plural value={requests} one="# request" other="# requests" />, {count(errors)} failed
        </Trans>{" "}
        · {t`first token ${firstToken === null ? t`unknown` : milliseconds(firstToken)}`} ·{" "}
        {speed === null ? t`speed unknown` : t`${count(Math.round(speed * 10) / 10)} tokens a second`}
      </p>
      <LineChart
        title={errors > 0 ? t`Requests; failed ones dashed` : t`Requests`}
        series={[
          { name: "requests", values: points.map((point) => point.requests) },
          ...(errors > 0 ? [{ name: "failed", values: points.map((point) => point.errors), dashed: true }] : []),
        ]}
        write={count}
        {...shared}
      />
      <LineChart
        title={t`First token, median`}
        series={[{ name: t`first token`, values: points.map((point) => point.firstToken) }]}
        write={milliseconds}
        {...shared}
      />
      <LineChart
        title={t`Tokens per second`}
        series={[{ name: "tokens", values: points.map((point) => point.speed) }]}
        write={perSecond}
        {...shared}
      />
    </div>
  );
}

function MetricsTable({ points }: { points: readonly Point[] }) {
  const called = points.filter(({ requests }) => requests > 0).reverse();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard too
    <section className="metrics-table mt-4" tabIndex={0} aria-label={t`Figures, the newest first`}>
      <table>
        <caption className="visually-hidden">{t`Requests and speed over time, without times that nobody called in`}</caption>
        <thead>
          <tr>
            <th>{t`From`}</th>
            <th className="n">{t`Requests`}</th>
            <th className="n">{t`Failed`}</th>
            <th className="n">{t`First token`}</th>
            <th className="n">{t`Tokens/s`}</th>
          </tr>
        </thead>
        <tbody>
          {called.map((point) => (
            <tr key={point.at}>
              <td className="num mono small">{timeOf(point)}</td>
              <td className="n">{count(point.requests)}</td>
              <td className="n">{count(point.errors)}</td>
              <td className="n">{point.firstToken === null ? "–" : milliseconds(point.firstToken)}</td>
              <td className="n">{point.speed === null ? "–" : perSecond(point.speed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
