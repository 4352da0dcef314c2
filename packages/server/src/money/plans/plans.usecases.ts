import { isDeepStrictEqual } from "node:util";
import type { Updateable } from "kysely";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Plans } from "../../platform/core/db/schema.generated.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { stepOf, USD } from "../currencies/index.ts";
import { ownPricesOf } from "./plan-prices.ts";
import { isPaidPlan, type PlanRow } from "./plans.repository.ts";

/** The fields of a plan that admins can set; the contract limits each of them. */
export type PlanFields = Omit<Updateable<Plans>, "id" | "billing_interval" | "position" | "version" | "prices"> & {
  interval?: "month" | "year";
  /** The prices of its own in other currencies, in minor units, in place of those before. */
  prices?: { currency: string; price_cents: number }[];
};

type Deps = { db: Database; audit: Audit; invalidatePlans(): void };

/** Creates and changes plans, for admins. */
export function createPlanAdministration(deps: Deps) {
  return bind(deps, {
    create: createPlan,
    update: updatePlan,
  });
}

export type PlanAdministration = ReturnType<typeof createPlanAdministration>;

async function createPlan(
  { db, audit, invalidatePlans }: Deps,
  actor: SignedInActor,
  { id, name, ...fields }: PlanFields & { id: string; name: string },
): Promise<PlanRow> {
  const created = await db.transaction().execute(async (trx) => {
    const { last } = await trx
      .selectFrom("plans")
      .select((eb) => eb.fn.coalesce(eb.fn.max("position"), eb.lit(0)).as("last"))
      .executeTakeFirstOrThrow();
    const defaults = {
      description: "",
      audience: "individual",
      billing_mode: "subscription",
      api_keys_max: 100,
      position: last + 1,
    };
    const row = await trx
      .insertInto("plans")
      .values(Object.assign(defaults, toColumns(fields), { id, name: name.trim() }))
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!row) throw errors.plans.idTaken({ param: "id" });
    refuseContradictions(row);
    await refuseUnknownPrices(fields.prices ?? [], trx);
    await audit.record({ actor, action: "plans.create", target: id, details: { ...fields, name } }, trx);
    return row;
  });
  invalidatePlans();
  return created;
}

/** Changes a plan. Limits take effect at once; price and interval only for new purchases. */
async function updatePlan(
  { db, audit, invalidatePlans }: Deps,
  actor: SignedInActor,
  id: string,
  fields: PlanFields,
): Promise<PlanRow> {
  const values = toColumns(fields);
  const updated = await db.transaction().execute(async (trx) => {
    const before = await trx.selectFrom("plans").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
    if (!before) throw errors.plans.notFound();
    if (Object.keys(values).length === 0) return before;
    const isRepriced = hasNewPrice(before, values);
    const after = await trx
      .updateTable("plans")
      .set((eb) => ({ ...values, ...(isRepriced && { version: eb("version", "+", 1) }) }))
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    refuseContradictions(after);
    await refuseUnknownPrices(fields.prices ?? [], trx);
    if (before.price_usd_cents !== null && after.price_usd_cents === null) await refuseWhileSold(id, trx);
    if (before.billing_mode !== after.billing_mode) await refuseWhileUsed(id, trx);
    await audit.record({ actor, action: "plans.update", target: id, details: { ...fields } }, trx);
    return after;
  });
  invalidatePlans();
  return updated;
}

function toColumns({ interval, name, prices, ...fields }: PlanFields): Updateable<Plans> {
  return {
    ...fields,
    ...(prices && { prices: JSON.stringify(toPrices(prices)) }),
    ...(typeof name === "string" && { name: name.trim() }),
    ...(interval !== undefined && { billing_interval: interval }),
  };
}

/** Throws `invalid_request` for two prices in one currency. */
function toPrices(prices: NonNullable<PlanFields["prices"]>): Record<string, number> {
  const byCurrency = new Map(prices.map(({ currency, price_cents }) => [currency, price_cents]));
  if (byCurrency.size < prices.length) throw invalidPrices("it has two prices in one currency");
  return Object.fromEntries(byCurrency);
}

/** Throws `invalid_request` for prices in currencies that are not switched on, or that cannot be charged. */
async function refuseUnknownPrices(prices: NonNullable<PlanFields["prices"]>, trx: Database): Promise<void> {
  // Against removal until the prices are stored.
  const rows = await trx.selectFrom("currencies").select("code").orderBy("code").forKeyShare().execute();
  for (const { currency, price_cents } of prices) {
    if (currency === USD) throw invalidPrices("the price in US dollars is price_usd_cents");
    if (!rows.some(({ code }) => code === currency)) throw invalidPrices(`${currency} is not switched on`);
    if (price_cents % stepOf(currency) !== 0)
      throw invalidPrices(`cards are charged multiples of ${stepOf(currency)} minor units in ${currency}`);
  }
}

const invalidPrices = (problem: string) =>
  errors.invalidRequest(`prices is not valid: ${problem}.`, { param: "prices" });

function hasNewPrice(
  before: PlanRow,
  { price_usd_cents: price, billing_interval: interval, prices }: Updateable<Plans>,
): boolean {
  return (
    (typeof prices === "string" && !isDeepStrictEqual(JSON.parse(prices), before.prices)) ||
    (price !== undefined && price !== before.price_usd_cents) ||
    (interval !== undefined && interval !== before.billing_interval)
  );
}

/** Throws `plans.in_use` while anybody is on the plan, because changing the billing mode would change how they pay. */
async function refuseWhileUsed(id: string, trx: Database): Promise<void> {
  const subscription = await trx
    .selectFrom("subscriptions")
    .select("id")
    .where((eb) => eb.or([eb("plan_id", "=", id), eb("pending_plan_id", "=", id)]))
    .where("ended_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  if (subscription)
    throw errors.plans.inUse(
      "Somebody is on this plan, so how it is paid for stays. Make another plan, and take this one off sale.",
      { param: "billing_mode" },
    );
}

/** Throws `plans.in_use` while anybody pays for the plan, because renewals need a price. */
async function refuseWhileSold(id: string, trx: Database): Promise<void> {
  const subscription = await trx
    .selectFrom("subscriptions")
    .select("id")
    .where((eb) => eb.or([eb("plan_id", "=", id), eb("pending_plan_id", "=", id)]))
    .where("ended_at", "is", null)
    .where("anchor_date", "is not", null)
    .limit(1)
    .executeTakeFirst();
  if (subscription)
    throw errors.plans.inUse("Somebody pays for this plan. Take it off sale, and leave it its price.", {
      param: "price_usd_cents",
    });
}

function refuseContradictions(plan: PlanRow): void {
  if (plan.min_quantity > plan.max_quantity)
    throw errors.invalidRequest("max_quantity is not valid: it is less than min_quantity.", { param: "max_quantity" });
  if (!plan.unit_based && (plan.min_quantity !== 1 || plan.max_quantity !== 1))
    throw errors.invalidRequest("max_quantity is not valid: a plan that is not sold in units is bought once.", {
      param: "max_quantity",
    });
  if (plan.price_usd_cents === null && Object.keys(ownPricesOf(plan)).length > 0)
    throw errors.invalidRequest(
      "prices is not valid: a plan without a price in US dollars has none in other currencies.",
      {
        param: "prices",
      },
    );
  if (!isPaidPlan(plan.id) && Object.keys(ownPricesOf(plan)).length > 0) throw errors.plans.freePlan();
  if (!isPaidPlan(plan.id) && (plan.price_usd_cents !== 0 || plan.unit_based || plan.trial_days !== 0))
    throw errors.plans.freePlan();
}
