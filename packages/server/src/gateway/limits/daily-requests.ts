import { sql } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { lockBriefly } from "../../platform/core/db/brief-lock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { LOCKS } from "../../platform/core/db/locks.ts";
import { DAY_MS } from "../../platform/core/time.ts";

/** How many requests a process borrows, and whether the usage rows of the day must be counted before. */
export type TakeRequest = {
  organizationId: string;
  limit: number;
  isFirst: boolean;
  chooseCount(free: number): number;
};

/** The number of borrowed requests, the UTC day of the lender's clock that they belong to, and the time until it ends. */
export type DailyTake = { taken: number; day: string; dayEndsInMs: number };

/** The lender of requests: it counts those that organizations have made or borrowed per UTC day. */
export type DailyRequests = {
  /** Lends about as many requests as `chooseCount` returns for the number that the limit leaves free. */
  take(request: TakeRequest): Promise<DailyTake>;
  /** Takes borrowed requests back that were not used. */
  giveBack(organizationId: string, day: string, count: number): Promise<void>;
  /** Returns the number of requests of today, and the time until the day ends. */
  read(organizationId: string): Promise<{ counted: number; dayEndsInMs: number }>;
};

/** Creates the lender of several replicas: a table, by the clock of the database. */
export function createDailyRequests(db: Database): DailyRequests {
  return bind(db, { take, giveBack, read });
}

/** Creates the lender of a process without other replicas: it counts the usage rows once a day, and lends all that is free. */
export function createOwnDailyRequests(db: Database, clock: Clock): DailyRequests {
  const counts = new Map<string, { day: string; counted: number }>();

  async function readToday(organizationId: string) {
    const now = clock.now();
    const day = now.toISOString().slice(0, "2026-01-01".length);
    if (counts.get(organizationId)?.day !== day) {
      const counted = await countUsageRows(db, organizationId, day);
      // A concurrent call may have counted meanwhile.
      if (counts.get(organizationId)?.day !== day) counts.set(organizationId, { day, counted });
    }
    const count = counts.get(organizationId) ?? { day, counted: 0 };
    return { count, dayEndsInMs: DAY_MS - (now.getTime() % DAY_MS) };
  }

  return {
    async take({ organizationId, limit }) {
      const { count, dayEndsInMs } = await readToday(organizationId);
      const taken = Math.max(0, limit - count.counted);
      count.counted += taken;
      return { taken, day: count.day, dayEndsInMs };
    },
    async giveBack(organizationId, day, returned) {
      const count = counts.get(organizationId);
      if (count?.day === day) count.counted -= returned;
    },
    async read(organizationId) {
      const { count, dayEndsInMs } = await readToday(organizationId);
      return { counted: count.counted, dayEndsInMs };
    },
  };
}

async function take(db: Database, { organizationId, limit, isFirst, chooseCount }: TakeRequest): Promise<DailyTake> {
  return db.transaction().execute(async (trx) => {
    await lockBriefly(trx, LOCKS.dailyRequests, organizationId);
    const { day, dayEndsInMs } = await readDay(trx);
    await trx
      .deleteFrom("daily_requests")
      .where("organization_id", "=", organizationId)
      .where("day", "<", day)
      .execute();
    const row = await readRow(trx, organizationId, day);
    // The usage rows are counted at first, because a server that worked on the database alone has written rows, but no
    // count in this table.
    const made = row === null || isFirst ? await countUsageRows(trx, organizationId, day) : 0;
    const counted = Math.max(row ?? 0, made);
    const free = Math.max(0, limit - counted);
    const taken = Math.min(free, chooseCount(free));
    await writeRow(trx, { organization_id: organizationId, day, counted: counted + taken });
    return { taken, day, dayEndsInMs };
  });
}

async function giveBack(db: Database, organizationId: string, day: string, count: number): Promise<void> {
  await db
    .updateTable("daily_requests")
    .set((eb) => ({ counted: eb("counted", "-", count) }))
    .where("organization_id", "=", organizationId)
    .where("day", "=", day)
    .execute();
}

async function read(db: Database, organizationId: string): Promise<{ counted: number; dayEndsInMs: number }> {
  const { day, dayEndsInMs } = await readDay(db);
  const row = await readRow(db, organizationId, day);
  return { counted: row ?? (await countUsageRows(db, organizationId, day)), dayEndsInMs };
}

async function readDay(db: Database): Promise<{ day: string; dayEndsInMs: number }> {
  const { rows } = await sql<{ day: string; dayEndsInMs: number }>`
    select today::text as day, extract(epoch from (today + 1) - utc)::float8 * 1000 as "dayEndsInMs"
    from (select utc, utc::date as today from (select clock_timestamp() at time zone 'utc' as utc) as time) as dates
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("The database returned no day.");
  return row;
}

async function readRow(db: Database, organizationId: string, day: string): Promise<number | null> {
  const row = await db
    .selectFrom("daily_requests")
    .select("counted")
    .where("organization_id", "=", organizationId)
    .where("day", "=", day)
    .executeTakeFirst();
  return row?.counted ?? null;
}

async function countUsageRows(db: Database, organizationId: string, day: string): Promise<number> {
  const { count } = await db
    .selectFrom("requests")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("started_at", ">=", sql<Date>`${day}::timestamp at time zone 'utc'`)
    .executeTakeFirstOrThrow();
  return count;
}

async function writeRow(trx: Database, row: { organization_id: string; day: string; counted: number }): Promise<void> {
  await trx
    .insertInto("daily_requests")
    .values(row)
    .onConflict((conflict) => conflict.columns(["organization_id", "day"]).doUpdateSet({ counted: row.counted }))
    .execute();
}
