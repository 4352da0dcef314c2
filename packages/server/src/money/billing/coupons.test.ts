import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BillingServer, type Buyer, CARDS, callConcurrently, createBillingServer } from "../../testing/billing.ts";
import type { Account } from "../../testing/server.ts";
import { startOtherServer } from "../../testing/two-servers.ts";

let server: BillingServer;
let admin: Account;
const START = "2026-01-15T12:00:00Z";
beforeAll(async () => {
  server = await createBillingServer(START);
  admin = await server.signInAdmin();
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

let counter = 0;
async function coupon(fields: object): Promise<string> {
  server.clock.at = Date.parse(START);
  const code = `CODE${++counter}`;
  const token = (await server.signInAdmin()).token;
  const answer = await server.call("/api/admin/coupons", { token, body: { code, duration: "once", ...fields } });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return code;
}
const adminCall = async (method: string, path: string, body?: object) =>
  server.call(path, { method, token: (await server.signInAdmin()).token, ...(body && { body }) });
async function subscriber(plan_id = "feather_basic", fields: object = {}) {
  server.clock.at = Date.parse(START);
  const who = await server.createBuyer();
  await server.change(who, { plan_id, ...fields });
  return who;
}
const apply = (who: Buyer, code: string) => server.post(who, `/api/subscription/coupons/${code}`);
const redemptions = async (code: string) => {
  const row = server.db.selectFrom("coupons").select("redemptions").where("code", "=", code);
  return (await row.executeTakeFirstOrThrow()).redemptions;
};

describe("a coupon on a purchase", () => {
  test.each([
    ["once", { percent_off: 50 }, [500, 1000, 1000, 1000]],
    ["for two months", { percent_off: 20, duration: "repeating", months: 2 }, [800, 800, 1000, 1000]],
    ["for ever", { amount_off_cents: 300, duration: "forever" }, [700, 700, 700, 700]],
    ["of more than the price", { amount_off_cents: 5000 }, [0, 1000, 1000, 1000]],
    ["of everything", { percent_off: 100, duration: "repeating", months: 3 }, [0, 0, 0, 1000]],
  ])("a coupon on a purchase reduces %s", async (_what, fields, expected) => {
    const code = await coupon(fields);
    const who = await server.createBuyer();
    const planChange = { plan_id: "feather_basic", coupon_code: code.toLowerCase() };
    expect((await server.preview(who, planChange)).total_due_now_cents).toBe(expected[0]);
    expect((await server.change(who, planChange)).status).toBe(200);
    const totals = [await server.chargedCents(who)];
    for (const month of ["02", "03", "04"]) {
      const before = await server.chargedCents(who);
      await server.advanceTo(`2026-${month}-15T12:00:00Z`);
      totals.push((await server.chargedCents(who)) - before);
    }
    expect(totals).toEqual(expected);
    expect(await redemptions(code)).toBe(1);
  });

  test.each([
    ["too old", { redeem_by_date: "2026-01-15T11:59:59Z" }, "expired"],
    ["not for the plan", { applies_to: ["feather_max"] }, "not_for_plan"],
  ])("a coupon on a purchase is rejected when it is %s", async (_what, fields, reason) => {
    const code = await coupon({ percent_off: 10, ...fields });
    const who = await server.createBuyer();
    const check = await server.read(who, `/api/subscription/coupons/${code}?plan_id=feather_basic`);
    expect(check).toMatchObject({ code, valid: false, reason });
    const answer = await server.change(who, { plan_id: "feather_basic", coupon_code: code });
    expect([answer.status, errorCode(answer.body)]).toEqual([409, `coupons.${reason}`]);
    expect(await server.chargedCents(who)).toBe(0);
  });

  test("a coupon on a purchase can be redeemed again after the purchase failed", async () => {
    const code = await coupon({ percent_off: 50, max_redemptions: 1 });
    const who = await server.createBuyer(CARDS.failsLater);
    const answer = await server.change(who, { plan_id: "feather_basic", coupon_code: code });
    expect([answer.status, errorCode(answer.body)]).toEqual([402, "payments.card_declined"]);
    expect(await redemptions(code)).toBe(0);
    expect(
      (await server.change(await server.createBuyer(), { plan_id: "feather_basic", coupon_code: code })).status,
    ).toBe(200);
    expect(await redemptions(code)).toBe(1);
  });

  test("a coupon on a purchase stays redeemed when an earlier payment, which had failed, succeeds after all", async () => {
    const code = await coupon({ percent_off: 50 });
    const who = await server.createBuyer(CARDS.failsLater);
    const planChange = { plan_id: "feather_basic", coupon_code: code };
    expect((await server.change(who, planChange)).status).toBe(402);
    const failed = await server.db
      .selectFrom("payments")
      .select("id")
      .where("organization_id", "=", who.organizationId)
      .executeTakeFirstOrThrow();
    const { id: cardId } = (await server.addCard(who)).body as { id: string };
    await server.call(`/api/payment-methods/${cardId}`, { method: "PUT", token: who.key });
    expect((await server.change(who, planChange)).status).toBe(200);
    const charge = server.db.updateTable("test_charges").set({ status: "succeeded", failure_code: null });
    await charge.where("idempotency_key", "=", failed.id).execute();
    await server.billing.payments.handleEvent({ id: "late", paymentId: failed.id, type: "payment.succeeded" });
    expect(await server.billing.payments.find(failed.id)).toMatchObject({ outcome: "given_back" });
    expect(await redemptions(code)).toBe(1);
    const check = await server.read(who, `/api/subscription/coupons/${code}?plan_id=feather_basic`);
    expect(check).toMatchObject({ valid: false, reason: "already_used" });
  });
});

describe("a coupon on a subscription", () => {
  test("a coupon on a subscription takes effect with the next invoice, and stays redeemed when it is removed", async () => {
    const code = await coupon({ percent_off: 25, duration: "forever" });
    const who = await subscriber();
    expect((await apply(who, code)).body).toMatchObject({ coupon: { code, percent_off: 25 } });
    await server.advanceTo("2026-02-15T12:00:00Z");
    expect(await server.chargedCents(who)).toBe(1750);
    const removed = await server.call("/api/subscription/coupons", { method: "DELETE", token: who.key });
    expect(removed.body).toMatchObject({ coupon: null });
    const again = await apply(who, code);
    expect([again.status, errorCode(again.body)]).toEqual([409, "coupons.already_used"]);
    const none = await server.call("/api/subscription/coupons", { method: "DELETE", token: who.key });
    expect([none.status, errorCode(none.body)]).toEqual([409, "coupons.none"]);
    await server.advanceTo("2026-03-15T12:00:00Z");
    expect(await server.chargedCents(who)).toBe(2750);
  });

  test("a coupon on a subscription is rejected while another one is applied", async () => {
    const [one, two] = [await coupon({ percent_off: 10 }), await coupon({ percent_off: 90 })];
    const who = await subscriber();
    await apply(who, one);
    const answer = await apply(who, two);
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "coupons.one_at_a_time"]);
    expect(await redemptions(two)).toBe(0);
  });

  test("redeeming an unknown coupon code returns 404", async () => {
    const who = await subscriber();
    expect((await apply(who, "NOTHING")).status).toBe(404);
    expect((await server.call("/api/subscription/coupons/NOTHING", { token: who.key })).status).toBe(404);
  });
});

