import { expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";

const month = (name: string, churn_percent: number | null) => ({
  month: name,
  plan_usd_cents: 750_000,
  credits_usd_cents: 5000,
  metered_usd_cents: 1250,
  tax_usd_cents: 2500,
  refunded_usd_cents: 0,
  disputed_usd_cents: 0,
  uncollectible_usd_cents: 0,
  paid_invoice_count: 4,
  failed_payment_count: 1,
  failed_payment_usd_cents: 3000,
  started_count: 1,
  ended_count: 0,
  churn_percent,
  by_currency: [
    { currency: "USD", paid_cents: 700_000, refunded_cents: 0 },
    { currency: "JPY", paid_cents: 90_000, refunded_cents: 0 },
  ],
});
const report = {
  is_test: true,
  is_metered_test: true,
  mrr_usd_cents: 7500,
  subscription_count: 3,
  trial_count: 1,
  past_due_count: 0,
  canceling_count: 1,
  plans: [],
  months: [month("2026-11", 2.5), month("2026-10", null)],
};
const { run, runInteractive, requests } = setupCli({ "GET /admin/revenue": () => ({ body: report }) });

test("admin revenue shows amounts by month, and what plans bring in now", async () => {
  const { out, err } = await runInteractive("admin revenue --months 2");
  expect(out.split("\n")[0]).toMatch(/^MONTH +PLANS +CREDITS/);
  expect(out.split("\n")[1]).toMatch(/^2026-11 +\$7,500\.00 +\$50\.00/);
  expect(err).toContain("Now: $75.00 a month from 3 plans, and 1 trials. These are test payments.");
  expect(requests()[0]?.url).toBe("/admin/revenue?months=2");
});

test("admin revenue gives exact cents to programs, and all fields as JSON", async () => {
  expect((await run("admin revenue")).out.split("\n")[1]).toBe(
    "2026-10\t750000\t5000\t1250\t2500\t0\t0\t0\t4\t1\t1\t0\t\t700000 USD,90000 JPY",
  );
  expect(JSON.parse((await run("admin revenue --json")).out)).toEqual(report);
  expect((await run("admin revenue --months 37")).code).toBe(2);
});
