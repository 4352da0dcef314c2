import { sql } from "kysely";
import type { Logger } from "pino";
import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";

/** What the clock of the database says. */
export type DatabaseNow = () => Promise<Date>;

const MAX_DIFFERENCE_MS = 5 * 60_000;

export const readDatabaseNow =
  (db: Database): DatabaseNow =>
  async () => {
    const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db);
    return rows[0]?.now ?? new Date(Number.NaN);
  };

type Deps = { clock: Clock; databaseNow: DatabaseNow; log: Pick<Logger, "error"> };

/** Tells whether the clocks of server and database agree to 5 minutes. Where they do not, nobody may be charged. */
export function createClockGuard({ clock, databaseNow, log }: Deps) {
  return async (): Promise<boolean> => {
    const [server, database] = [clock.now(), await databaseNow()];
    const agree = Math.abs(server.getTime() - database.getTime()) <= MAX_DIFFERENCE_MS;
    if (!agree)
      log.error(
        { server_time: server.toISOString(), database_time: database.toISOString() },
        "the clocks of server and database differ by more than 5 minutes: no subscription is renewed until they agree",
      );
    return agree;
  };
}