describe("the retention offer", () => {
  const offer = async (who: Buyer) =>
    (await server.read<{ coupon: { code: string } | null }>(who, "/api/subscription/retention-coupon")).coupon;
  const take = (who: Buyer) => server.post(who, "/api/subscription/retention-coupon");

  test("the retention offer withdraws the cancellation and reduces the next three invoices", async () => {
    const who = await subscriber();
    await server.call("/api/subscription", { method: "DELETE", token: who.key });
    expect(await offer(who)).toMatchObject({ code: "STAY20", percent_off: 20, valid: true });
    expect((await take(who)).body).toMatchObject({ cancel_at_period_end: false, coupon: { code: "STAY20" } });
    expect(await offer(who)).toBe(null);
    await server.advanceStepwise("2026-05-15T12:00:00Z");
    expect(await server.chargedCents(who)).toBe(1000 + 3 * 800 + 1000);
  });

  test("the retention offer is accepted once in twelve months, even by fifty concurrent attempts", async () => {
    const who = await subscriber();
    expect(await callConcurrently(50, () => take(who))).toEqual({ 200: 1, 409: 49 });
    await server.call("/api/subscription/coupons", { method: "DELETE", token: who.key });
    const early = await take(who);
    expect([early.status, errorCode(early.body)]).toEqual([409, "coupons.retention_taken"]);
    await server.advanceTo("2027-01-15T12:00:01Z");
    expect(await offer(who)).toMatchObject({ code: "STAY20" });
    expect((await take(who)).status).toBe(200);
  });

  test("the retention offer cannot be redeemed by its code", async () => {
    const who = await subscriber();
    expect((await apply(who, "STAY20")).status).toBe(404);
    expect(
      (await server.change(await server.createBuyer(), { plan_id: "feather_basic", coupon_code: "STAY20" })).status,
    ).toBe(404);
  });

  test("the retention offer is made to paying organizations only", async () => {
    expect(await offer(await server.createBuyer())).toBe(null);
  });

  test("the retention offer is the coupon that an admin marked as the retention coupon", async () => {
    const code = await coupon({ percent_off: 40, duration: "once", is_retention: true });
    const who = await subscriber();
    expect(await offer(who)).toMatchObject({ code });
    await adminCall("DELETE", `/api/admin/coupons/${code}`);
    expect(await offer(who)).toBe(null);
    await adminCall("PUT", "/api/admin/coupons/stay20", { is_retention: true });
    expect(await offer(who)).toMatchObject({ code: "STAY20" });
  });
});

