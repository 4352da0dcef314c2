import { t } from "@lingui/core/macro";
import { type PointerEvent, useState } from "react";
import { roundUpAxis, toPolylines } from "./metrics.ts";

const WIDTH = 680;
const HEIGHT = 84;
const LABEL_HEIGHT = 18;

type Series = { name: string; values: readonly (number | null)[]; dashed?: boolean };

type Props = {
  title: string;
  series: readonly Series[];
  /** Labels of the points, shown on hover. */
  times: readonly string[];
  from: string;
  /** Formats a value with its unit, such as `236 ms`. */
  formatValue(value: number): string;
};

/** A line chart of values over time, starting at zero. The table has the same data. */
export function LineChart({ title, series, times, from, formatValue }: Props) {
  const [hoveredIndex, setHoveredIndex] = useState<number | null>(null);
  const top = roundUpAxis(series.flatMap(({ values }) => values));
  function onPointerMove(event: PointerEvent<SVGSVGElement>): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const ratio = width === 0 ? 0 : (event.clientX - left) / width;
    setHoveredIndex(Math.min(times.length - 1, Math.max(0, Math.round(ratio * (times.length - 1)))));
  }
  const describePoint = (index: number) =>
    `${times[index]} · ${series
      .map(({ name, values }) => `${name} ${values[index] == null ? "–" : formatValue(values[index])}`)
      .join(", ")}`;
  return (
    <figure className="chart">
      <figcaption className="row between small">
        <span className="name">{title}</span>
        <span className="num dim">
          {hoveredIndex === null ? t`up to ${formatValue(top)}` : describePoint(hoveredIndex)}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT + LABEL_HEIGHT}`}
        role="img"
        aria-label={t`${title}, ${from} until now. The table has the figures.`}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setHoveredIndex(null)}
      >
        {[0, 0.5, 1].map((ratio) => (
          <line key={ratio} x1="0" x2={WIDTH} y1={HEIGHT * ratio} y2={HEIGHT * ratio} stroke="var(--line)" />
        ))}
        {series.map((one, index) => (
          <Line key={one.name} series={one} top={top} isPrimary={index === 0} />
        ))}
        {hoveredIndex === null ? null : (
          <line
            x1={(hoveredIndex / Math.max(1, times.length - 1)) * WIDTH}
            x2={(hoveredIndex / Math.max(1, times.length - 1)) * WIDTH}
            y1="0"
            y2={HEIGHT}
            stroke="var(--ink-3)"
          />
        )}
        <text x="0" y={HEIGHT + 14}>
          {from}
        </text>
        <text x={WIDTH} y={HEIGHT + 14} textAnchor="end">
          {t`now`}
        </text>
      </svg>
    </figure>
  );
}

function Line({ series, top, isPrimary }: { series: Series; top: number; isPrimary: boolean }) {
  const lines = toPolylines(series.values, { width: WIDTH, height: HEIGHT, top });
  const color = isPrimary ? "var(--accent)" : "var(--bad)";
  return lines.map((points) => {
    const pointList = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
    const [start] = points;
    const end = points.at(-1);
    if (!start || !end) return null;
    if (points.length === 1) return <circle key={pointList} cx={start.x} cy={start.y} r="2.5" fill={color} />;
    return (
      <g key={pointList}>
        {isPrimary ? (
          <polygon
            points={`${start.x},${HEIGHT} ${pointList} ${end.x},${HEIGHT}`}
            fill={color}
            stroke="none"
            opacity="0.1"
          />
        ) : null}
        <polyline
          points={pointList}
          fill="none"
          stroke={color}
          strokeWidth="1.6"
          {...(series.dashed && { strokeDasharray: "4 3" })}
        />
      </g>
    );
  });
}
