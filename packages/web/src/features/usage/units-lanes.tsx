import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { assignLanes, type HeldUnits } from "./lanes.ts";
import styles from "./units-lanes.module.css";

type Props = { requests: readonly HeldUnits[]; limit: number; from: number; to: number };

/** Which request held which unit over the last minutes: a lane for each unit, a bar for each request. */
export function UnitsLanes({ requests, limit, from, to }: Props) {
  const bars = assignLanes(requests);
  const lanes = Array.from({ length: Math.max(limit, 1, ...bars.map((bar) => bar.lane + 1)) }, (_, lane) => lane);
  const toPercent = (time: number) => Math.max(0, Math.min(1, (time - from) / (to - from))) * 100;
  const isSingle = (id: string) => requests.find((request) => request.id === id)?.units === 1;
  return (
    <div
      className={styles.unitLanes}
      role="img"
      aria-label={plural(requests.length, {
        one: "Units held by # request over the last ten minutes; the table below has the figures.",
        other: "Units held by # requests over the last ten minutes; the table below has the figures.",
      })}
    >
      <ol className="num">
        {lanes.map((lane) => (
          <li key={lane}>
            <span className="tiny faint">
              <Trans>unit {lane + 1}</Trans>
            </span>
            <span className={styles.lane}>
              {bars
                .filter((bar) => bar.lane === lane)
                .map((bar) => (
                  <i
                    key={bar.id}
                    className={isSingle(bar.id) ? styles.single : undefined}
                    style={{
                      insetInlineStart: `${toPercent(bar.start)}%`,
                      width: `${toPercent(bar.end) - toPercent(bar.start)}%`,
                    }}
                  />
                ))}
            </span>
          </li>
        ))}
      </ol>
      <p className="row between tiny faint">
        <span>{t`10 min ago`}</span>
        <span>{t`now`}</span>
      </p>
    </div>
  );
}
