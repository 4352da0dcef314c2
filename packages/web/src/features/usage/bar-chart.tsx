import { t } from "@lingui/core/macro";
import { createDateFormat, formatCount } from "#/lib/format.ts";
import { type Chart, type ChartSlice, getMaxValue } from "./chart.ts";

const WIDTH = 1000;
const HEIGHT = 150;
/** Space above the highest bar, so that the limit's line is visible. */
const TOP_MARGIN = 2;
/** The width of a bar as a fraction of its column. */
const BAR_WIDTH_RATIO = 0.72;

/** A bar chart with a bar for each time slice, stacked by series. */
export function BarChart({ chart, label }: { chart: Chart; label: string }) {
  const { slices, limit, format } = chart;
  const max = getMaxValue(chart);
  const scaleMax = Math.max(max, limit?.value ?? 0) || 1;
  const step = WIDTH / Math.max(1, slices.length);
  const toHeight = (value: number) => (value / scaleMax) * (HEIGHT - TOP_MARGIN);
  return (
    <>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width="100%"
        height={HEIGHT}
        preserveAspectRatio="none"
        role="img"
        aria-label={t`${label}; the figures are in the table below.`}
      >
        {[0, HEIGHT / 2, HEIGHT].map((y) => (
          <HorizontalLine key={y} y={y} />
        ))}
        {slices.map((slice, index) => (
          <g key={slice.at}>
            <title>{formatTooltip(slice, chart)}</title>
            <rect x={index * step} y={0} width={step} height={HEIGHT} fill="transparent" />
            {stackSegments(slice.values.map(toHeight)).map(({ from, size }, part) =>
              size > 0 ? (
                <rect
                  // biome-ignore lint/suspicious/noArrayIndexKey: a part is its series
                  key={part}
                  className={`series-${part + 1}`}
                  x={index * step + (step * (1 - BAR_WIDTH_RATIO)) / 2}
                  width={step * BAR_WIDTH_RATIO}
                  y={HEIGHT - from - size}
                  height={size}
                />
              ) : null,
            )}
          </g>
        ))}
        {limit ? <HorizontalLine y={HEIGHT - toHeight(limit.value)} className="limit" /> : null}
      </svg>
      <figcaption className="row between tiny dim num">
        <span>{slices[0] ? formatSliceTime(slices[0].at) : null}</span>
        <span>
          {t`highest: ${format(max)}`}
          {limit ? ` · ${limit.name}: ${format(limit.value)}` : null}
        </span>
        <span>{slices.length > 0 ? formatSliceTime(slices.at(-1)?.at ?? "") : null}</span>
      </figcaption>
    </>
  );
}

function HorizontalLine({ y, className = "rule" }: { y: number; className?: string }) {
  return <line className={className} x1="0" x2={WIDTH} y1={y} y2={y} vectorEffect="non-scaling-stroke" />;
}

/** Returns the tooltip of a slice, without series that are zero. */
function formatTooltip({ at, values, more }: ChartSlice, { series, more: names, format }: Chart): string {
  return [
    formatSliceTime(at),
    ...series.flatMap(({ name }, index) => (values[index] ? [`${name}: ${format(values[index])}`] : [])),
    ...names.flatMap((name, index) => (more[index] ? [`${name}: ${formatCount(more[index])}`] : [])),
  ].join("\n");
}

/** Returns where each segment of a bar begins, from the bottom, and its height. */
function stackSegments(sizes: readonly number[]): { from: number; size: number }[] {
  let from = 0;
  return sizes.map((size) => {
    const part = { from, size };
    from += size;
    return part;
  });
}

const hourFormat = createDateFormat({ hour: "2-digit", minute: "2-digit", timeZone: "UTC", timeZoneName: "short" });
const dayFormat = createDateFormat({ day: "numeric", month: "short", timeZone: "UTC" });

/** Returns a slice's date or time, such as "21 Nov" or "14:00 UTC". */
export function formatSliceTime(at: string): string {
  return (at.length > 10 ? hourFormat : dayFormat).format(new Date(at));
}
