import { afterAll, beforeAll, expect, test } from "vitest";
import { type BillingServer, CARDS, createBillingServer } from "../../testing/billing.ts";

let server: BillingServer;
beforeAll(async () => {
  server = await createBillingServer("2026-01-10T10:00:00Z", { FEATHER_TAX_PERCENT: "20" });
});
afterAll(() => server.close());

type Month = { month: string } & Record<string, number | null>;
type Report = { months: Month[]; plans: object[] } & Record<string, unknown>;
async function read(query = ""): Promise<Report> {
  const { token } = await server.signInAdmin();
  const { status, body, text } = await server.call(`/api/admin/revenue${query}`, { token });
  expect(status, text).toBe(200);
  return body as Report;
}
const monthOf = ({ months }: Report, name: string) => months.find(({ month }) => month === name);
const NOTHING = {
  by_currency: [],
  plan_usd_cents: 0,
  credits_usd_cents: 0,
  metered_usd_cents: 0,
  tax_usd_cents: 0,
  refunded_usd_cents: 0,
  disputed_usd_cents: 0,
  uncollectible_usd_cents: 0,
  paid_invoice_count: 0,
  failed_payment_count: 0,
  failed_payment_usd_cents: 0,
  started_count: 0,
  ended_count: 0,
  churn_percent: null,
};

test("the report of revenue has twelve months without figures on a new server, and as many as are asked for", async () => {
  const report = await read();
  expect(report).toMatchObject({
    is_test: true,
    is_metered_test: true,
    mrr_usd_cents: 0,
    subscription_count: 0,
    plans: [],
  });
  expect(report.months).toHaveLength(12);
  expect(report.months[0]).toEqual({ month: "2026-01", ...NOTHING });
  expect(report.months[11]).toEqual({ month: "2025-02", ...NOTHING });
  expect((await read("?months=1")).months.map(({ month }) => month)).toEqual(["2026-01"]);
});

test("the report of revenue follows plans, credits, refunds, failures and ends through months", async () => {
  const stays = await server.createBuyer();
  const leaves = await server.createBuyer();
  const cannotPay = await server.createBuyer(CARDS.failsLater);
  await server.change(stays, { plan_id: "feather_basic" });
  await server.change(leaves, { plan_id: "feather_scale", quantity: 2 });
  await server.post(cannotPay, "/api/usage/credits/top-up", { amount_usd_cents: 3000 });
  await server.post(stays, "/api/usage/credits/top-up", { amount_usd_cents: 5000 });
  const basicCents = 1000;
  const { mrr_usd_cents: mrr } = await read();
  const scaleCents = Number(mrr) - basicCents;
  expect(await read()).toMatchObject({
    subscription_count: 2,
    canceling_count: 0,
    plans: [
      { plan_id: "feather_scale", subscription_count: 1, unit_count: 2, mrr_usd_cents: scaleCents },
      { plan_id: "feather_basic", subscription_count: 1, unit_count: 1, mrr_usd_cents: basicCents },
    ],
  });
  expect(monthOf(await read(), "2026-01")).toEqual({
    ...NOTHING,
    month: "2026-01",
    by_currency: [{ currency: "USD", paid_cents: 31_200, refunded_cents: 0 }],
    plan_usd_cents: basicCents + scaleCents,
    credits_usd_cents: 5000,
    tax_usd_cents: (basicCents + scaleCents + 5000) / 5,
    paid_invoice_count: 3,
    failed_payment_count: 1,
    failed_payment_usd_cents: 3600,
    started_count: 2,
  });

  const [topUp] = await server.invoices(stays);
  const { token } = await server.signInAdmin();
  await server.call(`/api/admin/invoices/${topUp?.id}/refund`, { method: "POST", token });
  await server.call("/api/subscription", { method: "DELETE", token: leaves.key });
  expect(await read()).toMatchObject({ canceling_count: 1 });
  await server.advanceStepwise("2026-02-15T10:00:00Z");
  const later = await read();
  expect(later).toMatchObject({ mrr_usd_cents: basicCents, subscription_count: 1, canceling_count: 0 });
  expect(monthOf(later, "2026-01")).toMatchObject({ refunded_usd_cents: 6000, disputed_usd_cents: 0, ended_count: 0 });
  expect(monthOf(later, "2026-02")).toMatchObject({
    plan_usd_cents: basicCents,
    paid_invoice_count: 1,
    started_count: 0,
    ended_count: 1,
    churn_percent: 50,
  });
});

test("the report of revenue has what banks took back after disputes that were lost, in the month of the payment", async () => {
  const lost = { dispute_status: "lost", disputed_cents: 500 };
  const paid = server.db.updateTable("invoices").where("status", "=", "paid").where("kind", "=", "top_up");
  await paid.set(lost).execute();
  expect(monthOf(await read(), "2026-01")).toMatchObject({ disputed_usd_cents: 500 });
  await paid.set({ ...lost, dispute_status: "open" }).execute();
  expect(monthOf(await read(), "2026-01")).toMatchObject({ disputed_usd_cents: 0 });
  await paid.set({ dispute_status: null, disputed_cents: 0 }).execute();
});

test("the report of revenue leaves out what was paid by the other kind of payments", async () => {
  const before = await read();
  await server.db.updateTable("invoices").set({ is_test: false }).execute();
  await server.db.updateTable("payments").set({ is_test: false }).execute();
  const report = await read();
  await server.db.updateTable("invoices").set({ is_test: true }).execute();
  await server.db.updateTable("payments").set({ is_test: true }).execute();
  expect(report).toMatchObject({ mrr_usd_cents: 0, subscription_count: 0 });
  expect(
    report.months.every(({ plan_usd_cents, failed_payment_count }) => !plan_usd_cents && !failed_payment_count),
  ).toBe(true);
  expect(await read()).toEqual(before);
});

test("the report of revenue counts a twelfth of a yearly price, and no trials", async () => {
  const before = await read();
  await server.db
    .updateTable("plans")
    .set({ billing_interval: "year", price_usd_cents: 12_000 })
    .where("id", "=", "feather_max")
    .execute();
  const yearly = await server.createBuyer();
  await server.change(yearly, { plan_id: "feather_max" });
  await server.db.updateTable("plans").set({ trial_days: 7 }).where("id", "=", "feather_scale").execute();
  const trying = await server.createBuyer(CARDS.alsoWorks);
  expect((await server.change(trying, { plan_id: "feather_scale" })).status).toBe(200);
  const report = await read();
  expect(report).toMatchObject({
    mrr_usd_cents: Number(before.mrr_usd_cents) + 1000,
    subscription_count: Number(before.subscription_count) + 1,
    trial_count: 1,
  });
});

test.each(["0", "37", "x"])("the report of revenue refuses %s months, and everybody but admins", async (months) => {
  const { token } = await server.signInAdmin();
  expect((await server.call(`/api/admin/revenue?months=${months}`, { token })).status).toBe(400);
  const who = await server.createBuyer(null);
  expect((await server.call("/api/admin/revenue", { token: who.key })).status).toBe(404);
});
