import { t } from "@lingui/core/macro";
import { type ReactNode, useId } from "react";
import { LoadError } from "#/components/ui/error-notice.tsx";
import { Skeleton } from "#/components/ui/primitives.tsx";
import { downloadText } from "#/lib/download-text.ts";
import { BarChart } from "./bar-chart.tsx";
import { type Chart, getMaxValue, listNonEmptySlices, toChartCsv } from "./chart.ts";
import { ChartTable } from "./chart-table.tsx";

type Props = {
  title: string;
  /** Undefined while it is loading. */
  chart: Chart | undefined;
  error: Error | null;
  retry(): void;
  /** The name of the exported file, without its extension. */
  file: string;
  exportLabel: string;
  /** The text shown in place of an empty chart. */
  emptyText: string;
  /** Controls of the chart. */
  tools?: ReactNode;
};

/** A section with a chart, its table and its export. */
export function ChartSection({ title, chart, error, retry, file, exportLabel, emptyText, tools }: Props) {
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
            onClick={() => chart && downloadText(`${file}.csv`, "text/csv", toChartCsv(chart))}
          >
            {exportLabel}
          </button>
        </div>
      </div>
      {error ? (
        <LoadError subject={title} error={error} retry={retry} />
      ) : chart ? (
        <Figure title={title} chart={chart} emptyText={emptyText} />
      ) : (
        <Skeleton height={230} />
      )}
    </section>
  );
}

function Figure({ title, chart, emptyText }: { title: string; chart: Chart; emptyText: string }) {
  return (
    <figure className="activity">
      {getMaxValue(chart) === 0 ? (
        <p className="mid">{emptyText}</p>
      ) : (
        <>
          <Legend chart={chart} />
          <BarChart chart={chart} label={title} />
        </>
      )}
      {listNonEmptySlices(chart).length > 0 ? (
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
