import type { Insertable, Selectable } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { Prices } from "../../db/schema.generated.ts";

export type PriceRow = Selectable<Prices>;
export type PriceTarget = { scope: "model" | "model_class" | "size"; target: string };

export function createPricesRepository(db: Database) {
  const matching = (target: string | null) =>
    db.selectFrom("prices").$if(target !== null, (query) => query.where("target", "=", target ?? ""));
  return {
    list: (target: string | null, limit: number, offset: number) =>
      matching(target)
        .selectAll()
        .orderBy("effective_at", "desc")
        .orderBy("created_at", "desc")
        .orderBy("id")
        .limit(limit)
        .offset(offset)
        .execute(),

    async count(target: string | null): Promise<number> {
      const { count } = await matching(target)
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return count;
    },

    /** The price of each target that holds at `now`, and those to come. */
    currentAndComing(now: Date): Promise<PriceRow[]> {
      const current = db
        .selectFrom("prices")
        .distinctOn(["scope", "target"])
        .selectAll()
        .where("effective_at", "<=", now)
        .orderBy("scope")
        .orderBy("target")
        .orderBy("effective_at", "desc");
      const coming = db.selectFrom("prices").selectAll().where("effective_at", ">", now);
      return db.selectFrom(current.as("current")).selectAll().unionAll(coming).execute();
    },

    /** Answers null when this target has a price from that very moment already. */
    async add(row: Insertable<Prices>, trx: Database): Promise<PriceRow | null> {
      const added = await trx
        .insertInto("prices")
        .values(row)
        .onConflict((conflict) => conflict.columns(["scope", "target", "effective_at"]).doNothing())
        .returningAll()
        .executeTakeFirst();
      return added ?? null;
    },

    /** A model or a class by its id in any letter case; a model's id wins. */
    async findTarget(id: string): Promise<PriceTarget | null> {
      const model = await db
        .selectFrom("models")
        .select("id")
        .where("id_lower", "=", id.toLowerCase())
        .executeTakeFirst();
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
    },
  };
}

export type PricesRepository = ReturnType<typeof createPricesRepository>;
