import { type Selectable, sql } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { ModelProbeRuns, ModelProbes } from "../../platform/core/db/schema.generated.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../platform/core/time.ts";

/** A stored result. */
export type ProbeRow = Selectable<ModelProbes>;
/** The last time that a model was asked at a backend. */
export type ProbeRunRow = Selectable<ModelProbeRuns>;
/** A model at a backend. */
export type ProbedPlace = { modelKey: string; backend: string };

/** The time after which a model is asked again. Less than a day, since the job that asks runs every hour. */
const INTERVAL_MS = 23 * HOUR_MS;
/** A run that has not ended after this time in milliseconds belongs to a process that has. */
export const MAX_RUN_MS = 20 * MINUTE_MS;
/** A run that is due later than this was stored by a clock that was ahead. */
const MAX_DUE_MS = 2 * DAY_MS;
/** Results of backends that are gone. */
const KEPT_MS = 30 * DAY_MS;

/** Stores the results of probes, and which model is asked at which backend at the moment. */
export function createProbesRepository(db: Database) {
  return bind(db, {
    listResults,
    listRuns,
    listNotDue,
    listRequested,
    request: requestRuns,
    claim: claimRun,
    save: saveResult,
    end: endRun,
    deleteOfBackend,
    deleteOld,
  });
}

export type ProbesRepository = ReturnType<typeof createProbesRepository>;

function listResults(db: Database, modelKey: string): Promise<ProbeRow[]> {
  return db
    .selectFrom("model_probes")
    .selectAll()
    .where("model_id", "=", modelKey)
    .orderBy("backend")
    .orderBy("ability")
    .execute();
}

function listRuns(db: Database, modelKey: string): Promise<ProbeRunRow[]> {
  return db.selectFrom("model_probe_runs").selectAll().where("model_id", "=", modelKey).execute();
}

/** Returns which of these models at a backend are not due. A time that is far ahead counts as an error of a clock. */
async function listNotDue(db: Database, backend: string, keys: readonly string[], now: Date): Promise<Set<string>> {
  const rows = await db
    .selectFrom("model_probe_runs")
    .select("model_id")
    .where("backend", "=", backend)
    .where(sql<boolean>`model_id = any(${[...keys]}::text[])`)
    .where("due_at", ">", now)
    .where("due_at", "<=", new Date(now.getTime() + MAX_DUE_MS))
    .execute();
  return new Set(rows.map(({ model_id }) => model_id));
}

/** Returns what administrators have asked for, the earliest first. */
async function listRequested(db: Database): Promise<ProbedPlace[]> {
  const rows = await db
    .selectFrom("model_probe_runs")
    .select(["model_id", "backend"])
    .where("requested_at", "is not", null)
    .orderBy("requested_at")
    .limit(100)
    .execute();
  return rows.map(({ model_id, backend }) => ({ modelKey: model_id, backend }));
}

/** Notes that a model is to be asked at these backends now. Those where it is being asked are left as they are. */
async function requestRuns(db: Database, modelKey: string, backends: readonly string[], now: Date): Promise<void> {
  for (const backend of backends)
    await sql`
      insert into model_probe_runs (model_id, backend, requested_at, due_at)
      select id, ${backend}, ${now}, ${now} from models where id = ${modelKey}
      on conflict (model_id, backend) do update set requested_at = ${now}, due_at = ${now}
      where not ${isRunning(now)}`.execute(db);
}

/** Returns the condition of a run that has begun and not ended; it has ended too if its process must have. */
function isRunning(now: Date) {
  const earliest = new Date(now.getTime() - MAX_RUN_MS);
  return sql<boolean>`(model_probe_runs.started_at is not null and model_probe_runs.finished_at is null
    and model_probe_runs.started_at between ${earliest} and ${now})`;
}

/**
 * Takes a model at a backend for this process. Returns false if it is not due, being asked, or has been removed. Of several
 * processes, only one gets it.
 */
async function claimRun(db: Database, { modelKey, backend }: ProbedPlace, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into model_probe_runs (model_id, backend, started_at, due_at)
    select id, ${backend}, ${now}, ${new Date(now.getTime() + INTERVAL_MS)} from models where id = ${modelKey}
    on conflict (model_id, backend) do update set
      started_at = excluded.started_at, due_at = excluded.due_at, finished_at = null, note = null, requested_at = null
    where not ${isRunning(now)} and (model_probe_runs.requested_at is not null
      or model_probe_runs.due_at <= ${now} or model_probe_runs.due_at > ${new Date(now.getTime() + MAX_DUE_MS)})
    returning model_id`.execute(db);
  return rows.length > 0;
}

/** Stores a result in place of the one before. Does nothing if the model has been removed. */
async function saveResult(db: Database, row: ProbeRow): Promise<void> {
  await sql`
    insert into model_probes (model_id, backend, ability, result, reason, prompt_tokens, first_token_ms,
      tokens_per_second, duration_ms, cost_nano_usd, checked_at)
    select id, ${row.backend}, ${row.ability}, ${row.result}, ${row.reason}, ${row.prompt_tokens}::integer,
      ${row.first_token_ms}::integer, ${row.tokens_per_second}::float8, ${row.duration_ms}::integer,
      ${row.cost_nano_usd}::numeric, ${row.checked_at}
    from models where id = ${row.model_id}
    on conflict (model_id, backend, ability) do update set
      result = excluded.result, reason = excluded.reason, prompt_tokens = excluded.prompt_tokens,
      first_token_ms = excluded.first_token_ms, tokens_per_second = excluded.tokens_per_second,
      duration_ms = excluded.duration_ms, cost_nano_usd = excluded.cost_nano_usd,
      checked_at = excluded.checked_at`.execute(db);
}

/** The end of a run: why it ended early, or null, and when it is due again; null for the next day. */
export type RunEnd = { note: string | null; dueAt: Date | null };

async function endRun(
  db: Database,
  { modelKey, backend }: ProbedPlace,
  { note, dueAt }: RunEnd,
  now: Date,
): Promise<void> {
  await db
    .updateTable("model_probe_runs")
    .set({ finished_at: now, note, ...(dueAt !== null && { due_at: dueAt }) })
    .where("model_id", "=", modelKey)
    .where("backend", "=", backend)
    .execute();
}

/** Deletes what was stored of a backend that was removed, or now has another address. */
async function deleteOfBackend(db: Database, backend: string): Promise<void> {
  await db.deleteFrom("model_probes").where("backend", "=", backend).execute();
  await db.deleteFrom("model_probe_runs").where("backend", "=", backend).execute();
}

/** Deletes results that were not renewed for 30 days, because the backend no longer runs the model. */
async function deleteOld(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  await db.deleteFrom("model_probes").where("checked_at", "<", before).execute();
  await db.deleteFrom("model_probe_runs").where("due_at", "<", before).where("requested_at", "is", null).execute();
}
