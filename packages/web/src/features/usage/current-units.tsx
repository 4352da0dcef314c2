import type { Receipt } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { concurrencyQuery } from "#/entities/session/concurrency.ts";
import { UnitsLanes } from "./units-lanes.tsx";

const WINDOW_MS = 10 * 60_000;
const DEFAULT_UNITS = 4;
const MAX_LANES = 8;

/** The units in use now and over the last ten minutes. */
export function CurrentUnits({ receipts }: { receipts: readonly Receipt[] }) {
  const { data: live } = useQuery(concurrencyQuery);
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
  const requests = [...ended, ...running].filter(({ end }) => end > to - WINDOW_MS);
  return (
    <>
      <div className="row between mt-8">
        <h2 className="h4">{t`Units in use`}</h2>
        {live ? (
          <span className="row small muted num">
            <Barbs active={live.used_cost} total={live.limit ?? DEFAULT_UNITS} />
            <Trans>
              {live.used_cost} of {live.limit ?? t`unlimited`} now
            </Trans>
          </span>
        ) : null}
      </div>
      <section className="mt-4" aria-label={t`Units over time`}>
        <UnitsLanes
          requests={requests}
          limit={Math.min(live?.limit ?? DEFAULT_UNITS, MAX_LANES)}
          from={to - WINDOW_MS}
          to={to}
        />
      </section>
    </>
  );
}
