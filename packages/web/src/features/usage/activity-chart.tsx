import { plural, t } from "@lingui/core/macro";
import { count, dateFormat } from "#/lib/format.ts";
import type { Activity, Slice } from "./activity.ts";

const WIDTH = 1000;
const HEIGHT = 150;
/** How much of its column a bar takes. */
const SHARE = 0.72;

type Props = { activity: Activity; nameOf(id: string | null): string; label: string };

/** Bars, one a slice of time, stacked by series. What each says stands in its tip, and in the table below. */
export function ActivityChart({ activity: { series, slices }, nameOf, label }: Props) {
  const sums = slices.map(({ tokens }) => tokens.reduce((sum, value) => sum + value, 0));
  const most = Math.max(1, ...sums);
  const step = WIDTH / Math.max(1, slices.length);
  const tip = ({ tokens, requests, errors, at }: Slice) =>
    [
      timeOf(at),
      plural(requests, { one: "# request", other: "# requests" }),
      ...(errors > 0 ? [plural(errors, { one: "# failed", other: "# failed" })] : []),
      ...series.flatMap(({ id }, index) => (tokens[index] ? [`${nameOf(id)}: ${count(tokens[index])}`] : [])),
    ].join("\n");
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
        {[0, 0.5, 1].map((share) => (
          <line
            key={share}
            x1="0"
            x2={WIDTH}
            y1={HEIGHT * share}
            y2={HEIGHT * share}
            stroke="var(--line)"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {slices.map((slice, index) => (
          <g key={slice.at}>
            <title>{tip(slice)}</title>
            <rect x={index * step} y={0} width={step} height={HEIGHT} fill="transparent" />
            {stacked(slice.tokens, most).map(({ from, size }, part) =>
              size > 0 ? (
                <rect
                  // biome-ignore lint/suspicious/noArrayIndexKey: a part is its series
                  key={part}
                  className={`series-${part + 1}`}
                  x={index * step + (step * (1 - SHARE)) / 2}
                  width={step * SHARE}
                  y={HEIGHT - from - size}
                  height={size}
                />
              ) : null,
            )}
          </g>
        ))}
      </svg>
      <figcaption className="row between tiny dim num">
        <span>{slices[0] ? timeOf(slices[0].at) : null}</span>
        <span>{t`most at once: ${count(Math.max(0, ...sums))}`}</span>
        <span>{slices.length > 0 ? timeOf(slices.at(-1)?.at ?? "") : null}</span>
      </figcaption>
    </>
  );
}

/** Where each part of a bar begins, from the foot, and how high it is. */
function stacked(tokens: readonly number[], most: number): { from: number; size: number }[] {
  let from = 0;
  return tokens.map((value) => {
    const part = { from, size: (value / most) * (HEIGHT - 2) };
    from += part.size;
    return part;
  });
}

const HOUR = dateFormat({ hour: "2-digit", minute: "2-digit", timeZone: "UTC", timeZoneName: "short" });
const DAY = dateFormat({ day: "numeric", month: "short", timeZone: "UTC" });

/** `21 Nov`, or `14:00 UTC`. */
export function timeOf(at: string): string {
  return (at.length > 10 ? HOUR : DAY).format(new Date(at));
}
