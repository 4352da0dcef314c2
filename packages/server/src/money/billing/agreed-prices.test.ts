import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BillingServer, type Buyer, CARDS, createBillingServer } from "../../testing/billing.ts";

let server: BillingServer;
const START = "2026-01-31T10:00:00Z";
beforeAll(async () => {
  server = await createBillingServer(START);
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

let counter = 0;
const asAdmin = async (method: string, path: string, body?: object) => {
  const { token } = await server.signInAdmin();
  return server.call(`/api/admin/plans${path}`, { method, token, ...(body && { body }) });
};
/** Creates a plan and an account that has bought it. */
async function bought(fields: object = {}): Promise<{ id: string; who: Buyer }> {
  server.clock.at = Date.parse(START);
  const id = `terms_${++counter}`;
  await asAdmin("POST", "", { id, name: "Terms", price_usd_cents: 900, ...fields });
  const who = await server.createBuyer();
  expect((await server.change(who, { plan_id: id })).status).toBe(200);
  return { id, who };
}
const announce = (id: string) => asAdmin("POST", `/${id}/announce-price`);

describe("a subscription", () => {
  test("a subscription keeps the price and interval of its purchase, also after a trial, when an admin changes both", async () => {
    const { id, who } = await bought({ trial_days: 14 });
    await asAdmin("PUT", `/${id}`, { price_usd_cents: 99_900 });
    await asAdmin("PUT", `/${id}`, { interval: "year" });
    expect(await server.subscription(who)).toMatchObject({
      status: "trialing",
      plan: { price_usd_cents: 900, interval: "month" },
    });
    await server.advanceTo("2026-02-14T10:00:00Z");
    expect(await server.chargedCents(who)).toBe(900);
    await server.advanceTo("2026-03-14T10:00:00Z");
    expect(await server.chargedCents(who)).toBe(1800);
    expect(await server.subscription(who)).toMatchObject({ current_period_end_date: "2026-04-14T10:00:00.000Z" });
  });

  test("a subscription credits its unused time at the agreed price", async () => {
    const { id, who } = await bought();
    await asAdmin("PUT", `/${id}`, { price_usd_cents: 100 });
    expect(await server.preview(who, { plan_id: "feather_basic" })).toMatchObject({ total_due_now_cents: 100 });
  });

  test("a subscription changes to a scheduled cheaper plan at the price of the day it was chosen", async () => {
    const { id } = await bought({ price_usd_cents: 500 });
    const who = await server.createBuyer();
    await server.change(who, { plan_id: "feather_basic" });
    await server.change(who, { plan_id: id });
    await asAdmin("PUT", `/${id}`, { price_usd_cents: 700 });
    await server.advanceTo("2026-02-28T10:00:00Z");
    expect(await server.chargedCents(who)).toBe(1500);
  });

  test("a subscription counts price changes of its plan as versions, but no other changes", async () => {
    const { id } = await bought();
    await asAdmin("PUT", `/${id}`, { price_usd_cents: 1000 });
    await asAdmin("PUT", `/${id}`, { description: "More" });
    const { version } = await server.db
      .selectFrom("plans")
      .select("version")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(version).toBe(2);
  });
});

describe("the billing mode of a plan", () => {
  test("the billing mode of a plan cannot change while an organization is on the plan", async () => {
    const { id } = await bought();
    const refused = await asAdmin("PUT", `/${id}`, { billing_mode: "request_pricing" });
    expect([refused.status, errorCode(refused.body)]).toEqual([409, "plans.in_use"]);
    expect((await asAdmin("PUT", `/${id}`, { billing_mode: "subscription" })).status).toBe(200);
  });
});

describe("an announced price", () => {
  test("an announced price is mailed once, shown, and applies from the first period that begins 30 days later", async () => {
    const { id, who } = await bought();
    await asAdmin("PUT", `/${id}`, { price_usd_cents: 1200 });
    const first = await announce(id);
    expect(first.body).toEqual({ announced_count: 1, effective_from_date: "2026-03-02T10:00:00.000Z" });
    expect((await announce(id)).body).toMatchObject({ announced_count: 0 });
    const mails = (await server.listMails(who.email)).filter(({ kind }) => kind === "price_change");
    expect(mails.map(({ body }) => body)).toEqual([expect.stringContaining("Until now you pay $9.00 a month.")]);
    expect(mails[0]?.body).toContain("on 2 Mar 2026 or later you pay $12.00 a month.");
    expect(await server.subscription(who)).toMatchObject({
      plan: { price_usd_cents: 900 },
      price_change: { price_cents: 1200, interval: "month", effective_date: "2026-03-02T10:00:00.000Z" },
    });
    await server.advanceTo("2026-02-28T10:00:00Z");
    expect(await server.chargedCents(who)).toBe(1800);
    await server.advanceTo("2026-03-31T10:00:00Z");
    expect(await server.chargedCents(who)).toBe(3000);
    expect(await server.subscription(who)).toMatchObject({ plan: { price_usd_cents: 1200 }, price_change: null });
  });

  test("an announced price is not mailed to subscribers who pay it already, and requires a plan with a price", async () => {
    const { id } = await bought();
    expect((await announce(id)).body).toMatchObject({ announced_count: 0 });
    expect((await announce("feather_enterprise")).status).toBe(409);
    expect((await announce("none")).status).toBe(404);
  });
});

describe("the subscribers of a plan", () => {
  const subscribers = async (id: string) => (await asAdmin("GET", `/${id}/subscribers`)).body;

  test("the subscribers of a plan are counted by the prices they agreed to, and by what was announced to them", async () => {
    const { id } = await bought();
    await asAdmin("PUT", `/${id}`, { price_usd_cents: 1200 });
    for (let buyer = 0; buyer < 2; buyer++) await server.change(await server.createBuyer(), { plan_id: id });
    const old = { price_cents: 900, currency: "USD", interval: "month", subscription_count: 1, is_current: false };
    const current = { price_cents: 1200, currency: "USD", interval: "month", subscription_count: 2, is_current: true };
    const counts = { subscription_count: 3, trial_count: 0, granted_count: 0, arriving_count: 0 };
    expect(await subscribers(id)).toEqual({
      ...counts,
      prices: [
        { ...current, announced_count: 0 },
        { ...old, announced_count: 0 },
      ],
    });
    await announce(id);
    expect(await subscribers(id)).toMatchObject({ prices: [{ announced_count: 0 }, { announced_count: 1 }] });
  });

  test("the subscribers of a plan are counted apart where it was granted, is tried, or is scheduled", async () => {
    const id = `terms_${++counter}`;
    await asAdmin("POST", "", { id, name: "Terms", price_usd_cents: 500, trial_days: 14 });
    await server.change(await server.createBuyer(CARDS.alsoWorks), { plan_id: id });
    const granted = await server.createBuyer(null);
    const { token } = await server.signInAdmin();
    await server.call(`/api/admin/users/${granted.userId}`, { method: "PUT", token, body: { plan_id: id } });
    const arriving = await server.createBuyer();
    await server.change(arriving, { plan_id: "feather_basic" });
    await server.change(arriving, { plan_id: id });
    expect(await subscribers(id)).toMatchObject({
      subscription_count: 1,
      trial_count: 1,
      granted_count: 1,
      arriving_count: 1,
    });
  });

  test("the subscribers of a plan that is not there are not found", async () => {
    const answer = await asAdmin("GET", "/none/subscribers");
    expect([answer.status, errorCode(answer.body)]).toEqual([404, "plans.not_found"]);
  });
});
