import type { Selectable } from "kysely";
import type { BackendOrder } from "../../gateway/index.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { RoutingAliases } from "../../platform/core/db/schema.generated.ts";

/** An alias as it is stored. */
export type AliasRow = Selectable<RoutingAliases>;

/** Stores the operator's rules of which models and backends answer. */
export function createRoutingRepository(db: Database) {
  return bind(db, { readOrder, setOrder, listAliases, setAlias, deleteAlias, listKnownModels });
}

export type RoutingRepository = ReturnType<typeof createRoutingRepository>;

/** Returns in which order the backends of a model are tried. */
async function readOrder(db: Database): Promise<BackendOrder> {
  const { backend_order } = await db.selectFrom("routing_rules").select("backend_order").executeTakeFirstOrThrow();
  return backend_order as BackendOrder; // a check of the database limits it to those
}

async function setOrder(db: Database, order: BackendOrder): Promise<void> {
  await db.updateTable("routing_rules").set({ backend_order: order }).execute();
}

function listAliases(db: Database): Promise<AliasRow[]> {
  return db.selectFrom("routing_aliases").selectAll().orderBy("name").execute();
}

/** Creates an alias, or replaces its models. */
function setAlias(db: Database, row: AliasRow): Promise<AliasRow> {
  const { models, updated_at } = row;
  return db
    .insertInto("routing_aliases")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ models, updated_at }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns whether there was an alias of this name. */
async function deleteAlias(db: Database, name: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("routing_aliases").where("name", "=", name).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Returns those of the ids that public models have, in lower case. */
async function listKnownModels(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("models")
    .select("id_lower")
    .where("id_lower", "in", [...ids.map((id) => id.toLowerCase()), ""])
    .where("organization_id", "is", null)
    .execute();
  return new Set(rows.map(({ id_lower }) => id_lower));
}
