import { type Insertable, sql } from "kysely";
import type { Logger } from "pino";
import type { Database } from "../core/db/connect.ts";
import type { Requests } from "../core/db/schema.generated.ts";

/** A row of `requests` before it is inserted. */
export type UsageRow = Insertable<Requests>;

const FLUSH_DELAY_MS = 20; // rows that arrive within it share one insert
const BATCH_SIZE = 500;
const RETRY_DELAY_MS = 1_000;

/** How usage rows are stored. */
export type UsageStore = {
  /** Stores all rows and what depends on them in one transaction. */
  write(rows: readonly UsageRow[], db: Database): Promise<void>;
  /** Called for a row that the database rejects for good. */
  discard(row: UsageRow): void;
};

/**
 * Writes usage rows in batches shortly after their requests end. Rows that could not be written are kept and retried.
 */
export function createUsageWriter(db: Database, log: Pick<Logger, "error">, store: UsageStore = defaultStore) {
  let pending: UsageRow[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  /**
   * Inserts rows one by one, so that a row which the database rejects does not block the others; that row is logged.
   */
  async function writeOneByOne(rows: UsageRow[]): Promise<void> {
    for (const row of rows)
      try {
        await store.write([row], db);
      } catch (error) {
        if (isDataError(error)) {
          log.error({ err: error, row }, "a usage row was refused by the database");
          store.discard(row);
        } else pending.push(row);
      }
    if (pending.length > 0) schedule(RETRY_DELAY_MS);
  }

  async function write(): Promise<void> {
    const rows = pending.splice(0, BATCH_SIZE);
    if (rows.length === 0) return;
    try {
      await store.write(rows, db);
    } catch (error) {
      if (isDataError(error)) return writeOneByOne(rows);
      log.error({ err: error, rows: rows.length }, "usage rows could not be written and are kept");
      pending = rows.concat(pending);
      schedule(RETRY_DELAY_MS);
      return;
    }
    if (pending.length > 0) await write();
  }

  function schedule(delayMs: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      writing = writing.then(write);
    }, delayMs);
  }

  return {
    add(row: UsageRow): void {
      pending.push(row);
      schedule(FLUSH_DELAY_MS);
    },
    /** Resolves when all rows added so far were written, or have failed. */
    async flush(): Promise<void> {
      clearTimeout(timer);
      timer = undefined;
      writing = writing.then(write);
      await writing;
    },
  };
}

const defaultStore: UsageStore = {
  write: async (rows, db) => void (await insertUsageRows(rows, db)),
  discard: () => {},
};

/** Values for the columns that a row leaves out. */
const ROW_DEFAULTS = {
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

/** Inserts the rows and returns the ids of those that did not exist yet. */
export async function insertUsageRows(rows: readonly UsageRow[], db: Database): Promise<Set<string>> {
  // One parameter for all rows: binding each column separately takes as long as the model call itself.
  const { rows: written } = await sql<{ id: string }>`
    insert into requests
    select * from json_populate_recordset(null::requests, ${JSON.stringify(rows.map((row) => ({ ...ROW_DEFAULTS, ...row })))}::json)
    on conflict (id) do nothing
    returning id`.execute(db);
  return new Set(written.map(({ id }) => id));
}

/** Whether the database rejected the data itself (SQLSTATE classes 22 and 23), so that a retry cannot succeed. */
function isDataError(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^2[23]/.test(code);
}

export type UsageWriter = ReturnType<typeof createUsageWriter>;
