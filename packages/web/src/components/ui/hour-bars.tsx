import { t } from "@lingui/core/macro";

const WIDTH = 240;
const HEIGHT = 44;
const SHARE = 0.7;

/** One hour of an `HourBars` chart. */
export type Bar = {
  at: Date;
  /** Null if there is no data: no bar is drawn, unlike for zero. */
  value: number | null;
  words: string;
};

/** A bar chart of the last 24 hours with one bar per hour; the tooltip of a bar holds its text. */
export function HourBars({
  bars,
  label,
  tone = "accent",
}: {
  bars: readonly Bar[];
  label: string;
  tone?: "accent" | "bad";
}) {
  const most = Math.max(...bars.map(({ value }) => value ?? 0), Number.MIN_VALUE);
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
        {bars.map(({ at, value, words }, index) => (
          <g key={at.getTime()}>
            <title>{words}</title>
            {/* Makes the whole column hoverable, however low the bar is. */}
            <rect x={index * step} y={0} width={step} height={HEIGHT} fill="transparent" />
            {value === null ? null : (
              <rect
                x={index * step + (step * (1 - SHARE)) / 2}
                width={step * SHARE}
                y={HEIGHT - Math.max(1.5, (value / most) * (HEIGHT - 4))}
                height={Math.max(1.5, (value / most) * (HEIGHT - 4))}
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
