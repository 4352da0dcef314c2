import { sql } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { currencyOf, listCurrencies, toCurrencyRate } from "../currencies/index.ts";

/** Subscriptions of a plan that are paid here; the revenue is in US cents a month, at the present rates. */
export type PlanRevenue = {
  plan_id: string;
  name: string;
  subscriptions: number;
  units: number;
  mrr_cents: number;
  trials: number;
  past_due: number;
  canceling: number;
};
/** What was invoiced and paid in a month, in US cents at the rates of the invoices and payments. */
export type MonthRevenue = {
  month: string;
  plan_cents: number;
  credits_cents: number;
  tax_cents: number;
  refunded_cents: number;
  disputed_cents: number;
  uncollectible_cents: number;
  paid_invoices: number;
  failed_payments: number;
  failed_cents: number;
  started: number;
  ended: number;
  /** Subscriptions that there were when the month began, and those of them that ended in it. */
  at_start: number;
  churned: number;
};

/** What was paid in a month in a currency, and given back of it, in its minor units. */
export type CurrencyRevenue = { month: string; currency: string; paid_cents: number; refunded_cents: number };

/** Metered usage of a month that marketplaces bill, in US cents. */
export type MonthUsage = { month: string; metered_cents: number };

/** Reads what plans and credits bring in. Test payments count as little among others as others among them. */
export function createRevenueRepository(db: Database) {
  return bind(db, { plans: readPlans, months: readMonths, currencies: readCurrencies, metered: readMetered });
}

export type RevenueRepository = ReturnType<typeof createRevenueRepository>;

/** Subscriptions that are paid here, and for which no invoice of the other kind was written. */
const paidSubscriptions = (isTest: boolean) => sql`
  select s.*, ${currencyOf(sql.ref("s.organization_id"))} as currency from subscriptions as s where s.anchor_date is not null
    and not exists (select 1 from invoices where invoices.subscription_id = s.id and invoices.is_test <> ${isTest})`;

/** Returns the plans with current subscriptions, those with the highest revenue first. */
async function readPlans(db: Database, isTest: boolean): Promise<PlanRevenue[]> {
  const rates = (await listCurrencies(db)).map(({ code, units_per_usd }) => toCurrencyRate(code, units_per_usd));
  const codes = rates.map(({ currency }) => currency);
  const minorPerUsd = rates.map(({ minor_per_usd }) => minor_per_usd);
  const { rows } = await sql<PlanRevenue>`
    with rates as (
      select code, minor / 100 as minor_per_usd_cent
      from unnest(${codes}::text[], ${minorPerUsd}::numeric[]) as known (code, minor)
    ), current as (
      select s.plan_id, s.status, s.quantity, s.cancel_at_period_end, s.status = 'trialing' as is_trial,
        s.price_cents * s.quantity / case s.billing_interval when 'year' then 12.0 else 1 end
          / rates.minor_per_usd_cent as monthly_cents
      from (${paidSubscriptions(isTest)} and s.ended_at is null) as s join rates on rates.code = s.currency
    )
    select current.plan_id, plans.name,
      count(*) filter (where not is_trial)::float8 as subscriptions,
      coalesce(sum(quantity) filter (where not is_trial), 0)::float8 as units,
      round(coalesce(sum(monthly_cents) filter (where not is_trial), 0))::float8 as mrr_cents,
      count(*) filter (where is_trial)::float8 as trials,
      count(*) filter (where current.status = 'past_due')::float8 as past_due,
      count(*) filter (where cancel_at_period_end and not is_trial)::float8 as canceling
    from current join plans on plans.id = current.plan_id
    group by 1, 2 order by mrr_cents desc, 1`.execute(db);
  return rows;
}

