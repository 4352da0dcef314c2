import { setTimeout as sleep } from "node:timers/promises";
import { type Insertable, sql } from "kysely";
import type { Logger } from "pino";
import type { Database } from "../../platform/core/db/connect.ts";
import { isPartitionViolation } from "../../platform/core/db/errors.ts";
import type { Requests } from "../../platform/core/db/schema.generated.ts";
import { errors } from "../../platform/core/errors/index.ts";

/** A row of `requests` before it is inserted. */
export type UsageRow = Insertable<Requests>;

/** Stores usage rows. */
export type UsageStore = {
  /** Stores all rows and what depends on them in one transaction. */
  write(rows: readonly UsageRow[], db: Database): Promise<void>;
  /** Called for a row that the database rejects permanently. */
  discard(row: UsageRow): void;
};

/** Writes usage rows in batches shortly after their requests end. */
export type UsageWriter = {
  /** Adds a row, which is written within about 50 ms. */
  add(row: UsageRow): void;
  /**
   * Throws `storage_unavailable` (503) if no more calls may start, because the database does not accept usage rows: the
   * waiting rows plus one for each running call have reached the limit.
   */
  refuseWhenFull(runningCalls: number): void;
  /** Returns the number of rows that are not written yet. */
  waiting(): number;
  /** Resolves when all rows that were added so far have been written or have failed. */
  flush(): Promise<void>;
  /** Writes all rows. While the database does not accept them, retries until `forced` aborts. */
  close(forced: AbortSignal): Promise<void>;
};

type Log = Pick<Logger, "error">;
type Limits = { maxWaitingRows: number };
/** The rows that are not written yet, in their order, and the state of writing. */
type Queue = {
  db: Database;
  log: Log;
  store: UsageStore;
  rows: UsageRow[];
  timer: NodeJS.Timeout | undefined;
  /** Resolves when the current write and the one that follows it have ended. */
  lastWrite: Promise<void>;
  /** Whether another write follows the current one. */
  isNextWriteDue: boolean;
};

/** Rows that arrive within this time share one insert. Each insert costs the database as much as 10 to 20 rows. */
const FLUSH_DELAY_MS = 50;
const BATCH_SIZE = 500;
const RETRY_DELAY_MS = 1_000;
/** A row takes at most about 1 kB, since all its values have a maximum length. */
const LIMITS: Limits = { maxWaitingRows: 20_000 };

/** Creates a writer. Rows that could not be written are kept and retried, except those that the database rejects. */
export function createUsageWriter(
  db: Database,
  log: Log,
  store: UsageStore = defaultStore,
  { maxWaitingRows }: Limits = LIMITS,
): UsageWriter {
  const queue: Queue = {
    db,
    log,
    store,
    rows: [],
    timer: undefined,
    lastWrite: Promise.resolve(),
    isNextWriteDue: false,
  };
  return {
    add(row) {
      queue.rows.push(row);
      writeAfter(queue, FLUSH_DELAY_MS);
    },
    refuseWhenFull(runningCalls) {
      if (queue.rows.length + runningCalls >= maxWaitingRows) throw errors.storageUnavailable();
    },
    waiting: () => queue.rows.length,
    flush: () => flush(queue),
    close: (forced) => close(queue, forced),
  };
}

/** Schedules a write after a delay, unless one is scheduled. */
function writeAfter(queue: Queue, delayMs: number): void {
  queue.timer ??= setTimeout(() => {
    queue.timer = undefined;
    if (queue.isNextWriteDue) return;
    queue.isNextWriteDue = true;
    queue.lastWrite = queue.lastWrite.then(() => {
      queue.isNextWriteDue = false;
      return writeRows(queue, BATCH_SIZE);
    });
  }, delayMs);
}

/**
 * Writes batches while at least `minRows` rows are waiting. Fewer rows wait for more to arrive: otherwise a fast database
 * would get smaller batches.
 */
async function writeRows(queue: Queue, minRows: number): Promise<void> {
  const { rows } = queue;
  do {
    const batch = rows.slice(0, BATCH_SIZE);
    const done = await writeBatch(queue, batch);
    rows.splice(0, done);
    if (done < batch.length) {
      clearTimeout(queue.timer);
      queue.timer = undefined;
      return writeAfter(queue, RETRY_DELAY_MS);
    }
  } while (rows.length >= minRows);
  if (rows.length > 0) writeAfter(queue, FLUSH_DELAY_MS);
}

/**
 * Writes the rows in one transaction. Returns the number of rows, from the first, that are written or discarded; fewer than
 * all if the database is unavailable.
 */
async function writeBatch(queue: Queue, rows: readonly UsageRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  try {
    await queue.store.write(rows, queue.db);
    return rows.length;
  } catch (error) {
    if (isDataError(error)) return writeOneByOne(queue, rows);
    queue.log.error({ err: error, rows: queue.rows.length }, "usage rows could not be written and are kept");
    return 0;
  }
}

/**
 * Writes each row separately, so that a row that the database rejects does not block the others. That row is logged.
 * Returns the number of rows, from the first, that are written or discarded.
 */
async function writeOneByOne({ db, log, store }: Queue, rows: readonly UsageRow[]): Promise<number> {
  for (const [index, row] of rows.entries())
    try {
      await store.write([row], db);
    } catch (error) {
      if (!isDataError(error)) return index;
      log.error({ err: error, row }, "a usage row was refused by the database");
      store.discard(row);
    }
  return rows.length;
}

async function flush(queue: Queue): Promise<void> {
  clearTimeout(queue.timer);
  queue.timer = undefined;
  queue.lastWrite = queue.lastWrite.then(() => writeRows(queue, 1));
  await queue.lastWrite;
}

async function close(queue: Queue, forced: AbortSignal): Promise<void> {
  await flush(queue);
  while (queue.rows.length > 0 && !forced.aborted) {
    await sleep(RETRY_DELAY_MS, undefined, { signal: forced }).catch(() => {});
    await flush(queue);
  }
  const rows = queue.rows.length;
  if (rows > 0) queue.log.error({ rows }, "the server stops without these usage rows, which the database did not take");
}

const defaultStore: UsageStore = {
  write: async (rows, db) => void (await insertUsageRows(rows, db)),
  discard: () => {},
};

/** Values for the columns that a row omits. */
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
  own_key: false,
  billing_mode: "subscription",
  cost_status: "not_applicable",
  cost_nano_usd: "0",
  price_id: null,
  prompt_price: null,
  completion_price: null,
  image_price: null,
  audio_second_price: null,
  character_price: null,
  request_price: null,
} satisfies Partial<UsageRow>;

/** Inserts the rows and returns the ids of those that did not exist yet. */
export async function insertUsageRows(rows: readonly UsageRow[], db: Database): Promise<Set<string>> {
  // One parameter for all rows: binding each column separately takes as long as the model call itself.
  const { rows: written } = await sql<{ id: string }>`
    insert into requests
    select * from json_populate_recordset(null::requests, ${JSON.stringify(rows.map((row) => ({ ...ROW_DEFAULTS, ...row })))}::json)
    on conflict (id, started_at) do nothing
    returning id`.execute(db);
  return new Set(written.map(({ id }) => id));
}

/** Returns whether the database rejected the data itself (SQLSTATE classes 22 and 23), so that a retry cannot succeed. */
function isDataError(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code !== "string" || isPartitionViolation(error)) return false;
  return /^2[23]/.test(code);
}
