import { type Insertable, type Selectable, sql } from "kysely";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { StoreFiles, VllmModels } from "../../../platform/core/db/schema.generated.ts";
import type { ModelFiles } from "../../runtimes/index.ts";

/**
 * A model whose files are complete, in either kind of files. It is public if `organization_id` is null. `sha256` is the same
 * for models that share their files, and otherwise differs.
 */
export type StoredModelRow = Selectable<StoreFiles> & { files: ModelFiles };

/** A model whose download has just ended. Whether it is pinned and when it was called is kept from its former row. */
export type NewStoredModel =
  | { files: "gguf"; columns: Insertable<StoreFiles> }
  | { files: "safetensors"; columns: Insertable<VllmModels> };

/** The folder with the safetensors files of a repository at a commit, and the organization that they belong to. */
export type RepositoryFolder = Pick<StoredModelRow, "repository" | "revision" | "organization_id">;

/** A model in one kind of files. */
type ModelName = Pick<StoredModelRow, "model_id" | "organization_id" | "files">;

/** The table of each kind of files. Why there are two: docs/decisions/0066-two-tables-of-stored-models.md. */
const TABLES = { gguf: "store_files", safetensors: "vllm_models" } as const;
/** Columns that only models in GGUF files have. */
const NO_GGUF_COLUMNS = {
  architecture: null,
  has_chat_template: null,
  bytes_per_sequence: null,
  vocabulary_bytes: null,
  is_converted: false,
  is_reranker: false,
  projector_file: null,
  projector_sha256: null,
  projector_bytes: 0,
};
const UNIQUE_COLUMNS = sql`lower(model_id), coalesce(organization_id, '')`;

/** Returns all stored models. Of a model in both kinds of files, the one that is hosted comes last. */
export async function listModels(db: Database): Promise<StoredModelRow[]> {
  const ggufRows = await db.selectFrom("store_files").selectAll().execute();
  const safetensorsRows = await db.selectFrom("vllm_models").selectAll().orderBy("model_id").execute();
  return [...ggufRows.map(fromGguf), ...safetensorsRows.map(fromSafetensors)];
}

/**
 * Returns a model by its id, whose case does not matter, in both kinds of files if it is stored in both; the one that is
 * hosted comes last. An `organizationId` of null means the public model.
 */
export async function listModelsById(
  db: Database,
  id: string,
  organizationId: string | null,
): Promise<StoredModelRow[]> {
  const isModel = sql<boolean>`lower(model_id) = ${id.toLowerCase()} and organization_id is not distinct from ${organizationId}`;
  const ggufRows = await db.selectFrom("store_files").selectAll().where(isModel).execute();
  const safetensorsRows = await db.selectFrom("vllm_models").selectAll().where(isModel).execute();
  return [...ggufRows.map(fromGguf), ...safetensorsRows.map(fromSafetensors)];
}

/** Returns the stored model that is hosted under an id; undefined if there is none. Null means the public model. */
export async function findModel(
  db: Database,
  id: string,
  organizationId: string | null,
): Promise<StoredModelRow | undefined> {
  return (await listModelsById(db, id, organizationId)).at(-1);
}