describe("coupons of admins", () => {
  test("coupons are listed for admins with their redemptions, including ended ones", async () => {
    const code = await coupon({ percent_off: 12.5, redeem_by_date: "2027-01-01T00:00:00Z", max_redemptions: 3 });
    await apply(await subscriber(), code);
    expect((await adminCall("DELETE", `/api/admin/coupons/${code}`)).status).toBe(204);
    const { items } = (await adminCall("GET", "/api/admin/coupons")).body as { items: { code: string }[] };
    expect(items.find((item) => item.code === code)).toMatchObject({
      percent_off: 12.5,
      redemptions: 1,
      valid: false,
      reason: "ended",
      max_redemptions: 3,
      redeem_by_date: "2027-01-01T00:00:00.000Z",
    });
  });

  test("coupons stay on subscriptions that have them after they ended", async () => {
    const code = await coupon({ percent_off: 50, duration: "forever" });
    const who = await subscriber();
    await apply(who, code);
    await adminCall("DELETE", `/api/admin/coupons/${code}`);
    await server.advanceTo("2026-02-15T12:00:00Z");
    expect(await server.chargedCents(who)).toBe(1500);
    const late = await apply(await subscriber(), code);
    expect([late.status, errorCode(late.body)]).toEqual([409, "coupons.ended"]);
  });

  test("coupons can be changed by admins, but not to fewer redemptions than there were", async () => {
    const code = await coupon({ percent_off: 10, max_redemptions: 2 });
    await apply(await subscriber(), code);
    await apply(await subscriber(), code);
    const less = await adminCall("PUT", `/api/admin/coupons/${code}`, { max_redemptions: 1 });
    expect([less.status, errorCode(less.body)]).toEqual([409, "coupons.used_more_often"]);
    const more = await adminCall("PUT", `/api/admin/coupons/${code.toLowerCase()}`, { max_redemptions: 3 });
    expect(more.body).toMatchObject({ max_redemptions: 3, redemptions: 2, valid: true });
    expect((await apply(await subscriber(), code)).status).toBe(200);
  });

  test.each([
    ["thousandths of a percent", { code: "X5", duration: "once", percent_off: 0.001 }, 400],
    ["more than everything", { code: "X6", duration: "once", percent_off: 100.5 }, 400],
    ["a plan that is not there", { code: "X7", duration: "once", percent_off: 5, applies_to: ["none"] }, 400],
    ["a code with a space", { code: "X 8", duration: "once", percent_off: 5 }, 400],
    ["a code that is there in other case", { code: "stay20", duration: "once", percent_off: 5 }, 409],
  ])("coupons of admins are rejected with %s", async (_what, body, status) => {
    const answer = await adminCall("POST", "/api/admin/coupons", body);
    expect(answer.status).toBe(status);
  });

  test.each([
    ["both kinds of reduction", { duration: "once", percent_off: 1, amount_off_cents: 1 }, "percent_off"],
    ["no reduction", { duration: "once", amount_off_cents: null }, "percent_off"],
    ["months without repeating", { duration: "once", percent_off: 5, months: 2 }, "months"],
    ["repeating without months", { duration: "repeating", percent_off: 5 }, "months"],
  ])("coupons of admins are rejected by the contract with %s", async (_what, body, param) => {
    const answer = await adminCall("POST", "/api/admin/coupons", { code: "X1", ...body });
    const { data } = answer.body as { data: string };
    const { details } = JSON.parse(data) as { details: { in: string; fields: { field: string }[] } };
    expect([answer.status, details.in, details.fields[0]?.field]).toEqual([400, "body", param]);
  });

  test("coupons are made with an amount, or with a percentage, and null for the other", async () => {
    const fields = { code: "AMOUNT1", duration: "repeating", months: 2, amount_off_cents: 5, percent_off: null };
    expect((await adminCall("POST", "/api/admin/coupons", fields)).status).toBe(201);
    const percent = { code: "PERCENT1", duration: "once", months: null, amount_off_cents: null, percent_off: 5 };
    expect((await adminCall("POST", "/api/admin/coupons", percent)).status).toBe(201);
  });

  test("coupons are managed by admins only, and return 404 when they do not exist", async () => {
    expect((await adminCall("DELETE", "/api/admin/coupons/NOTHING")).status).toBe(404);
    expect((await adminCall("PUT", "/api/admin/coupons/NOTHING", {})).status).toBe(404);
    const who = await server.createBuyer();
    expect((await server.call("/api/admin/coupons", { token: who.token })).status).toBe(404);
    expect(admin.userId).toMatch(/^usr_/);
  });
});

