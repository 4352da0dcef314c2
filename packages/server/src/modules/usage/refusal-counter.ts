import { sql } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import { MINUTE_MS } from "../../core/time.ts";

const FLUSH_DELAY_MS = 1_000;

/** Counts calls that were rejected for lack of units. Counts are written once per second, since there may be many; each process adds its own. */
export function createRefusalCounter(db: Database, clock: Clock, log: Pick<Logger, "error">) {
  const pending = new Map<string, { organizationId: string; minute: Date; refused: number }>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    const rows = [...pending.values()].map(({ organizationId, minute, refused }) => ({
      organization_id: organizationId,
      minute,
      refused,
    }));
    pending.clear();
    if (rows.length === 0) return;
    await db
      .insertInto("unit_refusals")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["organization_id", "minute"]).doUpdateSet({
          refused: sql<number>`unit_refusals.refused + excluded.refused`,
        }),
      )
      .execute()
      .catch((error: unknown) => log.error({ err: error }, "refused calls could not be counted"));
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

export type RefusalCounter = ReturnType<typeof createRefusalCounter>;