/** Stores a model, in place of an earlier download of it in the same kind of files, and returns it. */
export async function saveModel({ files, columns }: NewStoredModel, trx: Database): Promise<StoredModelRow> {
  const { model_id: _id, organization_id: _organization, ...changed } = columns;
  if (files === "gguf")
    return fromGguf(
      await trx
        .insertInto("store_files")
        .values(columns)
        .onConflict((conflict) => conflict.expression(UNIQUE_COLUMNS).doUpdateSet(changed))
        .returningAll()
        .executeTakeFirstOrThrow(),
    );
  return fromSafetensors(
    await trx
      .insertInto("vllm_models")
      .values(columns)
      .onConflict((conflict) => conflict.expression(UNIQUE_COLUMNS).doUpdateSet(changed))
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

/** Pins or unpins a model. Returns false if it is no longer stored. */
export async function pinModel(
  { model_id, organization_id, files }: ModelName,
  pinned: boolean,
  trx: Database,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable(TABLES[files])
    .set({ pinned })
    .where("model_id", "=", model_id)
    .where("organization_id", "is not distinct from", organization_id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Deletes the row of a model. */
export async function deleteModel({ model_id, organization_id, files }: ModelName, trx: Database): Promise<void> {
  await trx
    .deleteFrom(TABLES[files])
    .where("model_id", "=", model_id)
    .where("organization_id", "is not distinct from", organization_id)
    .execute();
}

/** Deletes the row of a model in the other kind of files, if there is one. */
export function deleteOtherFiles({ files, ...model }: ModelName, trx: Database): Promise<void> {
  return deleteModel({ ...model, files: files === "gguf" ? "safetensors" : "gguf" }, trx);
}

/** Stores when a model was last called. */
export async function recordUse(
  db: Database,
  { model_id, organization_id, files }: ModelName,
  usedAt: Date,
): Promise<void> {
  await db
    .updateTable(TABLES[files])
    .set({ last_used_at: usedAt })
    .where("model_id", "=", model_id)
    .where("organization_id", "is not distinct from", organization_id)
    .execute();
}

/** Returns whether a model uses the GGUF file with this checksum, as its weights or its projector. */
export async function isFileUsed(db: Database, sha256: string): Promise<boolean> {
  const row = await db
    .selectFrom("store_files")
    .select("sha256")
    .where((eb) => eb.or([eb("sha256", "=", sha256), eb("projector_sha256", "=", sha256)]))
    .executeTakeFirst();
  return row !== undefined;
}

/** A file in the folder of the model files: its checksum, its path in its repository, and its size in bytes. */
export type StoredFile = { sha256: string; file: string; size: number };

/** Returns the GGUF files of a model: its weights, and its projector if it has one. None for a model in safetensors files. */
export function listStoredFiles(model: StoredModelRow): StoredFile[] {
  const { sha256, file, size } = model;
  const projector = projectorOf(model);
  return model.files === "gguf" ? [{ sha256, file, size }, ...(projector ? [projector] : [])] : [];
}

/** Returns the projector file of a model; null if it has none. */
export function projectorOf({ projector_file, projector_sha256, projector_bytes }: StoredModelRow): StoredFile | null {
  if (projector_file === null || projector_sha256 === null) return null;
  return { sha256: projector_sha256, file: projector_file, size: projector_bytes };
}

/**
 * Returns the folders of safetensors files that may not be deleted: those of models, of downloads that have not ended or that a process still
 * works on, and of downloads that ended after `since`, which may be started again. A private download counts for the last
 * only while its model exists.
 */
export function listNeededFolders(
  db: Database,
  { now, since }: { now: Date; since: Date },
): Promise<RepositoryFolder[]> {
  return db
    .selectFrom("vllm_models")
    .select(["repository", "revision", "organization_id"])
    .union(
      db
        .selectFrom("store_pulls")
        .select(["repository", "revision", "organization_id"])
        .where("file", "like", "%.safetensors")
        .where("state", "<>", "done")
        .where((eb) =>
          eb.or([
            eb("state", "not in", ["canceled", "failed"]),
            eb("lease_until", ">=", now),
            eb.and([
              eb("updated_at", ">", since),
              eb.or([
                eb("organization_id", "is", null),
                eb.exists(
                  eb
                    .selectFrom("private_models")
                    .select(sql`1`.as("one"))
                    .whereRef("private_models.pull_id", "=", "store_pulls.id"),
                ),
              ]),
            ]),
          ]),
        ),
    )
    .execute();
}

/** Returns those of the given model ids, in lower case, that a deployment runs. */
export async function listDeployedModels(db: Database, modelIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (modelIds.length === 0) return new Set();
  const idLower = sql<string>`lower(model_id)`;
  const rows = await db
    .selectFrom("deployments")
    .select(idLower.as("id_lower"))
    .distinct()
    .where(
      idLower,
      "in",
      modelIds.map((id) => id.toLowerCase()),
    )
    .execute();
  return new Set(rows.map(({ id_lower }) => id_lower));
}

/** Returns the catalogue's spelling of a public model's id; null if the catalogue does not have it. */
export async function findModelId(db: Database, id: string): Promise<string | null> {
  const row = await db
    .selectFrom("models")
    .select("id")
    .where("id_lower", "=", id.toLowerCase())
    .where("organization_id", "is", null)
    .executeTakeFirst();
  return row?.id ?? null;
}

function fromGguf(row: Selectable<StoreFiles>): StoredModelRow {
  return { ...row, files: "gguf" };
}

function fromSafetensors(row: Selectable<VllmModels>): StoredModelRow {
  const sha256 = [row.organization_id ?? "", row.repository, row.revision].join("/");
  return { ...row, ...NO_GGUF_COLUMNS, sha256, files: "safetensors" };
}
