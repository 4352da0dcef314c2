import { sql } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { MINUTE_MS } from "../../platform/core/time.ts";

const FLUSH_DELAY_MS = 1_000;

/** The rejected calls of an organization in one minute. */
type Refusals = { organizationId: string; minute: Date; refused: number };

/**
 * Counts calls that were rejected for lack of units. Counts are written once per second, because there may be many. Each
 * process adds its own counts.
 */
export function createRefusalCounter(db: Database, clock: Clock, log: Pick<Logger, "error">) {
  const pending = new Map<string, Refusals>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    const rows = [...pending.values()];
    pending.clear();
    if (rows.length === 0) return;
    await insertRefusals(db, rows).catch((error: unknown) =>
      log.error({ err: error }, "refused calls could not be counted"),
    );
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  }

  return {
    add(organizationId: string): void {
      const minute = new Date(Math.floor(clock.now().getTime() / MINUTE_MS) * MINUTE_MS);
      const key = `${organizationId} ${minute.getTime()}`;
      const row = pending.get(key) ?? { organizationId, minute, refused: 0 };
      pending.set(key, { ...row, refused: row.refused + 1 });
      timer ??= setTimeout(() => void flush(), FLUSH_DELAY_MS);
    },
    flush,
  };
}

/** Adds counts. Those of organizations that were deleted meanwhile are left out; the others must not fail because of them. */
async function insertRefusals(db: Database, refusals: readonly Refusals[]): Promise<void> {
  const rows = refusals.map(({ organizationId, ...counted }) => ({ organization_id: organizationId, ...counted }));
  await sql`
    insert into unit_refusals (organization_id, minute, refused)
    select organizations.id, counted.minute, counted.refused
    from json_to_recordset(${JSON.stringify(rows)}::json) as counted (organization_id text, minute timestamptz, refused integer)
    join organizations on organizations.id = counted.organization_id
    order by organizations.id, counted.minute
    for key share of organizations
    on conflict (organization_id, minute) do update set refused = unit_refusals.refused + excluded.refused`.execute(db);
}

export type RefusalCounter = ReturnType<typeof createRefusalCounter>;
