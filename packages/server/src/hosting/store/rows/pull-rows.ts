import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { StorePulls } from "../../../platform/core/db/schema.generated.ts";
import type { HubFile } from "../../hub/index.ts";
import { parseHubFilesColumn, toHubFilesColumn } from "../files/hub-files-column.ts";
import { PullFailedError } from "../store.errors.ts";

/** A download of a model file. */
export type PullRow = Selectable<StorePulls>;

/** A download, and the catalogue's spelling of its model id; null if the catalogue does not have the model. */
export type OpenPullRow = PullRow & { catalogue_id: string | null };

/**
 * The kinds of downloads: a GGUF file, all files of a repository with safetensors files, a model that Ollama downloads, or
 * a repository that is converted to a GGUF file.
 */
export type PullKind = "gguf" | "safetensors" | "ollama" | "conversion";

/** The prefix of `repository` in downloads that Ollama does. */
export const OLLAMA_PREFIX = "ollama:";

/** The result of a request for a download: a new one was stored, a paused one was queued again, or an active one exists. */
export type PullOutcome = "started" | "resumed" | "joined";

type NewPull = Insertable<StorePulls> & { organization_id: string | null };

/** States of a download that a process is working on. */
const RUNNING_STATES = ["downloading", "verifying", "converting"];

const ACTIVE_STATES = ["queued", ...RUNNING_STATES];

/** States of a download that has not ended. */
const OPEN_STATES = [...ACTIVE_STATES, "paused"];

const MAX_PULLS_LISTED = 100;

const MAX_OPEN_PULLS = 1_000;

/** The kind of the download that is being claimed. */
const kindOf = sql<PullKind>`case when due.is_conversion then 'conversion' when due.repository like ${`${OLLAMA_PREFIX}%`} then 'ollama'
  when due.file like '%.safetensors' then 'safetensors' else 'gguf' end`;

/** Returns the projector that is downloaded with a model; null without one. Throws if the database column is damaged. */
export function projectorOfPull({ file, projector }: PullRow): HubFile | null {
  if (projector === null) return null;
  const [found] = parseHubFilesColumn(projector) ?? [];
  if (found === undefined) throw new PullFailedError(`The projector of ${file} is damaged. Download it anew.`);
  return found;
}

/** Returns the size of the weights of a download, in bytes. */
export const weightBytesOf = (row: PullRow): number => row.bytes_total - (projectorOfPull(row)?.size ?? 0);

/**
 * Returns the files of the repository with the weights of a download, in their order. Throws if the database column is
 * damaged.
 */
export function partsOf(row: PullRow): HubFile[] {
  const { file, sha256, parts } = row;
  if (parts === null) return [{ path: file, size: weightBytesOf(row), sha256 }];
  const files = parseHubFilesColumn(parts);
  if (files === null) throw new PullFailedError(`The list of the parts of ${file} is damaged. Download it anew.`);
  return files;
}

/** Returns the database column for the files of a download; null for a file that is not split. */
export function toPartsColumn(parts: readonly HubFile[]): string | null {
  return parts.length === 1 ? null : toHubFilesColumn(parts);
}

/** Returns the latest downloads, at most 100. */
export function listPulls(db: Database) {
  return db.selectFrom("store_pulls").selectAll().orderBy("created_at", "desc").limit(MAX_PULLS_LISTED).execute();
}

/** Returns unfinished downloads and those with one of the ids, oldest first, at most 1,000. */
export function listOpenPulls(db: Database, ids: readonly string[]): Promise<OpenPullRow[]> {
  return db
    .selectFrom("store_pulls")
    .leftJoin("models", (join) =>
      join.on("models.id_lower", "=", sql`lower(store_pulls.model_id)`).on("models.organization_id", "is", null),
    )
    .selectAll("store_pulls")
    .select("models.id as catalogue_id")
    .where((eb) => eb.or([eb("state", "in", OPEN_STATES), eb("store_pulls.id", "in", ["", ...ids])]))
    .orderBy("store_pulls.created_at")
    .limit(MAX_OPEN_PULLS)
    .execute();
}

