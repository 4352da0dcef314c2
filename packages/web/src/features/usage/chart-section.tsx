import { t } from "@lingui/core/macro";
import { type ReactNode, useId } from "react";
import { Skeleton } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { save } from "#/lib/download.ts";
import { BarsChart } from "./bars-chart.tsx";
import { type Chart, chartAsCsv, highest, told } from "./chart.ts";
import { ChartTable } from "./chart-table.tsx";

type Props = {
  title: string;
  /** Undefined while it is loading. */
  chart: Chart | undefined;
  error: Error | null;
  again(): void;
  /** The name of the exported file, without its extension. */
  file: string;
  exportLabel: string;
  /** The text shown in place of an empty chart. */
  nothing: string;
  /** Controls of the chart. */
  tools?: ReactNode;
};

/** A section with a chart, its table and its export. */
export function ChartSection({ title, chart, error, again, file, exportLabel, nothing, tools }: Props) {
  const id = useId();
  return (
    <section className="mt-8" aria-labelledby={id}>
      <div className="row between wraps">
        <h2 className="h4" id={id}>
          {title}
        </h2>
        <div className="row wraps">
          {tools}
          <button
            type="button"
            className="btn"
            disabled={!chart || error !== null}
            onClick={() => chart && save(`${file}.csv`, "text/csv", chartAsCsv(chart))}
          >
            {exportLabel}
          </button>
        </div>
      </div>
      {error ? (
        <ReadFault what={title} error={error} again={again} />
      ) : chart ? (
        <Figure title={title} chart={chart} nothing={nothing} />
      ) : (
        <Skeleton height={230} />
      )}
    </section>
  );
}

function Figure({ title, chart, nothing }: { title: string; chart: Chart; nothing: string }) {
  return (
    <figure className="activity">
      {highest(chart) === 0 ? (
        <p className="mid">{nothing}</p>
      ) : (
        <>
          <Legend chart={chart} />
          <BarsChart chart={chart} label={title} />
        </>
      )}
      {told(chart).length > 0 ? (
        <details className="small mt-2">
          <summary className="mid">
            {t`As a table`}
            <span className="visually-hidden">: {title}</span>
          </summary>
          <ChartTable chart={chart} label={title} />
        </details>
      ) : null}
    </figure>
  );
}

function Legend({ chart: { series } }: { chart: Chart }) {
  return (
    <ul className="legend small">
      {series.map(({ id, name, total }, index) => (
        <li key={id}>
          <i className={`swatch series-${index + 1}`} aria-hidden="true" />
          <span className="stranger">{name}</span>
          {total === undefined ? null : <span className="dim num">{total}</span>}
        </li>
      ))}
    </ul>
  );
}
