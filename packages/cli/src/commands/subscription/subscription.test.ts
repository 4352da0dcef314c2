import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const plan = {
  id: "max",
  name: "Max",
  billing_mode: "subscription",
  price_usd_cents: 2000,
  prices: [{ currency: "JPY", price_cents: 3000, is_converted: true }],
  interval: "month",
  unit_based: false,
  concurrency: 8,
  max_model_size: null,
};
const free = {
  ...plan,
  id: "free",
  name: "Free",
  price_usd_cents: 0,
  prices: [],
  concurrency: 1,
  max_model_size: 15_000_000_000,
};
const coupon = { code: "SPRING", percent_off: 20, amount_off_cents: null, duration: "repeating", months: 3 };
const subscription = (fields: object = {}) => ({
  id: "sub_1",
  status: "active",
  plan,
  quantity: 1,
  current_period_start_date: "2026-11-01T00:00:00.000Z",
  current_period_end_date: "2026-12-01T00:00:00.000Z",
  cancel_at_period_end: false,
  coupon: null,
  pending_change: null,
  trial_end_date: null,
  price_change: null,
  ...fields,
});
const preview = {
  currency: "USD",
  lines: [
    { description: "Max, rest of the period", amount_cents: 1333 },
    { description: "Pro, what is left", amount_cents: -400 },
  ],
  proration_cents: 933,
  subtotal_cents: 933,
  discount_cents: 100,
  tax_cents: 0,
  total_due_now_cents: 833,
  next_invoice_cents: 2000,
  next_invoice_date: "2026-12-01T00:00:00.000Z",
};
const state = { payments: "test" };
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /subscription/plans": () => ({ body: { items: [free, plan] } }),
  "GET /config": () => ({ body: { product_name: "Feather", ...state, marketplaces: "test", providers: [] } }),
  "GET /subscription": () => ({ body: subscription({ coupon }) }),
  "POST /subscription": ({ body }) => {
    const { plan_id, preview: asks } = body as { plan_id: string; preview?: boolean };
    if (plan_id === "poor") return errorResponse(402, "payment_methods.required", "There is no card in store.");
    if (plan_id === "none") return errorResponse(404, "plans.not_found", "There is no plan none.");
    if (asks) return { body: { preview, subscription: null, is_test: true } };
    const waits = { pending_change: { plan_id, quantity: 1, effective_date: "2026-12-01T00:00:00.000Z" } };
    return { body: { preview: null, subscription: subscription(plan_id === "free" ? waits : {}), is_test: true } };
  },
  "DELETE /subscription": () => ({ body: subscription({ cancel_at_period_end: true }) }),
  "POST /subscription/resume": () => errorResponse(409, "subscription.not_canceled", "Nothing waits to be taken back."),
});

test("subscription show prints the plan with its price and pending changes", async () => {
  const { code, out } = await run("subscription show");
  expect(code).toBe(0);
  expect(out.split("\n")).toEqual([
    "plan\tMax",
    "state\tactive",
    "price\t$20.00 a month",
    "units\t8",
    "renews\t1 Dec 2026",
    "coupon\tSPRING, 20 % off for 3 months",
    "",
  ]);
  expect((await run("subscription show -q")).out).toBe("sub_1\n");
  expect(JSON.parse((await run("subscription show --json id,quantity")).out)).toEqual({ id: "sub_1", quantity: 1 });
});

test("lists plans for people, pipes and programs, signed in or not", async () => {
  const { out } = await runInteractive("subscription plans");
  expect(out).toMatch(/^PLAN +PRICE +UNITS +LARGEST MODEL +ID\nFree +free +1 +15B +free\n/);
  expect(out).toMatch(/Max +\$20\.00 a month, ¥3,000 a month +8 +no limit +max\n/);
  expect((await runAnonymous("subscription plans")).out).toBe("Free\t0\t1\t15000000000\tfree\nMax\t2000\t8\t\tmax\n");
  expect(JSON.parse((await run("subscription plans --json")).out)).toMatchObject({ items: [{ id: "free" }, {}] });
});

test("subscription preview prints every line of the cost, and changes nothing", async () => {
  const { out } = await run("subscription preview max --quantity 2 --coupon SPRING");
  expect(out.split("\n")).toEqual([
    "Max, rest of the period\t$13.33",
    "Pro, what is left\t-$4.00",
    "discount\t-$1.00",
    "due now\t$8.33",
    "then\t$20.00 on 1 Dec 2026",
    "",
  ]);
  expect(requests().map(({ body }) => body)).toEqual([
    { plan_id: "max", quantity: 2, coupon_code: "SPRING", preview: true },
  ]);
});

test.each([
  ["max", "You are on Max now."],
  ["free", "You stay on Max until 1 Dec 2026; then it is free."],
])("a change to %s says when it takes effect", async (id, said) => {
  const { code, out, err } = await run(`subscription change ${id} --yes`);
  expect([code, out, err]).toEqual([0, `${id}\n`, `${said}\n`]);
  expect(requests().map(({ body }) => body)).toEqual([{ plan_id: id }]);
});

test("a change prints JSON for programs", async () => {
  const answer = JSON.parse((await run("subscription change max --yes --json is_test")).out);
  expect(answer).toEqual({ is_test: true });
});

test("a cancellation says when the plan ends", async () => {
  const { out, err } = await run("subscription cancel --yes");
  expect([out, err]).toEqual(["sub_1\n", "Cancelled. Max goes on until 1 Dec 2026.\n"]);
});

test.each(["subscription change max", "subscription cancel"])("%s without --yes changes nothing", async (line) => {
  const { code, err } = await run(line);
  expect(code).toBe(2);
  expect(err).toContain("--yes");
  expect(requests()).toEqual([]);
});

test.each([
  ["subscription change poor --yes", 7, "There is no card in store."],
  ["subscription preview none", 3, "There is no plan none."],
  ["subscription resume", 6, "Nothing waits to be taken back."],
  ["subscription preview max --quantity 0", 2, "whole number"],
  ["subscription preview", 2, "use the plan's id: feather subscription plans"],
  ["subscription show --json nope", 2, "unknown field: nope"],
])("%s exits with %i", async (line, exitCode, message) => {
  const { code, out, err } = await run(line);
  expect([code, out]).toEqual([exitCode, ""]);
  expect(err).toContain(message);
});

test("the list of plans says when the server sells nothing", async () => {
  state.payments = "off";
  const { out, err } = await run("subscription plans");
  state.payments = "test";
  expect(out).toContain("Max\t2000");
  expect(err).toContain("Nothing is sold on this server: an admin puts organizations on plans.");
});
