import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BillingServer, createBillingServer } from "../../testing/billing.ts";
import type { Account } from "../../testing/server.ts";

let server: BillingServer;
let admin: Account;
beforeAll(async () => {
  server = await createBillingServer();
  admin = await server.signInAdmin();
});
afterAll(() => server.close());

type Plan = Record<string, unknown> & { id: string };
const create = (body: object) => server.call("/api/admin/plans", { token: admin.token, body });
const update = (id: string, body: object) =>
  server.call(`/api/admin/plans/${id}`, { method: "PUT", token: admin.token, body });
const onSale = async () => ((await server.call("/api/subscription/plans")).body as { items: Plan[] }).items;
let counter = 0;
const newId = () => `plan_${++counter}`;

describe("plans that admins manage", () => {
  test("plans that admins manage are stored as given, without limits on what is left out", async () => {
    const id = newId();
    const answer = await create({ id, name: "  Team ", price_usd_cents: 5000, concurrency: 8, features: ["8 units"] });
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        id,
        name: "Team",
        description: "",
        audience: "individual",
        billing_mode: "subscription",
        price_usd_cents: 5000,
        prices: [],
        interval: "month",
        unit_based: false,
        min_quantity: 1,
        max_quantity: 1,
        concurrency: 8,
        max_model_size: null,
        max_context_length: null,
        model_switches_per_minute: null,
        priority: "interactive",
        daily_request_limit: null,
        private_models: 0,
        private_cloud: false,
        api_keys_max: 100,
        trial_days: 0,
        features: ["8 units"],
        is_public: true,
      },
    ]);
    expect((await onSale()).at(-1)).toEqual(answer.body);
  });

  test("plans that admins manage change at once for organizations that are on them", async () => {
    const id = newId();
    await create({ id, name: "Growing", price_usd_cents: 1000, concurrency: 2 });
    const who = await server.createBuyer();
    await server.change(who, { plan_id: id });
    expect((await server.api.plans.currentPlan(who.organizationId)).plan.concurrency).toBe(2);
    expect((await update(id, { concurrency: 5, features: [] })).body).toMatchObject({ concurrency: 5, features: [] });
    expect((await server.api.plans.currentPlan(who.organizationId)).plan.concurrency).toBe(5);
  });

  test("plans that admins manage can be taken off sale, and then stay with their subscribers only", async () => {
    const id = newId();
    await create({ id, name: "Old", price_usd_cents: 1000 });
    const [who, other] = [await server.createBuyer(), await server.createBuyer()];
    await server.change(who, { plan_id: id });
    await update(id, { is_public: false });
    expect((await onSale()).map((plan) => plan.id)).not.toContain(id);
    expect((await server.change(other, { plan_id: id })).status).toBe(404);
    await server.advanceTo("2026-02-28T10:00:00Z");
    expect(await server.subscription(who)).toMatchObject({ plan: { id } });
    expect(await server.chargedCents(who)).toBe(2000);
    admin = await server.signInAdmin(); // the session from before has ended meanwhile
    const all = (await server.call("/api/admin/plans", { token: admin.token })).body as { items: Plan[] };
    expect(all.items.map((plan) => plan.id)).toContain(id);
  });

  test("plans that admins manage keep a price while an organization pays for them", async () => {
    const id = newId();
    await create({ id, name: "Paid", price_usd_cents: 1000 });
    await server.change(await server.createBuyer(), { plan_id: id });
    const answer = await update(id, { price_usd_cents: null });
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "plans.in_use"]);
  });

  test.each([
    ["an id that is there", { id: "feather_basic", name: "Again" }, 409],
    ["no name", { id: "noname" }, 400],
    ["a blank name", { id: "blank", name: "  " }, 400],
    ["an id with capitals", { id: "Team", name: "Team" }, 400],
    ["a price below zero", { id: "cheap", name: "Cheap", price_usd_cents: -1 }, 400],
    ["fewer than the least", { id: "less", name: "Less", unit_based: true, min_quantity: 5, max_quantity: 2 }, 400],
    ["a quantity of what is sold once", { id: "many", name: "Many", max_quantity: 5 }, 400],
    ["an interval that is none", { id: "weekly", name: "Weekly", interval: "week" }, 400],
    ["a field that is none", { id: "field", name: "Field", position: 1 }, 400],
  ])("plans that admins manage are rejected with %s", async (_what, body, status) => {
    expect((await create(body)).status).toBe(status);
    const rows = await server.db.selectFrom("plans").select("id").where("id", "=", body.id).execute();
    expect(rows).toHaveLength(status === 409 ? 1 : 0);
  });

  test("plans that admins manage cannot make the free plan cost money, and return 404 when unknown", async () => {
    for (const body of [{ price_usd_cents: 100 }, { trial_days: 5 }, { unit_based: true }]) {
      const answer = await update("feather_lite", body);
      expect([answer.status, errorCode(answer.body)]).toEqual([409, "plans.free_plan"]);
    }
    expect((await update("feather_lite", { daily_request_limit: 300 })).status).toBe(200);
    expect((await update("none", { name: "None" })).status).toBe(404);
    expect((await update("feather_basic", {})).status).toBe(200);
  });

  test("plans can be managed by admins only", async () => {
    const { token } = await server.signUp();
    expect((await server.call("/api/admin/plans", { token })).status).toBe(404);
    expect((await server.call("/api/admin/plans/feather_max", { method: "PUT", token, body: {} })).status).toBe(404);
    expect((await server.call("/api/admin/plans", { token, body: { id: "mine", name: "Mine" } })).status).toBe(404);
  });

  test("plans that admins manage are created once by ten concurrent calls with one id", async () => {
    const id = newId();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ id, name: "One" })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });
});
