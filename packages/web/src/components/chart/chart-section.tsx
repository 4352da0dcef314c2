import { type ReactNode, useId } from "react";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { downloadText } from "#/lib/browser/download-text.ts";
import { type ChartData, toChartCsv } from "./chart-data.ts";
import { ChartFigure } from "./chart-figure.tsx";

type Props = {
  title: string;
  /** Undefined while it is loading. */
  chart: ChartData | undefined;
  error: Error | null;
  retry(): void;
  /** The name of the exported file, without its extension. */
  file: string;
  exportLabel: string;
  /** What would be here and how to get it, shown in place of an empty chart. */
  emptyText: ReactNode;
  /** Controls of the chart. */
  tools?: ReactNode;
};

/** A section with a chart, its table and its export. */
export function ChartSection({ title, chart, error, retry, file, exportLabel, emptyText, tools }: Props) {
  const id = useId();
  return (
    <section className="mt-8" aria-labelledby={id}>
      <div className="row between wrapping">
        <h2 className="h4" id={id}>
          {title}
        </h2>
        <div className="row wrapping">
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
        <ChartFigure label={title} chart={chart} emptyText={emptyText} />
      ) : (
        <Skeleton height={270} />
      )}
    </section>
  );
}
