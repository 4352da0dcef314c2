import { afterAll, beforeAll, expect, test } from "vitest";
import { type BillingServer, createBillingServer } from "../../testing/billing.ts";

let server: BillingServer;
beforeAll(async () => {
  server = await createBillingServer("2026-01-31T10:00:00Z", { FEATHER_TAX_PERCENT: "19" });
  const admin = await server.signInAdmin();
  const plan = { price_usd_cents: 12_345, unit_based: true, max_quantity: 20 };
  for (const body of [
    { ...plan, id: "odd", name: "Odd" },
    { ...plan, id: "yearly", name: "Yearly", interval: "year", price_usd_cents: 99_999 },
  ])
    await server.call("/api/admin/plans", { token: admin.token, body });
  for (const body of [
    { code: "THIRD", percent_off: 33.33, duration: "forever" },
    { code: "CENTS", amount_off_cents: 777, duration: "repeating", months: 3 },
    { code: "ONCE", percent_off: 50, duration: "once" },
  ])
    await server.call("/api/admin/coupons", { token: admin.token, body });
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

/** Returns pseudo-random numbers: the same ones for the same seed. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}
const PLANS = ["feather_basic", "feather_pro_plus", "feather_scale", "feather_request_pricing", "odd", "yearly"];
const WITH_UNITS = ["feather_scale", "odd", "yearly"];

test.each(Array.from({ length: 8 }, (_, seed) => seed + 1))(
  "purchases charge exactly what the preview says through a year of changes: seed %i",
  async (seed) => {
    const next = numbers(seed * 7919);
    server.clock.at = Date.parse("2026-01-31T10:00:00Z");
    const who = await server.createBuyer();
    let charged = 0;
    for (let step = 0; step < 14; step++) {
      server.clock.at += next(40 * 86_400) * 1000;
      const before = await server.chargedCents(who);
      await server.runJobs();
      charged += (await server.chargedCents(who)) - before;
      const plan_id = PLANS[next(PLANS.length)] ?? "odd";
      const coupon = [undefined, undefined, "THIRD", "CENTS", "ONCE"][next(5)];
      const planChange = {
        plan_id,
        quantity: WITH_UNITS.includes(plan_id) ? 1 + next(5) : 1,
        ...(coupon !== undefined && { coupon_code: coupon }),
      };
      const answer = await server.post(who, "/api/subscription", { ...planChange, preview: true });
      if (answer.status !== 200) {
        // A change that cannot be previewed cannot be made either, for the same reason.
        expect((await server.change(who, planChange)).status).toBe(answer.status);
        continue;
      }
      const { preview } = answer.body as { preview: Awaited<ReturnType<BillingServer["preview"]>> };
      const sum = preview.lines.reduce((total, { amount_cents }) => total + amount_cents, 0);
      expect(sum).toBe(preview.subtotal_cents);
      expect(preview.subtotal_cents - preview.discount_cents + preview.tax_cents).toBe(preview.total_due_now_cents);
      const done = await server.change(who, planChange);
      if (done.status !== 200) continue;
      charged += preview.total_due_now_cents;
      expect(await server.chargedCents(who)).toBe(charged);
      const [newest] = await server.invoices(who);
      if (preview.total_due_now_cents > 0) expect(newest).toMatchObject({ lines: preview.lines, status: "paid" });
      if (preview.next_invoice_date === null) continue;
      const period = (await server.subscription(who)).current_period_end_date;
      expect(period).toBe(preview.next_invoice_date);
    }
    for (const invoice of await server.invoices(who)) {
      const sum = invoice.lines.reduce((total, { amount_cents }) => total + amount_cents, 0);
      expect(sum).toBe(invoice.subtotal_cents);
      expect(invoice.subtotal_cents - invoice.discount_cents + invoice.tax_cents).toBe(invoice.total_cents);
    }
    const paid = (await server.invoices(who)).reduce((total, { total_cents }) => total + total_cents, 0);
    expect(paid).toBe(await server.chargedCents(who));
  },
);

test("the next invoice matches the preview", async () => {
  for (const planChange of [
    { plan_id: "odd", quantity: 3, coupon_code: "THIRD" },
    { plan_id: "feather_pro_plus", coupon_code: "ONCE" },
    { plan_id: "feather_scale", quantity: 2, coupon_code: "CENTS" },
    { plan_id: "feather_request_pricing" },
  ]) {
    server.clock.at = Date.parse("2026-01-31T10:00:00Z");
    const who = await server.createBuyer();
    const preview = await server.preview(who, planChange);
    await server.change(who, planChange);
    await server.advanceTo(preview.next_invoice_date ?? "");
    expect(await server.chargedCents(who)).toBe(preview.total_due_now_cents + preview.next_invoice_cents);
  }
});
