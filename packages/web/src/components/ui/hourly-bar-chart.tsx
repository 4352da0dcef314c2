import { t } from "@lingui/core/macro";

const WIDTH = 240;
const HEIGHT = 44;
const BAR_WIDTH_RATIO = 0.7;

/** One hour of an `HourBars` chart. */
export type HourlyBar = {
  at: Date;
  /** Null if there is no data: no bar is drawn, unlike for zero. */
  value: number | null;
  tooltip: string;
};

/** A bar chart of the last 24 hours with one bar per hour; the tooltip of a bar holds its text. */
export function HourlyBarChart({
  bars,
  label,
  tone = "accent",
}: {
  bars: readonly HourlyBar[];
  label: string;
  tone?: "accent" | "bad";
}) {
  const max = Math.max(...bars.map(({ value }) => value ?? 0), Number.MIN_VALUE);
  const step = WIDTH / Math.max(bars.length, 1);
  return (
    <figure className="hour-bars">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width="100%"
        height={HEIGHT}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {bars.map(({ at, value, tooltip }, index) => (
          <g key={at.getTime()}>
            <title>{tooltip}</title>
            {/* Makes the whole column hoverable, however low the bar is. */}
            <rect x={index * step} y={0} width={step} height={HEIGHT} fill="transparent" />
            {value === null ? null : (
              <rect
                x={index * step + (step * (1 - BAR_WIDTH_RATIO)) / 2}
                width={step * BAR_WIDTH_RATIO}
                y={HEIGHT - Math.max(1.5, (value / max) * (HEIGHT - 4))}
                height={Math.max(1.5, (value / max) * (HEIGHT - 4))}
                fill={value === 0 ? "var(--line-2)" : `var(--${tone})`}
              />
            )}
          </g>
        ))}
      </svg>
      <figcaption className="row between tiny dim">
        <span>{t`24 h ago`}</span>
        <span>{t`now`}</span>
      </figcaption>
    </figure>
  );
}
