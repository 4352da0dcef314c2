import { type Insertable, type Selectable, sql } from "kysely";
import { bind } from "../../../platform/core/bind.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { VllmModels } from "../../../platform/core/db/schema.generated.ts";

/** A model in safetensors files that was downloaded for vLLM. It is public if `organization_id` is null. */
export type SafetensorsModelRow = Selectable<VllmModels>;
/** The files of a repository at a commit, and the organization that they belong to. */
export type SafetensorsFiles = Pick<SafetensorsModelRow, "repository" | "revision" | "organization_id">;

/** Stores the models that vLLM runs. */
export function createSafetensorsModelsRepository(db: Database) {
  return { ...bind(db, { list, find, recordUse, listNeededFiles }), save, delete: remove };
}

export type SafetensorsModelsRepository = ReturnType<typeof createSafetensorsModelsRepository>;

function list(db: Database): Promise<SafetensorsModelRow[]> {
  return db.selectFrom("vllm_models").selectAll().orderBy("model_id").execute();
}

/**
 * Returns a model by its id, whose case does not matter; undefined if there is none. An `organizationId` of null means the
 * public model.
 */
function find(db: Database, id: string, organizationId: string | null): Promise<SafetensorsModelRow | undefined> {
  return db
    .selectFrom("vllm_models")
    .selectAll()
    .where(sql`lower(model_id)`, "=", id.toLowerCase())
    .where("organization_id", "is not distinct from", organizationId)
    .executeTakeFirst();
}

/** Stores when a public model was last called. */
async function recordUse(db: Database, modelId: string, usedAt: Date): Promise<void> {
  await db
    .updateTable("vllm_models")
    .set({ last_used_at: usedAt })
    .where("model_id", "=", modelId)
    .where("organization_id", "is", null)
    .execute();
}

/** Stores a model, in place of an earlier download of it. */
async function save(model: Insertable<VllmModels>, trx: Database): Promise<void> {
  const { model_id: _id, organization_id: _organization, ...columns } = model;
  await trx
    .insertInto("vllm_models")
    .values(model)
    .onConflict((conflict) =>
      conflict.expression(sql`lower(model_id), coalesce(organization_id, '')`).doUpdateSet(columns),
    )
    .execute();
}

/** Deletes a model. An `organizationId` of null means the public model. */
async function remove(modelId: string, organizationId: string | null, trx: Database): Promise<void> {
  await trx
    .deleteFrom("vllm_models")
    .where("model_id", "=", modelId)
    .where("organization_id", "is not distinct from", organizationId)
    .execute();
}

/**
 * Returns the files that may not be deleted: those of models, of downloads that have not ended or that a process still
 * works on, and of downloads that ended after `since`, which may be started again. A private download counts for the last
 * only while its model exists.
 */
function listNeededFiles(db: Database, { now, since }: { now: Date; since: Date }): Promise<SafetensorsFiles[]> {
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
