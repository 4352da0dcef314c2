import type { Selectable } from "kysely";
import type { BackendOrder, RoutingRules } from "../../gateway/index.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { RoutingAliases, RoutingRules as RoutingRulesTable } from "../../platform/core/db/schema.generated.ts";

/** An alias as it is stored. */
export type AliasRow = Selectable<RoutingAliases>;

/** The rules without the aliases. */
export type StoredRules = Omit<RoutingRules, "aliases">;
type RulesChange = Pick<StoredRules, "order"> & Partial<StoredRules>;

const PERCENT_DECIMALS = 2;

/** Stores the operator's rules of which models and backends answer. */
export function createRoutingRepository(db: Database) {
  return bind(db, { readRules, setRules, listAliases, setAlias, deleteAlias, listKnownModels });
}

export type RoutingRepository = ReturnType<typeof createRoutingRepository>;

/** Returns the order of backends, the fee of calls with own keys in percent, and whether calls below cost are refused. */
async function readRules(db: Database): Promise<StoredRules> {
  return toRules(await db.selectFrom("routing_rules").selectAll().executeTakeFirstOrThrow());
}

/** Changes the rules, and returns them. Those that are left out stay. */
async function setRules(
  db: Database,
  { order, ownKeyFeePercent, refusesBelowCost }: RulesChange,
): Promise<StoredRules> {
  const row = await db
    .updateTable("routing_rules")
    .set({
      backend_order: order,
      ...(ownKeyFeePercent !== undefined && { own_key_fee_percent: ownKeyFeePercent.toFixed(PERCENT_DECIMALS) }),
      ...(refusesBelowCost !== undefined && { refuse_below_cost: refusesBelowCost }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toRules(row);
}

function toRules(row: Selectable<RoutingRulesTable>): StoredRules {
  return {
    // A check of the database limits the order to those there are.
    order: row.backend_order as BackendOrder,
    ownKeyFeePercent: Number(row.own_key_fee_percent),
    refusesBelowCost: row.refuse_below_cost,
  };
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
