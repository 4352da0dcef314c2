import type { RevenueMonth, RevenueReport } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildPage } from "@feather/testing/builders";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { createRevenueChart, readMonths, toRevenueCsv } from "#/features/admin/revenue/months.ts";
import { marketplaceBalance, marketplacePayout } from "#/testing/admin.ts";
import { maria, renderPage } from "#/testing/page.tsx";
import { chooseOption } from "#/testing/select.ts";
import AdminRevenuePage from "./revenue.tsx";

afterEach(cleanup);

const month = (name: string, change: Partial<RevenueMonth> = {}): RevenueMonth => ({
  month: name,
  by_currency: [],
  plan_usd_cents: 7500,
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
  ended_count: 2,
  churn_percent: 12.5,
  ...change,
});
const report: Sent<RevenueReport> = {
  is_test: false,
  is_metered_test: false,
  mrr_usd_cents: 123_456,
  subscription_count: 42,
  trial_count: 1,
  past_due_count: 2,
  canceling_count: 3,
  plans: [{ plan_id: "feather_scale", name: "Scale", subscription_count: 40, unit_count: 55, mrr_usd_cents: 120_000 }],
  months: [month("2026-11"), month("2026-10", { churn_percent: null, plan_usd_cents: 5000 })],
};
const NO_PAYOUTS = { balances: [], ...buildPage([]) };
const PAYOUTS = { balances: [marketplaceBalance], ...buildPage([marketplacePayout]) };
const show = (
  answer: Parameters<typeof http.admin.revenue>[0] = report,
  address = "/admin/revenue",
  payouts: Parameters<typeof http.admin.marketplaces.payouts.list>[0] = NO_PAYOUTS,
) =>
  renderPage(<AdminRevenuePage />, "/admin/revenue", address, [
    http.admin.marketplaces.payouts.list(payouts),
    http.auth.me({ ...maria, is_admin: true }),
    http.admin.revenue(answer),
  ]);

test("the page of revenue shows what recurs, what was paid, and what failed and ended this month", async () => {
  show();
  expect(await screen.findByText("$1,234.56")).toBeTruthy();
  expect(screen.getByText("1 trial, 2 past due, 3 canceled")).toBeTruthy();
  expect(screen.getByText("$125.00")).toBeTruthy();
  expect(screen.getByText("$100.00 in the month before")).toBeTruthy();
  expect(screen.getByText("12.5 % of those at its start")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Scale" })).toHaveProperty("pathname", "/admin/plans/feather_scale");
  expect(screen.getAllByText("2026-10")).toHaveLength(1);
  expect(screen.queryByText(/No money moves/)).toBeNull();
});

test("the page of revenue says that payments are tests, and what to expect where nobody pays", async () => {
  show({
    ...report,
    is_test: true,
    plans: [],
    months: [month("2026-11", { plan_usd_cents: 0, credits_usd_cents: 0 })],
  });
  expect(await screen.findByText(/No money moves/)).toBeTruthy();
  expect(screen.getByText("Nobody pays for a plan yet.")).toBeTruthy();
  expect(screen.getByText("Nothing was paid in this time.")).toBeTruthy();
});

test("the page of revenue asks for as many months as are chosen, and keeps the choice in the address", async () => {
  const { requests } = show(report, "/admin/revenue?months=24");
  await chooseOption(await screen.findByRole("combobox", { name: "Period" }), "36 months");
  await screen.findByText("$1,234.56");
  expect(requests.filter(({ path }) => path === "/admin/revenue").map(({ query }) => query.get("months"))).toEqual([
    "24",
    "36",
  ]);
});

test("the page of revenue offers another try when the report could not be read", async () => {
  show(refuse(500, "internal_error", "Something went wrong."));
  expect(await screen.findByRole("button", { name: /Try again/ })).toBeTruthy();
});

test("the page of revenue shows metered usage by month, what marketplaces owe, and their last payouts", async () => {
  show(report, "/admin/revenue", PAYOUTS);
  expect(await screen.findByText("DISB-42")).toBeTruthy();
  const owed = screen.getByRole("table", { name: "What marketplaces owe" });
  expect(owed.textContent).toContain("AWS Marketplace$250.00$97.00$3.00$150.00$2.50");
  expect(screen.getByRole("table", { name: "Revenue by month" }).textContent).toContain("$12.50");
  expect(screen.getByRole("link", { name: "Record a payout" }).getAttribute("href")).toBe(
    "/admin/marketplaces?view=payouts",
  );
  expect(screen.queryByText(/Marketplaces on this server are tests/)).toBeNull();
});

test("the page of revenue says that marketplaces are tests, and where no payout is recorded yet", async () => {
  show({ ...report, is_metered_test: true }, "/admin/revenue", { ...NO_PAYOUTS, balances: [marketplaceBalance] });
  expect(await screen.findByText("No payout is recorded yet.")).toBeTruthy();
  expect(screen.getByText(/Marketplaces on this server are tests/)).toBeTruthy();
});

test("the page of revenue has no part about marketplaces where nothing was metered", async () => {
  show();
  expect(await screen.findByText("By month")).toBeTruthy();
  expect(screen.queryByText("Metered usage at marketplaces")).toBeNull();
});

test("the page of revenue shows the rest when what marketplaces owe could not be read", async () => {
  show(report, "/admin/revenue", refuse(500, "internal_error", "Something went wrong."));
  expect(await screen.findByRole("button", { name: /Try again/ })).toBeTruthy();
  expect(screen.getByText("By month")).toBeTruthy();
});

test("the months of revenue become a chart from the earliest on, and CSV with exact cents", () => {
  const months = [month("2026-11"), month("2026-10", { churn_percent: null })];
  expect(createRevenueChart(months).slices).toEqual([
    { at: "2026-10", values: [7500, 5000], more: [] },
    { at: "2026-11", values: [7500, 5000], more: [] },
  ]);
  expect(toRevenueCsv(months).split("\r\n")[2]).toBe("2026-10,7500,5000,1250,2500,0,0,0,4,1,3000,1,2,");
  expect([readMonths(null), readMonths("36"), readMonths("5")]).toEqual([12, 36, 12]);
});
