import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BillingServer, type Buyer, createBillingServer } from "../../testing/billing.ts";

let server: BillingServer;
beforeAll(async () => {
  server = await createBillingServer();
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

const HIDDEN = "feather_scale";
const UNPRICED = "feather_enterprise";
const show = (is_public: boolean) =>
  server.db.updateTable("plans").set({ is_public }).where("id", "=", HIDDEN).execute();
const grant = async (who: Buyer, plan_id: string) => {
  const { token } = await server.signInAdmin();
  await server.call(`/api/admin/users/${who.userId}`, { method: "PUT", token, body: { plan_id } });
};
beforeEach(() => show(false));

describe.each([HIDDEN, UNPRICED])("the plan %s, which is not for sale", (plan_id) => {
  test.each([
    ["bought", "/api/subscription", { plan_id }],
    ["bought in a quantity", "/api/subscription", { plan_id, quantity: 1 }],
    ["previewed", "/api/subscription", { plan_id, preview: true }],
    ["checked out", "/api/subscription/checkout", { plan_id }],
    ["brought by a marketplace", "/api/cloud-marketplace/subscribe", { provider: "aws", token: `test_a_${plan_id}` }],
  ])("a plan that is not for sale cannot be %s", async (_how, path, body) => {
    const who = await server.createBuyer();
    const answer = await server.post(who, path, body);
    expect([404, 409]).toContain(answer.status);
    expect(["plans.not_found", "plans.contact_us"]).toContain(errorCode(answer.body));
    expect(await server.subscription(who)).toMatchObject({ id: null, plan: { id: "feather_lite" } });
    expect(await server.chargedCents(who)).toBe(0);
  });

  test("a plan that is not for sale cannot be bought with a coupon that makes it free", async () => {
    const code = `FREE_${plan_id}`.toUpperCase();
    await server.db.insertInto("coupons").values({ code, percent_off: "100", duration: "forever" }).execute();
    const who = await server.createBuyer();
    const answer = await server.change(who, { plan_id, coupon_code: code });
    expect([404, 409]).toContain(answer.status);
    expect((await server.subscription(who)).id).toBeNull();
  });

  test("a plan that is not for sale cannot be bought by an organization that an admin put on it", async () => {
    const who = await server.createBuyer();
    await grant(who, plan_id);
    const answer = await server.change(who, { plan_id, quantity: 1 });
    expect([404, 409]).toContain(answer.status);
    expect(await server.chargedCents(who)).toBe(0);
  });
});

describe("a plan that was taken off sale", () => {
  test("a plan that was taken off sale can be kept by its subscribers in a smaller quantity, but not in a larger one", async () => {
    await show(true);
    const who = await server.createBuyer();
    await server.change(who, { plan_id: HIDDEN, quantity: 2 });
    await show(false);
    const more = await server.change(who, { plan_id: HIDDEN, quantity: 3 });
    expect([more.status, errorCode(more.body)]).toEqual([409, "plans.contact_us"]);
    expect((await server.change(who, { plan_id: HIDDEN, quantity: 1 })).status).toBe(200);
    expect(await server.subscription(who)).toMatchObject({ quantity: 2, pending_change: { quantity: 1 } });
  });
});
