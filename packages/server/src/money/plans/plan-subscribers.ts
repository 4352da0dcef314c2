import type { components } from "@feather/openapi/schema";
import { sql } from "kysely";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { currencyOf, listCurrencies, toCurrencyRate } from "../currencies/index.ts";
import { priceIn } from "./plan-prices.ts";
import type { PlanRow } from "./plans.repository.ts";

type PlanSubscribers = components["schemas"]["PlanSubscribers"];
type SubscriberPrice = components["schemas"]["PlanSubscriberPrice"];

/** Counts the organizations on a plan, by how they came to it and by what they pay. Throws `plans.not_found`. */
export async function countSubscribers(db: Database, planId: string): Promise<PlanSubscribers> {
  const plan = await db.selectFrom("plans").selectAll().where("id", "=", planId).executeTakeFirst();
  if (!plan) throw errors.plans.notFound();
  const [counts, prices] = await Promise.all([countByOrigin(db, planId), countByPrice(db, plan)]);
  return { ...counts, prices };
}

function countByOrigin(db: Database, planId: string): Promise<Omit<PlanSubscribers, "prices">> {
  const isOn = sql`plan_id = ${planId}`;
  return db
    .selectFrom("subscriptions")
    .select([
      sql<number>`count(*) filter (where ${isOn} and anchor_date is not null)::float8`.as("subscription_count"),
      sql<number>`count(*) filter (where ${isOn} and status = 'trialing')::float8`.as("trial_count"),
      sql<number>`count(*) filter (where ${isOn} and anchor_date is null)::float8`.as("granted_count"),
      sql<number>`count(*) filter (where not ${isOn} and pending_plan_id = ${planId})::float8`.as("arriving_count"),
    ])
    .where("ended_at", "is", null)
    .executeTakeFirstOrThrow();
}

async function countByPrice(db: Database, plan: PlanRow): Promise<SubscriberPrice[]> {
  const { rows } = await sql<Omit<SubscriberPrice, "is_current">>`
    select s.price_cents, ${currencyOf(sql.ref("s.organization_id"))} as currency, s.billing_interval as interval,
      count(*)::float8 as subscription_count, count(s.next_price_cents)::float8 as announced_count
    from subscriptions s
    where s.plan_id = ${plan.id} and s.ended_at is null and s.anchor_date is not null and s.price_cents is not null
    group by 1, 2, 3 order by 4 desc, 2, 1, 3`.execute(db);
  const rates = (await listCurrencies(db)).map(({ code, units_per_usd }) => toCurrencyRate(code, units_per_usd));
  const isCurrent = ({ price_cents, currency, interval }: (typeof rows)[number]) =>
    interval === plan.billing_interval &&
    rates.some((rate) => rate.currency === currency && priceIn(plan, rate) === price_cents);
  return rows.map((row) => ({ ...row, is_current: isCurrent(row) }));
}
