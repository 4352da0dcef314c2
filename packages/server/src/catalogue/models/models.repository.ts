import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { ModelRequests, Models, ModelUnlocks } from "../../platform/core/db/schema.generated.ts";

/** The columns of a model to insert. */
export type NewModel = Omit<Insertable<Models>, "status" | "created_at" | "updated_at">;
/** The columns of a model to update. */
export type ModelFields = Updateable<Models>;
/** The columns that decide how a model may be changed. */
export type StoredModel = Pick<
  Selectable<Models>,
  "id" | "source" | "organization_id" | "is_gated" | "model_class_id" | "readme" | "family_id"
>;

/** The number of organization names that a model request lists. */
const MAX_ORGANIZATION_NAMES = 20;

/** Stores models, requests for models, and unlocks of gated ones. */
export function createModelsRepository(db: Database) {
  return {
    ...bind(db, {
      find: findModel,
      findUnknownPlans,
      findFamily,
      findSubType,
      countRequests,
      findRequest,
      listRequests,
      findUnlock,
    }),
    insert: insertModel,
    update: updateModel,
    delete: deleteModel,
    insertRequest,
    insertUnlock,
  };
}

export type ModelsRepository = ReturnType<typeof createModelsRepository>;

function findModel(db: Database, id: string, trx: Database = db): Promise<StoredModel | undefined> {
  return trx
    .selectFrom("models")
    .select(["id", "source", "organization_id", "is_gated", "model_class_id", "readme", "family_id"])
    .where("id_lower", "=", id.toLowerCase())
    .executeTakeFirst();
}

/** Inserts a model. Returns false if one has this id. A requested model gets the status `pending_deploy`. */
async function insertModel(row: NewModel, now: Date, trx: Database): Promise<boolean> {
  const added = await trx
    .insertInto("models")
    .values({
      ...row,
      status: sql<string>`case when exists (select 1 from model_requests where id_lower = ${row.id_lower} and answered_at is null)
            then 'pending_deploy' else 'not_deployed' end`,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!added) return false;
  await trx.deleteFrom("removed_models").where("id_lower", "=", row.id_lower).execute();
  await trx.deleteFrom("hub_misses").where("id_lower", "=", row.id_lower).execute();
  return true;
}

async function updateModel(id: string, fields: ModelFields, now: Date, trx: Database): Promise<boolean> {
  const row = await trx
    .updateTable("models")
    .set({ ...fields, updated_at: now })
    .where("id_lower", "=", id.toLowerCase())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes a public model and stores that it was deleted, so that the shipped catalogue does not add it again. */
async function deleteModel(id: string, now: Date, trx: Database): Promise<boolean> {
  const row = await trx
    .deleteFrom("models")
    .where("id", "=", id)
    .where("organization_id", "is", null)
    .returning("id_lower")
    .executeTakeFirst();
  if (!row) return false;
  await trx
    .insertInto("removed_models")
    .values({ id_lower: row.id_lower, removed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return true;
}

async function findUnknownPlans(db: Database, ids: readonly string[]): Promise<string[]> {
  const known = await db
    .selectFrom("plans")
    .select("id")
    .where("id", "in", [...ids, ""])
    .execute();
  return ids.filter((id) => !known.some((plan) => plan.id === id));
}

function findFamily(db: Database, id: string) {
  return db.selectFrom("families").select("id").where("id", "=", id).executeTakeFirst();
}

function findSubType(db: Database, familyId: string, id: string) {
  return db
    .selectFrom("sub_types")
    .select("id")
    .where("family_id", "=", familyId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Returns the number of organizations with open requests for each of these models. */
async function countRequests(db: Database, ids: readonly string[]): Promise<Map<string, number>> {
  const lower = ids.map((id) => id.toLowerCase());
  const rows = await db
    .selectFrom("model_requests")
    .select(["id_lower", (eb) => eb.fn.countAll<number>().as("count")])
    .where("id_lower", "in", [...lower, ""])
    .where("answered_at", "is", null)
    .groupBy("id_lower")
    .execute();
  const counts = new Map(rows.map((row) => [row.id_lower, row.count]));
  return new Map(ids.map((id) => [id, counts.get(id.toLowerCase()) ?? 0]));
}

/** Returns the open request of an organization for a model; undefined without one. */
function findRequest(db: Database, organizationId: string, id: string) {
  return db
    .selectFrom("model_requests")
    .select("model_id")
    .where("organization_id", "=", organizationId)
    .where("id_lower", "=", id.toLowerCase())
    .where("answered_at", "is", null)
    .executeTakeFirst();
}

/** Inserts a request, or opens an answered one again. Returns false if the organization has an open request for the model. */
async function insertRequest(row: Insertable<ModelRequests>, trx: Database): Promise<boolean> {
  const added = await trx
    .insertInto("model_requests")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["organization_id", "id_lower"])
        .doUpdateSet((eb) => ({
          requested_by: eb.ref("excluded.requested_by"),
          hub_revision: eb.ref("excluded.hub_revision"),
          hub_token: eb.ref("excluded.hub_token"),
          created_at: eb.ref("excluded.created_at"),
          answered_at: null,
        }))
        .where("model_requests.answered_at", "is not", null),
    )
    .returning("id_lower")
    .executeTakeFirst();
  await trx
    .updateTable("models")
    .set({ status: "pending_deploy" })
    .where("id_lower", "=", row.id_lower)
    .where("status", "=", "not_deployed")
    .execute();
  return added !== undefined;
}

/** Returns a page of the models with open requests, the most requested first, and the number of those models. */
async function listRequests(db: Database, limit: number, offset: number) {
  const [rows, { total }] = await Promise.all([
    db
      .selectFrom("model_requests as r")
      .leftJoin("models as m", (join) =>
        join.onRef("m.id_lower", "=", "r.id_lower").on("m.organization_id", "is", null),
      )
      .innerJoin("organizations as o", "o.id", "r.organization_id")
      .where("r.answered_at", "is", null)
      .select([
        sql<string>`coalesce(min(m.id), min(r.model_id))`.as("model_id"),
        (eb) => eb.fn.countAll<number>().as("request_count"),
        sql<string[]>`(array_agg(o.name order by r.created_at, o.id))[1:${sql.lit(MAX_ORGANIZATION_NAMES)}]`.as(
          "organizations",
        ),
        sql<boolean>`count(m.id) > 0`.as("in_catalogue"),
        sql<Date>`min(r.created_at)`.as("first_requested_at"),
        sql<Date>`max(r.created_at)`.as("last_requested_at"),
      ])
      .groupBy("r.id_lower")
      .orderBy("request_count", "desc")
      .orderBy("last_requested_at", "desc")
      .orderBy("r.id_lower")
      .limit(limit)
      .offset(offset)
      .execute(),
    db
      .selectFrom("model_requests")
      .select((eb) => eb.fn.count<number>("id_lower").distinct().as("total"))
      .where("answered_at", "is", null)
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

function findUnlock(db: Database, organizationId: string, modelId: string, trx: Database = db) {
  return trx
    .selectFrom("model_unlocks")
    .select(["model_id", "unlocked_at", "method"])
    .where("organization_id", "=", organizationId)
    .where("model_id", "=", modelId)
    .executeTakeFirst();
}

/** Inserts an unlock. Returns false if the organization has unlocked the model before. */
async function insertUnlock(row: Insertable<ModelUnlocks>, trx: Database): Promise<boolean> {
  const added = await trx
    .insertInto("model_unlocks")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("model_id")
    .executeTakeFirst();
  return added !== undefined;
}
