import type { components } from "@feather/openapi/schema";
import { sql } from "kysely";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";

type PlanSubscribers = components["schemas"]["PlanSubscribers"];
type SubscriberPrice = components["schemas"]["PlanSubscriberPrice"];

/** Counts the organizations on a plan, by how they came to it and by what they pay. Throws `plans.not_found`. */
export async function countSubscribers(db: Database, planId: string): Promise<PlanSubscribers> {
  const plan = await db.selectFrom("plans").select("id").where("id", "=", planId).executeTakeFirst();
  if (!plan) throw errors.plans.notFound();
  const [counts, { rows: prices }] = await Promise.all([countByOrigin(db, planId), countByPrice(db, planId)]);
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

function countByPrice(db: Database, planId: string) {
  return sql<SubscriberPrice>`
    select s.price_cents as price_usd_cents, s.billing_interval as interval, count(*)::float8 as subscription_count,
      coalesce(s.price_cents = plans.price_usd_cents, false) and s.billing_interval = plans.billing_interval as is_current,
      count(s.next_price_cents)::float8 as announced_count
    from subscriptions s join plans on plans.id = s.plan_id
    where s.plan_id = ${planId} and s.ended_at is null and s.anchor_date is not null and s.price_cents is not null
    group by 1, 2, 4 order by 3 desc, 1, 2`.execute(db);
}
