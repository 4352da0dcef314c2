import { type Selectable, sql } from "kysely";
import type { Database } from "../../platform/core/db/connect.ts";
import { LOCKS } from "../../platform/core/db/locks.ts";
import type { RouteRules } from "../../platform/core/db/schema.generated.ts";

/** A redirect rule. */
export type RouteRuleRow = Selectable<RouteRules>;
/** The columns of a rule that an administrator sets. */
export type RouteRuleFields = Pick<
  RouteRuleRow,
  "path_glob" | "redirect_to" | "status" | "external" | "when_auth" | "when_plan" | "when_email_verified"
>;

/** Stores redirect rules. Their positions are always 1, 2, 3 …. */
export function createRouteRulesRepository(db: Database) {
  /** Runs one change at a time, so that positions stay consecutive. */
  const inExclusiveTransaction = <T>(work: (trx: Database) => Promise<T>) =>
    db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${LOCKS.routeRules})`.execute(trx);
      return work(trx);
    });

  /** Moves a rule to a position and renumbers the others. */
  async function moveToPosition(trx: Database, id: string, position: number): Promise<void> {
    const others = await trx.selectFrom("route_rules").select("id").where("id", "!=", id).orderBy("position").execute();
    const order = others.map((row) => row.id);
    order.splice(position - 1, 0, id);
    await sql`update route_rules set position = o.place from unnest(${order}::text[]) with ordinality as o (id, place)
      where route_rules.id = o.id and route_rules.position <> o.place`.execute(trx);
  }

  const find = (trx: Database, id: string) =>
    trx.selectFrom("route_rules").selectAll().where("id", "=", id).executeTakeFirst();

  return {
    list: () => db.selectFrom("route_rules").selectAll().orderBy("position").execute(),

    create: (id: string, fields: RouteRuleFields, position: number | undefined, now: Date) =>
      inExclusiveTransaction(async (trx) => {
        await trx
          .insertInto("route_rules")
          .values({ id, ...fields, position: 0, created_at: now })
          .execute();
        await moveToPosition(trx, id, position ?? Number.MAX_SAFE_INTEGER);
        return find(trx, id);
      }),

    update: (id: string, fields: RouteRuleFields, position: number | undefined) =>
      inExclusiveTransaction(async (trx) => {
        const changed = await trx
          .updateTable("route_rules")
          .set(fields)
          .where("id", "=", id)
          .returning("position")
          .executeTakeFirst();
        if (!changed) return undefined;
        await moveToPosition(trx, id, position ?? changed.position);
        return find(trx, id);
      }),

    delete: (id: string) =>
      inExclusiveTransaction(async (trx) => {
        const deleted = await trx.deleteFrom("route_rules").where("id", "=", id).returning("id").executeTakeFirst();
        if (deleted) await moveToPosition(trx, "", Number.MAX_SAFE_INTEGER);
        return deleted !== undefined;
      }),
  };
}

export type RouteRulesRepository = ReturnType<typeof createRouteRulesRepository>;
