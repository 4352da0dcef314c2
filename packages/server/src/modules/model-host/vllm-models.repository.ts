import { type Insertable, type Selectable, sql } from "kysely";
import { bind } from "../../core/bind.ts";
import type { Database } from "../../core/db/connect.ts";
import type { VllmModels } from "../../core/db/schema.generated.ts";

/** A model in safetensors files that was downloaded for vLLM. */
export type VllmModelRow = Selectable<VllmModels>;

/** Stores the models that vLLM runs. */
export function createVllmModelsRepository(db: Database) {
  return { ...bind(db, { list, find, recordUse }), save, delete: remove };
}

export type VllmModelsRepository = ReturnType<typeof createVllmModelsRepository>;

function list(db: Database): Promise<VllmModelRow[]> {
  return db.selectFrom("vllm_models").selectAll().orderBy("model_id").execute();
}

/** Returns a model by its id, in any case; undefined if there is none. */
function find(db: Database, id: string): Promise<VllmModelRow | undefined> {
  return db.selectFrom("vllm_models").selectAll().where(sql`lower(model_id)`, "=", id.toLowerCase()).executeTakeFirst();
}

async function recordUse(db: Database, modelId: string, usedAt: Date): Promise<void> {
  await db.updateTable("vllm_models").set({ last_used_at: usedAt }).where("model_id", "=", modelId).execute();
}

/** Stores a model; it replaces an earlier download of it. */
async function save(model: Insertable<VllmModels>, trx: Database): Promise<void> {
  const { model_id, ...columns } = model;
  await trx
    .insertInto("vllm_models")
    .values(model)
    .onConflict((conflict) => conflict.expression(sql`lower(model_id)`).doUpdateSet(columns))
    .execute();
}

async function remove(modelId: string, trx: Database): Promise<void> {
  await trx.deleteFrom("vllm_models").where("model_id", "=", modelId).execute();
}
