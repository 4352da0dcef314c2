import { t } from "@lingui/core/macro";
import { Barbs } from "#/components/ui/primitives.tsx";

type Request = { model: string; lane: number; units: number; from: number; to: number; isWaiting?: boolean };

const UNITS = 4;
/** Made-up requests that four units could serve within a minute. */
const REQUESTS: readonly Request[] = [
  { model: "8B", lane: 1, units: 1, from: 1, to: 7 },
  { model: "8B", lane: 2, units: 1, from: 3, to: 10 },
  { model: "32B", lane: 3, units: 2, from: 2, to: 11 },
  { model: "671B", lane: 1, units: 4, from: 12, to: 19 },
  { model: "8B", lane: 5, units: 1, from: 14, to: 19, isWaiting: true },
  { model: "8B", lane: 1, units: 1, from: 19, to: 25 },
  { model: "32B", lane: 2, units: 2, from: 20, to: 25 },
];

/** A figure with one lane for each unit and requests as bars, which shows why a request has to wait. */
export function LanesExample() {
  return (
    <figure className="lanes-example">
      <div className="lanes-field" aria-hidden="true">
        {Array.from({ length: UNITS }, (_, lane) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a lane is its number
          <i key={lane} style={{ gridRow: lane + 1 }} />
        ))}
        {REQUESTS.map(({ model, lane, units, from, to, isWaiting }) => (
          <span
            key={`${lane} ${from}`}
            className={isWaiting ? "waits" : units > 1 ? "wide" : undefined}
            style={{ gridRow: `${lane} / span ${units}`, gridColumn: `${from} / ${to}` }}
          >
            {isWaiting ? t`waits` : model}
          </span>
        ))}
      </div>
      <figcaption className="small mid">
        <Barbs active={UNITS} total={UNITS} label="" />{" "}
        {t`An example: four units are four lanes. While a 671B model holds all of them, the next request waits its turn, or is told when to come back.`}
      </figcaption>
    </figure>
  );
}