/** Returns a download; undefined if there is none. */
export function findPull(db: Database, id: string) {
  return db.selectFrom("store_pulls").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Inserts a download, or returns the unfinished one of the same file. If that one is paused, it is queued again. */
export async function startPull(
  pull: NewPull,
  now: Date,
  trx: Database,
): Promise<{ row: PullRow; outcome: PullOutcome }> {
  const { row, isNew } = await insertPull(pull, trx);
  if (isNew) return { row, outcome: "started" };
  const resumed = await resumePull(row.id, now, trx);
  return resumed ? { row: resumed, outcome: "resumed" } : { row, outcome: "joined" };
}

async function insertPull(pull: NewPull, trx: Database): Promise<{ row: PullRow; isNew: boolean }> {
  for (;;) {
    const row = await trx
      .insertInto("store_pulls")
      .values(pull)
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (row) return { row, isNew: true };
    const running = await trx
      .selectFrom("store_pulls")
      .selectAll()
      .where("model_id", "=", pull.model_id)
      .where("repository", "=", pull.repository)
      .where("file", "=", pull.file)
      .where("revision", "=", pull.revision)
      .where("organization_id", "is not distinct from", pull.organization_id)
      .where("state", "in", OPEN_STATES)
      .executeTakeFirst();
    if (running) return { row: running, isNew: false };
  }
}

/** Claims the next download of a kind that has no valid lease. Equal files are downloaded one at a time. */
export function claimPull(db: Database, kind: PullKind, now: Date, leaseUntil: Date): Promise<PullRow | undefined> {
  return db
    .updateTable("store_pulls")
    .set({ state: "downloading", conversion_progress: null, lease_until: leaseUntil, updated_at: now })
    .where("id", "=", (eb) =>
      eb
        .selectFrom("store_pulls as due")
        .select("due.id")
        .where("due.state", "in", ACTIVE_STATES)
        .where(kindOf, "=", kind)
        .where((or) => or.or([or("due.lease_until", "is", null), or("due.lease_until", "<", now)]))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("store_pulls as other")
                .select(sql`1`.as("one"))
                .whereRef("other.sha256", "=", "due.sha256")
                .whereRef("other.id", "<>", "due.id")
                .where("other.lease_until", ">=", now),
            ),
          ),
        )
        .orderBy("due.created_at")
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Updates a download that a process is working on. Returns false if it was canceled or paused meanwhile. */
export async function updateRunningPull(
  db: Database,
  id: string,
  change: Updateable<StorePulls>,
  trx: Database = db,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("store_pulls")
    .set(change)
    .where("id", "=", id)
    .where("state", "in", RUNNING_STATES)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Ends the lease of a download that was canceled or paused while a process was working on it. Until then, no other process
 * writes to its files.
 */
export async function releasePull(db: Database, id: string, bytesDone: number): Promise<void> {
  await db
    .updateTable("store_pulls")
    .set({ lease_until: null, bytes_done: bytesDone, conversion_progress: null })
    .where("id", "=", id)
    .where("state", "not in", RUNNING_STATES)
    .execute();
}

/** Keeps the lease of a process that is working on the download, until that process has stopped. */
const KEPT_LEASE = sql<Date | null>`case when state in ('downloading', 'verifying', 'converting') then lease_until end`;

/** Cancels a download that has not ended. Returns false if there is none. */
export async function cancelPull(id: string, now: Date, trx: Database): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("store_pulls")
    .set({ state: "canceled", sealed_token: null, lease_until: KEPT_LEASE, updated_at: now })
    .where("id", "=", id)
    .where("state", "in", OPEN_STATES)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Pauses an active download and returns it; undefined if it is not active. */
export function pausePull(id: string, now: Date, trx: Database): Promise<PullRow | undefined> {
  return trx
    .updateTable("store_pulls")
    .set({ state: "paused", error: null, lease_until: KEPT_LEASE, updated_at: now })
    .where("id", "=", id)
    .where("state", "in", ACTIVE_STATES)
    .returningAll()
    .executeTakeFirst();
}

/** Queues a paused download again and returns it; undefined if it is not paused. */
export function resumePull(id: string, now: Date, trx: Database): Promise<PullRow | undefined> {
  return trx
    .updateTable("store_pulls")
    .set({ state: "queued", attempts: 0, updated_at: now })
    .where("id", "=", id)
    .where("state", "=", "paused")
    .returningAll()
    .executeTakeFirst();
}

/** Returns the paused downloads. */
export function listPausedPulls(db: Database): Promise<PullRow[]> {
  return db.selectFrom("store_pulls").selectAll().where("state", "=", "paused").execute();
}

/** Returns the ids of conversions that have not ended or that a process is still working on. */
export async function listUnfinishedConversions(db: Database, now: Date): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("store_pulls")
    .select("id")
    .where("is_conversion", "=", true)
    .where((eb) => eb.or([eb("state", "in", OPEN_STATES), eb("lease_until", ">=", now)]))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Cancels an organization's unfinished downloads of a model. Returns their ids. */
export function cancelPullsOfModel(modelId: string, organizationId: string, now: Date, trx: Database) {
  return trx
    .updateTable("store_pulls")
    .set({ state: "canceled", sealed_token: null, lease_until: KEPT_LEASE, updated_at: now })
    .where("model_id", "=", modelId)
    .where("organization_id", "=", organizationId)
    .where("state", "in", OPEN_STATES)
    .returning("id")
    .execute();
}

/** Returns the sum of the sizes of files that are being downloaded or converted, in bytes, without one download. */
export async function sumRunningBytes(db: Database, exceptId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom("store_pulls")
    .select(sql<number>`coalesce(sum(coalesce(stored_bytes, bytes_total)), 0)::float8`.as("bytes"))
    .where("state", "in", RUNNING_STATES)
    .where("id", "<>", exceptId)
    .executeTakeFirstOrThrow();
  return bytes;
}

/** Returns the latest download of a public file; undefined if there is none. */
export function findPublicPull(db: Database, modelId: string, file: string) {
  return db
    .selectFrom("store_pulls")
    .select(["model_id", "repository"])
    .where(sql<boolean>`lower(model_id) = ${modelId.toLowerCase()}`)
    .where("file", "=", file)
    .where("organization_id", "is", null)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Returns the latest download of a public model; undefined if there is none. */
export function findLatestPublicPull(db: Database, modelId: string): Promise<PullRow | undefined> {
  return db
    .selectFrom("store_pulls")
    .selectAll()
    .where(sql<boolean>`lower(model_id) = ${modelId.toLowerCase()}`)
    .where("organization_id", "is", null)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Returns the number of unfinished downloads that calls and requests of an organization have started. */
export async function countAutomaticPulls(db: Database, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom("store_pulls")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("automatic_for", "=", organizationId)
    .where("state", "in", OPEN_STATES)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Returns what `countAutomaticPulls` returns, and locks the organization, so that concurrent transactions count one after
 * the other.
 */
export async function countAutomaticLocked(organizationId: string, trx: Database): Promise<number> {
  await trx.selectFrom("organizations").select("id").where("id", "=", organizationId).forNoKeyUpdate().execute();
  return countAutomaticPulls(trx, organizationId);
}

/** Stores that a call or request of the organization started the download. */
export async function markAutomatic(id: string, organizationId: string, trx: Database): Promise<void> {
  await trx.updateTable("store_pulls").set({ automatic_for: organizationId }).where("id", "=", id).execute();
}
