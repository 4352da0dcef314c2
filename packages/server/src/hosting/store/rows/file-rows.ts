import { type Insertable, type Selectable, sql } from "kysely";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { StoreFiles } from "../../../platform/core/db/schema.generated.ts";

/** A complete model file. */
export type StoredFile = Selectable<StoreFiles>;

/** Deletes the file of a model. An `organizationId` of null means the public file. */
export function deleteFile(modelId: string, organizationId: string | null, trx: Database) {
  return trx
    .deleteFrom("store_files")
    .where("model_id", "=", modelId)
    .where("organization_id", "is not distinct from", organizationId)
    .execute();
}

/** Pins or unpins the file of a public model and returns it; undefined if there is none. */
export function pinFile(modelId: string, pinned: boolean, trx: Database): Promise<StoredFile | undefined> {
  return trx
    .updateTable("store_files")
    .set({ pinned })
    .where(sql`lower(model_id)`, "=", modelId.toLowerCase())
    .where("organization_id", "is", null)
    .returningAll()
    .executeTakeFirst();
}

/** Returns whether a model uses the file with this checksum. */
export async function isFileUsed(db: Database, sha256: string): Promise<boolean> {
  const row = await db.selectFrom("store_files").select("sha256").where("sha256", "=", sha256).executeTakeFirst();
  return row !== undefined;
}

/** Returns all complete model files. */
export function listFiles(db: Database) {
  return db.selectFrom("store_files").selectAll().execute();
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

/** Stores when a public model with a file was last called. */
export async function recordUse(db: Database, modelId: string, usedAt: Date): Promise<void> {
  await db
    .updateTable("store_files")
    .set({ last_used_at: usedAt })
    .where("model_id", "=", modelId)
    .where("organization_id", "is", null)
    .execute();
}

/** Returns the file of a model, whatever the case of its id; undefined if there is none. Null means the public file. */
export function findFile(
  db: Database,
  modelId: string,
  organizationId: string | null,
): Promise<StoredFile | undefined> {
  return db
    .selectFrom("store_files")
    .selectAll()
    .where(sql`lower(model_id)`, "=", modelId.toLowerCase())
    .where("organization_id", "is not distinct from", organizationId)
    .executeTakeFirst();
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

/** Stores a file, in place of the model's previous one, and returns it. It stays pinned if the previous one was. */
export function saveFile(file: Insertable<StoreFiles>, trx: Database): Promise<StoredFile> {
  return trx
    .insertInto("store_files")
    .values(file)
    .onConflict((conflict) =>
      conflict.expression(sql`lower(model_id), coalesce(organization_id, '')`).doUpdateSet((eb) => ({
        repository: eb.ref("excluded.repository"),
        file: eb.ref("excluded.file"),
        revision: eb.ref("excluded.revision"),
        sha256: eb.ref("excluded.sha256"),
        size: eb.ref("excluded.size"),
        architecture: eb.ref("excluded.architecture"),
        context_length: eb.ref("excluded.context_length"),
        bytes_per_token: eb.ref("excluded.bytes_per_token"),
        bytes_per_sequence: eb.ref("excluded.bytes_per_sequence"),
        vocabulary_bytes: eb.ref("excluded.vocabulary_bytes"),
        has_chat_template: eb.ref("excluded.has_chat_template"),
        parameter_size: eb.ref("excluded.parameter_size"),
        is_converted: eb.ref("excluded.is_converted"),
        created_at: eb.ref("excluded.created_at"),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}
