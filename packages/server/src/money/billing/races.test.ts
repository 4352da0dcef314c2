import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "../../platform/core/time.ts";
import { type BillingServer, type Buyer, CARDS, createBillingServer } from "../../testing/billing.ts";

const START = Date.parse("2026-01-31T10:00:00Z");
const BUYERS = 8;
const TOGETHER = 24;
const ROUNDS = 12;

let server: BillingServer;
const buyers: Buyer[] = [];
beforeAll(async () => {
  server = await createBillingServer("2026-01-31T10:00:00Z", { FEATHER_TAX_PERCENT: "7.7" });
  for (let index = 0; index < BUYERS; index++) {
    buyers.push(await server.createBuyer(null));
    const cards = server.db.insertInto("payment_methods").values({
      id: `pm_${index}`,
      organization_id: buyers[index]?.organizationId ?? "",
      driver: "test",
      reference: `test:${index === 0 ? "fails" : "works"}:${index}`,
      fingerprint: `card ${index}`,
      brand: "visa",
      last4: CARDS.works.slice(-4),
      exp_month: 12,
      exp_year: 2030,
      is_default: true,
      is_test: true,
      created_at: server.clock.now(),
    });
    await cards.execute();
  }
  // Each buyer referred the next one, and the last one referred the first. Every other buyer is an affiliate.
  for (const [index, who] of buyers.entries()) {
    const { code } = await server.read<{ code: string }>(who, "/api/account/referral/code");
    const friend = buyers[(index + 1) % BUYERS] as Buyer;
    expect((await server.post(friend, "/api/account/referrer", { code })).status).toBe(204);
    const method = index % 2 ? "commission" : "credits";
    const users = server.db.updateTable("users").set({ referral_reward_method: method });
    await users.where("id", "=", who.userId).execute();
  }
  const { token } = await server.signInAdmin();
  const coupon = { code: "RACE", duration: "forever", percent_off: 15, max_redemptions: 3 };
  await server.call("/api/admin/coupons", { token, body: coupon });
});
afterAll(() => server.close());

/** The seed makes the numbers the same in each run. */
let state = 20_260_131;
function upTo(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}
const oneOf = <T>(list: readonly T[]): T => list[upTo(list.length)] as T;

async function refundSomething(who: Buyer): Promise<{ status: number }> {
  const { token } = await server.signInAdmin();
  const invoice = oneOf((await server.invoices(who)).slice(0, 5));
  const body = upTo(2) ? {} : { amount_cents: 1 + upTo(400) };
  return server.call(`/api/admin/invoices/${invoice?.id ?? "none"}/refund`, { token, body });
}

async function work(): Promise<{ status: number }> {
  await server.runJobs();
  return { status: 200 };
}

const plans = ["feather_basic", "feather_pro_plus", "feather_request_pricing", "feather_lite"] as const;
const acts: readonly ((who: Buyer) => Promise<{ status: number }>)[] = [
  (who) => server.change(who, { plan_id: oneOf(plans) }),
  (who) => server.change(who, { plan_id: "feather_scale", quantity: 1 + upTo(4) }),
  (who) => server.change(who, { plan_id: "feather_basic", coupon_code: "RACE" }),
  (who) => server.post(who, "/api/usage/credits/top-up", { amount_usd_cents: 500 + upTo(500) }),
  (who) => server.call("/api/subscription", { method: "DELETE", token: who.key }),
  (who) => server.post(who, "/api/subscription/resume"),
  (who) => server.post(who, "/api/subscription/coupons/RACE"),
  (who) => server.call("/api/subscription/coupons", { method: "DELETE", token: who.key }),
  (who) => server.post(who, "/api/subscription/retention-coupon"),
  (who) => server.post(who, "/api/account/referral/payout"),
  refundSomething,
  work,
];

const statuses = new Map<number, number>();

describe("concurrent requests of many organizations", () => {
  test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    "concurrent requests of many organizations do not deadlock or fail, and the ledger adds up, in round %i",
    async (round) => {
      server.clock.at = START + round * 13 * DAY_MS;
      const done = await Promise.all(Array.from({ length: TOGETHER }, () => oneOf(acts)(oneOf(buyers))));
      for (const { status } of done) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect(done.filter(({ status }) => status >= 500)).toEqual([]);
      await server.runJobs();
      await server.verifyBooks();
    },
  );
});

test("concurrent requests leave every invoice paid as charged, and one subscription per buyer", async () => {
  expect(statuses.get(200)).toBeGreaterThan(50);
  for (const who of buyers) {
    const invoices = await server.invoices(who);
    const paid = invoices.filter(({ status }) => status === "paid");
    const due = paid.reduce((sum, { total_cents, refunded_cents }) => sum + total_cents - refunded_cents, 0);
    expect(due).toBe(await server.chargedCents(who));
    const live = server.db.selectFrom("subscriptions").selectAll().where("organization_id", "=", who.organizationId);
    expect((await live.where("ended_at", "is", null).execute()).length).toBeLessThanOrEqual(1);
  }
  const [coupon] = await server.db.selectFrom("coupons").selectAll().where("code", "=", "RACE").execute();
  expect(coupon?.redemptions).toBeLessThanOrEqual(3);
});
