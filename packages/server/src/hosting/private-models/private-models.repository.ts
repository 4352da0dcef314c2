import type { Insertable, Selectable } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Models, ModelUnlocks, PrivateModels, StorePulls } from "../../platform/core/db/schema.generated.ts";
import { privateModelKey } from "../../platform/core/models/model-keys.ts";
import type { SupportedBase } from "../hub/index.ts";

type PullColumns = Pick<Selectable<StorePulls>, "bytes_done" | "bytes_total" | "conversion_progress">;
/** A private model with its class and its last download. */
export type PrivateModelRow = Selectable<PrivateModels> & {
  model_class_id: string;
  pull_state: string | null;
  pull_error: string | null;
  pull_updated_at: Date | null;
} & { [name in keyof PullColumns]: PullColumns[name] | null };

/** Stores private models and their entries in the catalogue. */
export function createPrivateModelsRepository(db: Database) {
  return {
    ...bind(db, {
      list: listPrivateModels,
      find: findPrivateModel,
      findPublicModel,
      findBases,
    }),
    lock: lockPrivateModel,
    countOthersLocked,
    insertModel,
    insertUnlock,
    save: savePrivateModel,
    touch: touchPrivateModel,
    delete: deletePrivateModel,
  };
}

export type PrivateModelsRepository = ReturnType<typeof createPrivateModelsRepository>;

function selectPrivateModels(db: Database, organizationId: string) {
  return db
    .selectFrom("private_models")
    .innerJoin("models", "models.id", "private_models.model_id")
    .leftJoin("store_pulls", "store_pulls.id", "private_models.pull_id")
    .selectAll("private_models")
    .select([
      "models.model_class_id",
      "store_pulls.state as pull_state",
      "store_pulls.error as pull_error",
      "store_pulls.updated_at as pull_updated_at",
      "bytes_done",
      "bytes_total",
      "conversion_progress",
    ])
    .where("private_models.organization_id", "=", organizationId);
}

function listPrivateModels(db: Database, organizationId: string): Promise<PrivateModelRow[]> {
  return selectPrivateModels(db, organizationId)
    .orderBy("private_models.created_at", "desc")
    .orderBy("private_models.model_id")
    .execute();
}

function findPrivateModel(db: Database, organizationId: string, id: string): Promise<PrivateModelRow | undefined> {
  return selectPrivateModels(db, organizationId)
    .where("models.id_lower", "=", privateModelKey(organizationId, id).toLowerCase())
    .executeTakeFirst();
}

/** Returns the row and locks it until the transaction ends. */
function lockPrivateModel(organizationId: string, key: string, trx: Database) {
  return trx
    .selectFrom("private_models")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("model_id", "=", key)
    .forUpdate()
    .executeTakeFirst();
}

/** Counts an organization's other private models and locks the organization, so that concurrent additions wait. */
async function countOthersLocked(organizationId: string, exceptKey: string, trx: Database): Promise<number> {
  await trx.selectFrom("organizations").select("id").where("id", "=", organizationId).forNoKeyUpdate().execute();
  const { count } = await trx
    .selectFrom("private_models")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("model_id", "<>", exceptKey)
    .executeTakeFirstOrThrow();
  return count;
}

/** Adds the model to the catalogue, visible to its organization only, unless it exists. */
function insertModel(model: Insertable<Models> & { organization_id: string }, trx: Database) {
  return trx
    .insertInto("models")
    .values(model)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Records that the organization may use a gated model. */
function insertUnlock(row: Insertable<ModelUnlocks>, trx: Database) {
  return trx
    .insertInto("model_unlocks")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns the restrictions of the public model with this id, if there is one. */
function findPublicModel(db: Database, id: string) {
  return db
    .selectFrom("models")
    .select(["plan_ids", "disabled_at"])
    .where("id_lower", "=", id.toLowerCase())
    .where("organization_id", "is", null)
    .executeTakeFirst();
}

function savePrivateModel(row: Insertable<PrivateModels>, trx: Database) {
  return trx
    .insertInto("private_models")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("model_id").doUpdateSet((eb) => ({
        name: eb.ref("excluded.name"),
        revision: eb.ref("excluded.revision"),
        pull_id: eb.ref("excluded.pull_id"),
        updated_at: eb.ref("excluded.updated_at"),
      })),
    )
    .execute();
}

function touchPrivateModel(key: string, now: Date, trx: Database) {
  return trx.updateTable("private_models").set({ updated_at: now }).where("model_id", "=", key).execute();
}

/** Deletes the model and everything that references it. */
function deletePrivateModel(organizationId: string, key: string, trx: Database) {
  return trx.deleteFrom("models").where("id", "=", key).where("organization_id", "=", organizationId).execute();
}

/** Returns the public models with this architecture, which a private one is compared with. */
async function findBases(db: Database, architecture: string | null): Promise<SupportedBase[]> {
  if (architecture === null) return [];
  const found = await db
    .selectFrom("models")
    .innerJoin("model_classes", "model_classes.id", "models.model_class_id")
    .select([
      "models.id",
      "model_class_id",
      "models.architecture",
      "models.parameter_size",
      "models.context_length",
      "model_classes.context_length as class_context_length",
    ])
    .where("models.organization_id", "is", null)
    .where("models.architecture", "=", architecture)
    .execute();
  return found.map((row) => ({
    id: row.id,
    modelClass: row.model_class_id,
    architecture: row.architecture,
    parameterSize: row.parameter_size,
    contextLength: row.context_length ?? row.class_context_length,
  }));
}
