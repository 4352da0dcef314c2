import { sql } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { MINUTE_MS } from "../../../platform/core/time.ts";

/** Reads the clock of the database. */
export type DatabaseNow = () => Promise<Date>;

const MAX_DIFFERENCE_MS = 5 * MINUTE_MS;

/** Returns a function that reads the clock of this database. */
export const readDatabaseNow =
  (db: Database): DatabaseNow =>
  async () => {
    const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db);
    return rows[0]?.now ?? new Date(Number.NaN);
  };

type Deps = { clock: Clock; databaseNow: DatabaseNow; log: Pick<Logger, "error"> };

/**
 * Returns a function that checks whether the clocks of server and database differ by at most 5 minutes. While they differ
 * more, nobody may be charged.
 */
export function createClockGuard({ clock, databaseNow, log }: Deps) {
  return async (): Promise<boolean> => {
    const [serverNow, databaseTime] = [clock.now(), await databaseNow()];
    const isInAgreement = Math.abs(serverNow.getTime() - databaseTime.getTime()) <= MAX_DIFFERENCE_MS;
    if (!isInAgreement)
      log.error(
        { server_time: serverNow.toISOString(), database_time: databaseTime.toISOString() },
        "the clocks of server and database differ by more than 5 minutes: no subscription is renewed until they agree",
      );
    return isInAgreement;
  };
}
