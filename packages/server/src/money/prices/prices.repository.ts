import type { Insertable, Selectable } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Prices } from "../../platform/core/db/schema.generated.ts";

/** A row of the table of prices. */
export type PriceRow = Selectable<Prices>;
/** What a price applies to: a model, a class of models, or a size. */
export type PriceTarget = { scope: "model" | "model_class" | "size"; target: string };

/** Reads and adds prices. */
export function createPricesRepository(db: Database) {
  return {
    ...bind(db, {
      list: listPrices,
      count: countPrices,
      listCurrentAndFuture,
      findTarget,
    }),
    add: addPrice,
  };
}

export type PricesRepository = ReturnType<typeof createPricesRepository>;

function pricesFor(db: Database, target: string | null) {
  return db.selectFrom("prices").$if(target !== null, (query) => query.where("target", "=", target ?? ""));
}

function listPrices(db: Database, target: string | null, limit: number, offset: number) {
  return pricesFor(db, target)
    .selectAll()
    .orderBy("effective_at", "desc")
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
}

async function countPrices(db: Database, target: string | null): Promise<number> {
  const { count } = await pricesFor(db, target)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the price of each target at `now`, and all future prices. */
function listCurrentAndFuture(db: Database, now: Date): Promise<PriceRow[]> {
  const current = db
    .selectFrom("prices")
    .distinctOn(["scope", "target"])
    .selectAll()
    .where("effective_at", "<=", now)
    .orderBy("scope")
    .orderBy("target")
    .orderBy("effective_at", "desc");
  const future = db.selectFrom("prices").selectAll().where("effective_at", ">", now);
  return db.selectFrom(current.as("current")).selectAll().unionAll(future).execute();
}

/** Returns null when this target has a price with the same effective time already. */
async function addPrice(row: Insertable<Prices>, trx: Database): Promise<PriceRow | null> {
  const added = await trx
    .insertInto("prices")
    .values(row)
    .onConflict((conflict) => conflict.columns(["scope", "target", "effective_at"]).doNothing())
    .returningAll()
    .executeTakeFirst();
  return added ?? null;
}

/** Finds a model by its id in any letter case, else a class or a size; null when there is none. */
async function findTarget(db: Database, id: string): Promise<PriceTarget | null> {
  const model = await db.selectFrom("models").select("id").where("id_lower", "=", id.toLowerCase()).executeTakeFirst();
  if (model) return { scope: "model", target: model.id };
  const modelClass = await db.selectFrom("model_classes").select("id").where("id", "=", id).executeTakeFirst();
  if (modelClass) return { scope: "model_class", target: modelClass.id };
  const size = await db
    .selectFrom("prices")
    .select("target")
    .where("scope", "=", "size")
    .where("target", "=", id)
    .executeTakeFirst();
  return size ? { scope: "size", target: size.target } : null;
}
