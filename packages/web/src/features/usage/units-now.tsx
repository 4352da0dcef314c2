import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Barbs } from "#/components/ui/bits.tsx";
import { liveQuery, type Receipt } from "./queries.ts";
import { UnitsLanes } from "./units-lanes.tsx";

const SPAN = 10 * 60_000;
const USUAL_UNITS = 4;
const MOST_LANES = 8;

/** The units in use now and over the last ten minutes. */
export function UnitsNow({ receipts }: { receipts: readonly Receipt[] }) {
  const { data: live } = useQuery(liveQuery);
  const to = Date.now();
  const ended = receipts.map(({ id, started_at, queued_ms, duration_ms, units }) => ({
    id,
    start: started_at.getTime() + queued_ms,
    end: started_at.getTime() + duration_ms,
    units,
  }));
  const running = (live?.requests ?? []).map(({ id, started_at, cost }) => ({
    id,
    start: Number(started_at),
    end: to,
    units: cost,
  }));
  const held = [...ended, ...running].filter(({ end }) => end > to - SPAN);
  return (
    <>
      <div className="row between mt-8">
        <h2 className="h4">{t`Units in use`}</h2>
        {live ? (
          <span className="row small mid num">
            <Barbs on={live.used_cost} of={live.limit ?? USUAL_UNITS} />
            <Trans>
              {live.used_cost} of {live.limit ?? t`unlimited`} now
            </Trans>
          </span>
        ) : null}
      </div>
      <section className="mt-4" aria-label={t`Units over time`}>
        <UnitsLanes requests={held} limit={Math.min(live?.limit ?? USUAL_UNITS, MOST_LANES)} from={to - SPAN} to={to} />
      </section>
    </>
  );
}