describe("fifty concurrent redemptions of a coupon", () => {
  let all: Buyer[] = [];
  beforeAll(async () => {
    server.clock.at = Date.parse(START);
    for (let index = 0; index < 50; index++) all.push(await server.createBuyer());
    await Promise.all(all.map((who) => server.change(who, { plan_id: "feather_basic" })));
  });

  test.each([1, 7])("fifty concurrent redemptions of a coupon succeed at most %i times", async (allowed) => {
    const code = await coupon({ percent_off: 10, max_redemptions: allowed });
    const counts = await callConcurrently(50, (index) => apply(all[index] as Buyer, code));
    expect(counts).toEqual({ 200: allowed, 409: 50 - allowed });
    expect(await redemptions(code)).toBe(allowed);
    const uses = server.db.selectFrom("coupon_redemptions").selectAll().where("coupon_code", "=", code);
    expect(await uses.execute()).toHaveLength(allowed);
    await server.db.updateTable("subscriptions").set({ coupon_code: null, coupon_end_date: null }).execute();
  });

  test("fifty concurrent redemptions redeem each of four single-use codes exactly once", async () => {
    const codes: string[] = [];
    for (let index = 0; index < 4; index++) codes.push(await coupon({ percent_off: 10, max_redemptions: 1 }));
    for (const code of codes) {
      await callConcurrently(50, (index) => apply(all[index] as Buyer, code));
      await server.db.updateTable("subscriptions").set({ coupon_code: null, coupon_end_date: null }).execute();
    }
    expect(await Promise.all(codes.map(redemptions))).toEqual(codes.map(() => 1));
  });

  test("fifty concurrent redemptions redeem a single-use code once at two servers", async () => {
    const other = await startOtherServer(server);
    const code = await coupon({ percent_off: 10, max_redemptions: 1 });
    const counts = await callConcurrently(50, (index) => {
      const { key } = all[index] as Buyer;
      const at = index % 2 === 0 ? server : other;
      return at.call(`/api/subscription/coupons/${code}`, { method: "POST", token: key });
    });
    expect(counts).toEqual({ 200: 1, 409: 49 });
    expect(await redemptions(code)).toBe(1);
    await server.db.updateTable("subscriptions").set({ coupon_code: null, coupon_end_date: null }).execute();
    await other.close();
  });

  test("fifty concurrent redemptions redeem a coupon once for the same organization", async () => {
    const code = await coupon({ percent_off: 10 });
    const [who] = all;
    const counts = await callConcurrently(50, () => apply(who as Buyer, code));
    expect(counts).toEqual({ 200: 1, 409: 49 });
    expect(await redemptions(code)).toBe(1);
    all = [];
  });
});

test.each([1e-9, 0.001, 0.004, 12.345])(
  "a coupon of %d percent is refused, since it has two decimals",
  async (percent) => {
    const { token } = await server.signInAdmin();
    const body = { code: "FINE", duration: "once", percent_off: percent };
    const { status, text } = await server.call("/api/admin/coupons", { token, body });
    expect([status, text]).toEqual([400, expect.stringContaining("percent_off")]);
  },
);
