import { type Insertable, sql } from "kysely";
import type { Logger } from "pino";
import type { Database } from "../db/connect.ts";
import type { Requests } from "../db/schema.generated.ts";

export type UsageRow = Insertable<Requests>;

const DELAY = 20; // ms: rows of the same moment share one insert
const BATCH = 500;
const RETRY = 1_000;

/** How rows are stored: all of them and what goes with them, or nothing. */
export type UsageStore = {
  write(rows: readonly UsageRow[], db: Database): Promise<void>;
  /** Told of a row that the database will never take. */
  abandon(row: UsageRow): void;
};

/** Writes usage rows, many at a time, soon after their requests ended. Rows that could not be written are kept and tried again. */
export function createUsageWriter(db: Database, log: Pick<Logger, "error">, store: UsageStore = rowsAlone) {
  let pending: UsageRow[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  /** One row that the database will never take must not hold up the others: it goes to the log instead. */
  async function writeSingly(rows: UsageRow[]): Promise<void> {
    for (const row of rows)
      try {
        await store.write([row], db);
      } catch (error) {
        if (isRefusal(error)) {
          log.error({ err: error, row }, "a usage row was refused by the database");
          store.abandon(row);
        } else pending.push(row);
      }
    if (pending.length > 0) schedule(RETRY);
  }

  async function write(): Promise<void> {
    const rows = pending.splice(0, BATCH);
    if (rows.length === 0) return;
    try {
      await store.write(rows, db);
    } catch (error) {
      if (isRefusal(error)) return writeSingly(rows);
      log.error({ err: error, rows: rows.length }, "usage rows could not be written and are kept");
      pending = rows.concat(pending);
      schedule(RETRY);
      return;
    }
    if (pending.length > 0) await write();
  }

  function schedule(delay: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      writing = writing.then(write);
    }, delay);
  }

  return {
    add(row: UsageRow): void {
      pending.push(row);
      schedule(DELAY);
    },
    /** Resolves when everything added so far is written, or could not be. */
    async flush(): Promise<void> {
      clearTimeout(timer);
      timer = undefined;
      writing = writing.then(write);
      await writing;
    },
  };
}

const rowsAlone: UsageStore = { write: async (rows, db) => void (await insertUsageRows(rows, db)), abandon: () => {} };

/** What a row holds in the fields that it does not name. */
const UNNAMED = {
  user_id: null,
  api_key_id: null,
  backend: null,
  error_code: null,
  first_byte_ms: null,
  queued_ms: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_tokens: 0,
  images: 0,
  estimated: false,
  billing_mode: "subscription",
  cost_status: "not_applicable",
  cost_nano_usd: "0",
  price_id: null,
  prompt_price: null,
  completion_price: null,
  image_price: null,
  request_price: null,
} satisfies Partial<UsageRow>;

/** Answers the ids of those that were not there yet. */
export async function insertUsageRows(rows: readonly UsageRow[], db: Database): Promise<Set<string>> {
  // One parameter for all rows: a placeholder for each of their fields costs as much as the call that they are about.
  const { rows: written } = await sql<{ id: string }>`
    insert into requests
    select * from json_populate_recordset(null::requests, ${JSON.stringify(rows.map((row) => ({ ...UNNAMED, ...row })))}::json)
    on conflict (id) do nothing
    returning id`.execute(db);
  return new Set(written.map(({ id }) => id));
}

/** Whether the database says that the data itself is wrong (classes 22 and 23), so that trying again is of no use. */
function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^2[23]/.test(code);
}

export type UsageWriter = ReturnType<typeof createUsageWriter>;
