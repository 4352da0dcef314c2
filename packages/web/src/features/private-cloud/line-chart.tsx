import { t } from "@lingui/core/macro";
import { type PointerEvent, useState } from "react";
import { pathsOf, roundTop } from "./metrics.ts";

const WIDTH = 680;
const HEIGHT = 84;
const LABELS = 18;

type Series = { name: string; values: readonly (number | null)[]; dashed?: boolean };

type Props = {
  title: string;
  series: readonly Series[];
  /** Labels of the points, shown on hover. */
  times: readonly string[];
  from: string;
  /** Formats a value with its unit, such as `236 ms`. */
  write(value: number): string;
};

/** A line chart of values over time, starting at zero. The table has the same data. */
export function LineChart({ title, series, times, from, write }: Props) {
  const [at, setAt] = useState<number | null>(null);
  const top = roundTop(series.flatMap(({ values }) => values));
  function point(event: PointerEvent<SVGSVGElement>): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = width === 0 ? 0 : (event.clientX - left) / width;
    setAt(Math.min(times.length - 1, Math.max(0, Math.round(share * (times.length - 1)))));
  }
  const readAt = (index: number) =>
    `${times[index]} · ${series
      .map(({ name, values }) => `${name} ${values[index] == null ? "–" : write(values[index])}`)
      .join(", ")}`;
  return (
    <figure className="chart">
      <figcaption className="row between small">
        <span className="name">{title}</span>
        <span className="num dim">{at === null ? t`up to ${write(top)}` : readAt(at)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT + LABELS}`}
        role="img"
        aria-label={t`${title}, ${from} until now. The table has the figures.`}
        onPointerMove={point}
        onPointerLeave={() => setAt(null)}
      >
        {[0, 0.5, 1].map((share) => (
          <line key={share} x1="0" x2={WIDTH} y1={HEIGHT * share} y2={HEIGHT * share} stroke="var(--line)" />
        ))}
        {series.map((one, index) => (
          <Line key={one.name} series={one} top={top} first={index === 0} />
        ))}
        {at === null ? null : (
          <line
            x1={(at / Math.max(1, times.length - 1)) * WIDTH}
            x2={(at / Math.max(1, times.length - 1)) * WIDTH}
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

function Line({ series, top, first }: { series: Series; top: number; first: boolean }) {
  const lines = pathsOf(series.values, { width: WIDTH, height: HEIGHT, top });
  const color = first ? "var(--accent)" : "var(--bad)";
  return lines.map((points) => {
    const drawn = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
    const [start] = points;
    const end = points.at(-1);
    if (!start || !end) return null;
    if (points.length === 1) return <circle key={drawn} cx={start.x} cy={start.y} r="2.5" fill={color} />;
    return (
      <g key={drawn}>
        {first ? (
          <polygon
            points={`${start.x},${HEIGHT} ${drawn} ${end.x},${HEIGHT}`}
            fill={color}
            stroke="none"
            opacity="0.1"
          />
        ) : null}
        <polyline
          points={drawn}
          fill="none"
          stroke={color}
          strokeWidth="1.6"
          {...(series.dashed && { strokeDasharray: "4 3" })}
        />
      </g>
    );
  });
}
