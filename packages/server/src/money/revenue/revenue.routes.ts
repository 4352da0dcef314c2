import type { components } from "@feather/openapi/schema";
import type { Clock } from "../../platform/core/clock.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type {
  CurrencyRevenue,
  MonthRevenue,
  MonthUsage,
  PlanRevenue,
  RevenueRepository,
} from "./revenue.repository.ts";

type Schemas = components["schemas"];
type Deps = { revenueRepository: RevenueRepository; clock: Clock; isTest: boolean; isMeteredTest: boolean };

const DEFAULT_MONTHS = 12;

/** The handler of the report of revenue. */
export function revenueRoutes({ revenueRepository, clock, isTest, isMeteredTest }: Deps): Handlers {
  return {
    "admin.revenue": async ({ query }) => {
      const now = clock.now();
      const last = startOfMonth(now, 0);
      const first = startOfMonth(now, 1 - (query.months ?? DEFAULT_MONTHS));
      const [plans, months, currencies, metered] = await Promise.all([
        revenueRepository.plans(isTest),
        revenueRepository.months(first, last, isTest),
        revenueRepository.currencies(first, isTest),
        revenueRepository.metered(first, isMeteredTest),
      ]);
      return {
        is_test: isTest,
        is_metered_test: isMeteredTest,
        mrr_usd_cents: sum(plans, "mrr_cents"),
        subscription_count: sum(plans, "subscriptions"),
        trial_count: sum(plans, "trials"),
        past_due_count: sum(plans, "past_due"),
        canceling_count: sum(plans, "canceling"),
        plans: plans.filter(({ subscriptions }) => subscriptions > 0).map(toPlanDto),
        months: months.map((row) => toMonthDto(row, currencies, metered)),
      };
    },
  };
}

const startOfMonth = (now: Date, offset: number) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1));

const sum = (
  plans: readonly PlanRevenue[],
  field: "mrr_cents" | "subscriptions" | "trials" | "past_due" | "canceling",
) => plans.reduce((total, plan) => total + plan[field], 0);

const toPlanDto = (row: PlanRevenue): Schemas["RevenuePlan"] => ({
  plan_id: row.plan_id,
  name: row.name,
  subscription_count: row.subscriptions,
  unit_count: row.units,
  mrr_usd_cents: row.mrr_cents,
});

const toMonthDto = (
  row: MonthRevenue,
  currencies: readonly CurrencyRevenue[],
  metered: readonly MonthUsage[],
): Schemas["RevenueMonth"] => ({
  month: row.month,
  plan_usd_cents: row.plan_cents,
  credits_usd_cents: row.credits_cents,
  metered_usd_cents: metered.find(({ month }) => month === row.month)?.metered_cents ?? 0,
  tax_usd_cents: row.tax_cents,
  refunded_usd_cents: row.refunded_cents,
  disputed_usd_cents: row.disputed_cents,
  uncollectible_usd_cents: row.uncollectible_cents,
  paid_invoice_count: row.paid_invoices,
  failed_payment_count: row.failed_payments,
  failed_payment_usd_cents: row.failed_cents,
  started_count: row.started,
  ended_count: row.ended,
  churn_percent: row.at_start === 0 ? null : Math.round((row.churned * 1000) / row.at_start) / 10,
  by_currency: currencies.filter(({ month }) => month === row.month).map(({ month: _, ...paid }) => paid),
});