/** Returns the months from that of `first` to that of `last`, the latest first. */
async function readMonths(db: Database, first: Date, last: Date, isTest: boolean): Promise<MonthRevenue[]> {
  const { rows } = await sql<MonthRevenue>`
    with months as (
      select start as starts_at, start + interval '1 month' as ends_at
      from generate_series(${first}::timestamptz at time zone 'UTC', ${last}::timestamptz at time zone 'UTC', '1 month') as start
    ), paid as (
      select date_trunc('month', paid_at at time zone 'UTC') as month,
        sum((subtotal_cents - discount_cents) * 100 / minor_per_usd) filter (where kind <> 'top_up') as plan_cents,
        sum((subtotal_cents - discount_cents) * 100 / minor_per_usd) filter (where kind = 'top_up') as credits_cents,
        sum(tax_cents * 100 / minor_per_usd) as tax_cents, sum(refunded_cents * 100 / minor_per_usd) as refunded_cents,
        sum(disputed_cents * 100 / minor_per_usd) filter (where dispute_status = 'lost') as disputed_cents,
        count(*) filter (where total_cents > 0) as invoices
      from invoices where status = 'paid' and is_test = ${isTest} and paid_at >= ${first} group by 1
    ), given_up as (
      select date_trunc('month', created_at at time zone 'UTC') as month,
        sum(total_cents * 100 / minor_per_usd) as cents
      from invoices where status = 'uncollectible' and is_test = ${isTest} and created_at >= ${first} group by 1
    ), failed as (
      select date_trunc('month', settled_at at time zone 'UTC') as month, count(*) as payments,
        sum(amount_cents * 100 / minor_per_usd) as cents
      from payments where status = 'failed' and failure_code is distinct from 'canceled' and is_test = ${isTest}
        and settled_at >= ${first} group by 1
    ), sold as (
      select s.created_at at time zone 'UTC' as began_at, s.ended_at at time zone 'UTC' as ended_at
      from (${paidSubscriptions(isTest)} and (s.ended_at is null or s.ended_at >= ${first})) as s
    )
    select to_char(starts_at, 'YYYY-MM') as month,
      round(coalesce(plan_cents, 0))::float8 as plan_cents, round(coalesce(credits_cents, 0))::float8 as credits_cents,
      round(coalesce(tax_cents, 0))::float8 as tax_cents, round(coalesce(refunded_cents, 0))::float8 as refunded_cents,
      round(coalesce(disputed_cents, 0))::float8 as disputed_cents,
      round(coalesce(given_up.cents, 0))::float8 as uncollectible_cents, coalesce(paid.invoices, 0)::float8 as paid_invoices,
      coalesce(failed.payments, 0)::float8 as failed_payments, round(coalesce(failed.cents, 0))::float8 as failed_cents,
      (select count(*) from sold where began_at >= starts_at and began_at < ends_at)::float8 as started,
      (select count(*) from sold where began_at < starts_at and ended_at >= starts_at and ended_at < ends_at)::float8 as churned,
      (select count(*) from sold where ended_at >= starts_at and ended_at < ends_at)::float8 as ended,
      (select count(*) from sold where began_at < starts_at and (ended_at is null or ended_at >= starts_at))::float8 as at_start
    from months
    left join paid on paid.month = starts_at
    left join given_up on given_up.month = starts_at
    left join failed on failed.month = starts_at
    order by starts_at desc`.execute(db);
  return rows;
}

/** Returns what was paid in each currency in the months since that of `first`, US dollars first. */
async function readCurrencies(db: Database, first: Date, isTest: boolean): Promise<CurrencyRevenue[]> {
  const { rows } = await sql<CurrencyRevenue>`
    select to_char(paid_at at time zone 'UTC', 'YYYY-MM') as month, currency, sum(total_cents)::float8 as paid_cents,
      sum(refunded_cents)::float8 as refunded_cents
    from invoices where status = 'paid' and total_cents > 0 and is_test = ${isTest} and paid_at >= ${first}
    group by 1, 2 order by currency = 'USD' desc, currency`.execute(db);
  return rows;
}

/** Returns what was metered in the months since that of `first`. The hour that goes on is not over, so it does not count. */
async function readMetered(db: Database, first: Date, isTest: boolean): Promise<MonthUsage[]> {
  const { rows } = await sql<MonthUsage>`
    select to_char(hour at time zone 'UTC', 'YYYY-MM') as month,
      round(sum(units * unit_price_nano_usd) / 10000000)::float8 as metered_cents
    from metered_usage where status in ('due', 'sent', 'accepted') and is_test = ${isTest} and hour >= ${first} group by 1`.execute(
    db,
  );
  return rows;
}
