import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type Bar, type Held, layOut } from "./lanes.ts";

const WIDTH = 1040;
const LABEL = 44;
const HEIGHT = 22;

/** Which request held which unit over the last minutes. */
export function UnitsLanes({
  requests,
  limit,
  from,
  to,
}: {
  requests: readonly Held[];
  limit: number;
  from: number;
  to: number;
}) {
  const bars = layOut(requests);
  const lanes = Math.max(limit, 1, ...bars.map((bar) => bar.lane + 1));
  const x = (at: number) => Math.max(0, Math.min(1, (at - from) / (to - from))) * WIDTH;
  const color = (bar: Bar) =>
    requests.find(({ id }) => id === bar.id)?.units === 1 ? "var(--series-2)" : "var(--accent)";
  const height = lanes * HEIGHT;
  return (
    <svg
      viewBox={`0 0 ${WIDTH + LABEL} ${height + 20}`}
      width="100%"
      role="img"
      aria-label={plural(requests.length, {
        one: "Units held by # request over the last ten minutes; the table below has the figures.",
        other: "Units held by # requests over the last ten minutes; the table below has the figures.",
      })}
      className="unit-lanes"
    >
      <g transform={`translate(${LABEL} 0)`}>
        {Array.from({ length: lanes + 1 }, (_, lane) => (
          <line
            // biome-ignore lint/suspicious/noArrayIndexKey: a lane is its number
            key={lane}
            x1="0"
            x2={WIDTH}
            y1={lane * HEIGHT}
            y2={lane * HEIGHT}
            stroke="var(--line)"
          />
        ))}
        {bars.map((bar) => (
          <rect
            key={`${bar.id} ${bar.lane}`}
            x={x(bar.start)}
            y={bar.lane * HEIGHT + 4}
            width={Math.max(3, x(bar.end) - x(bar.start))}
            height={HEIGHT - 8}
            rx="2.5"
            fill={color(bar)}
          />
        ))}
        <text x="0" y={height + 15}>
          {t`10 min ago`}
        </text>
        <text x={WIDTH} y={height + 15} textAnchor="end">
          {t`now`}
        </text>
      </g>
      {Array.from({ length: lanes }, (_, lane) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a lane is its number
        <text key={lane} x="0" y={lane * HEIGHT + 15}>
          <Trans>unit {lane + 1}</Trans>
        </text>
      ))}
    </svg>
  );
}
