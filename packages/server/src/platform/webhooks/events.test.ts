import { createTestClock } from "@feather/testing/clock";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BillingServer, createBillingServer } from "../../testing/billing.ts";
import { findMailedToken } from "../../testing/outbox.ts";
import { createPrivateCloudServer } from "../../testing/private-cloud.ts";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";
import { DAY_MS } from "../core/time.ts";

const ALL_TYPES = [
  ...["api_key.created", "api_key.deleted", "credits.low", "deployment.failed", "deployment.ready"],
  ...["member.added", "member.removed", "model.available", "plan.changed"],
];
const clock = createTestClock("2026-11-20T12:00:00Z");
let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await createTestServer({ clock });
});
beforeEach(async () => {
  owner = await listen(server, await server.signUpOnPlan({}));
});
afterAll(() => server.close());

/** Adds an endpoint for all events to the account's organization. */
async function listen<A extends { token: string }>({ call }: Pick<TestServer, "call">, account: A): Promise<A> {
  const body = { url: "https://hooks.example.com/", event_types: ALL_TYPES };
  const { status, text } = await call("/api/webhooks", { token: account.token, body });
  if (status !== 201) throw new Error(text);
  return account;
}

/** Returns the events that were recorded for the organization's endpoints, in order. */
async function eventsOf({ organizationId }: { organizationId: string }, { db }: Pick<TestServer, "db"> = server) {
  const rows = await db
    .selectFrom("webhook_events")
    .select("body")
    .where("organization_id", "=", organizationId)
    .where("id", "in", (eb) => eb.selectFrom("webhook_deliveries").select("event_id"))
    .orderBy("created_at")
    .orderBy("type")
    .execute();
  return rows.map(({ body }) => JSON.parse(body) as { type: string; timestamp: string; data: Record<string, unknown> });
}

async function join(organization: Account, role: string): Promise<Account> {
  const member = await server.signUp();
  const body = { email: member.email, role };
  await server.call("/api/organization/invitations", { token: organization.token, body });
  const token = await findMailedToken(server, member.email, "invitation");
  const accepted = await server.call(`/api/invitations/${token}/accept`, { method: "POST", token: member.token });
  if (accepted.status >= 300) throw new Error(accepted.text);
  return member;
}

test("no event is stored while no endpoint has its type", async () => {
  const other = await server.signUpOnPlan({});
  await server.createKey(other);
  const rows = await server.db
    .selectFrom("webhook_events")
    .select("id")
    .where("organization_id", "=", other.organizationId)
    .execute();
  expect(rows).toEqual([]);
});

test("events report keys that members create and delete, as the API shows them", async () => {
  const key = await server.createKey(owner, { name: "ci" });
  const { body: shown } = await server.call(`/api/api-keys/${key.id}`, { token: owner.token });
  clock.at += 1000;
  await server.call(`/api/api-keys/${key.id}`, { method: "DELETE", token: owner.token });
  const events = await eventsOf(owner);
  expect(events.map(({ type }) => type)).toEqual(["api_key.created", "api_key.deleted"]);
  expect(events.map(({ data }) => data)).toEqual([shown, shown]);
  expect(JSON.stringify(events)).not.toContain(key.secret);
});

test("no event reports a change that was refused", async () => {
  const refused = await server.call("/api/api-keys", { token: owner.token, body: { name: "x", scopes: ["admin"] } });
  expect(refused.status).toBe(403);
  expect(await eventsOf(owner)).toEqual([]);
});

test("events report who joins and who is removed, without name and address", async () => {
  const member = await join(owner, "developer");
  clock.at += 1000;
  await server.call(`/api/organization/members/${member.userId}`, { method: "DELETE", token: owner.token });
  const events = await eventsOf(owner);
  expect(events.map(({ type }) => type)).toEqual(["member.added", "member.removed"]);
  expect(events[1]?.data).toEqual({ user_id: member.userId, role: "developer" });
  expect(JSON.stringify(events)).not.toContain(member.email);
});

test("an event reports that a member has deleted the account, whose name is removed from earlier events", async () => {
  const member = await join(owner, "editor");
  await server.db.updateTable("users").set({ name: "Maria Winter" }).where("id", "=", member.userId).execute();
  await server.createKey(member);
  expect(JSON.stringify(await eventsOf(owner))).toContain("Maria Winter");
  clock.at += 1000;
  const body = { password: PASSWORD };
  const deleted = await server.call("/api/account", { method: "DELETE", token: member.token, body });
  expect(deleted.status).toBeLessThan(300);
  const events = await eventsOf(owner);
  expect(events.map(({ type }) => type)).toEqual(["api_key.created", "member.added", "member.removed"]);
  expect(JSON.stringify(events)).not.toContain("Maria Winter");
  expect(events[0]?.data).toMatchObject({ name: "test", created_by: null, created_by_name: null });
});

test("an event reports once that credits fell below 1 USD, and again after they rose", async () => {
  const { credits, settlement } = server.api.credits;
  const grant = (amount: bigint, reference: string) =>
    credits.grant(owner.organizationId, amount, { kind: "grant", description: "", reference });
  let count = 0;
  const charge = async (cost: bigint) => {
    const row = {
      id: `req_low_${++count}`,
      organization_id: owner.organizationId,
      billing_mode: "request_pricing",
      cost_nano_usd: String(cost),
      duration_ms: 1,
      kind: "chat",
      model_class_id: "small",
      model_id: "feather/demo",
      outcome: "completed",
      started_at: clock.now(),
      status: 200,
      streamed: false,
      units: 1,
    };
    await settlement.write([row as Parameters<typeof settlement.write>[0][number]], server.db);
    clock.at += 1000;
  };
  await grant(1_500_000_000n, `low:1:${owner.userId}`);
  for (const cost of [500_000_000n, 1n, 1n]) await charge(cost);
  await grant(1_000_000_000n, `low:2:${owner.userId}`);
  await charge(500_000_000n);
  await charge(900_000_000n);
  const events = await eventsOf(owner);
  expect(events.map(({ type }) => type)).toEqual(["credits.low", "credits.low"]);
  expect(events[0]?.data).toEqual({ balance_nano_usd: "999999999", threshold_nano_usd: "1000000000" });
});

test("an event reports to the organizations that requested a model that it can be called", async () => {
  await server.db
    .insertInto("model_requests")
    .values({
      organization_id: owner.organizationId,
      id_lower: "feather/demo",
      model_id: "feather/demo",
      requested_by: owner.userId,
      created_at: clock.now(),
    })
    .execute();
  await server.addUpstream({}, ["feather/demo"]);
  await server.runJob("answer model requests");
  await server.runJob("answer model requests");
  expect(await eventsOf(owner)).toMatchObject([{ type: "model.available", data: { id: "feather/demo" } }]);
});

describe("a plan", () => {
  let shop: BillingServer;
  beforeAll(async () => {
    shop = await createBillingServer();
  });
  afterAll(() => shop.close());

  const changes = async (buyer: Account) =>
    (await eventsOf(buyer, shop)).map(({ type, data }) => [type, data.previous_plan_id, data.plan_id, data.quantity]);

  test("an event reports a change of plan when another is bought, granted, and ends", async () => {
    const buyer = await listen(shop, await shop.createBuyer());
    const free = (await shop.subscription(buyer)).plan.id;
    expect((await shop.change(buyer, { plan_id: "feather_basic" })).status).toBe(200);
    shop.clock.at += 1000;
    const granted = await shop.call(`/api/admin/users/${buyer.userId}`, {
      method: "PUT",
      token: (await shop.signInAdmin()).token,
      body: { plan_id: "feather_scale" },
    });
    expect(granted.text).toContain("feather_scale");
    shop.clock.at += 1000;
    expect((await shop.call("/api/subscription", { method: "DELETE", token: buyer.token })).status).toBe(200);
    expect(await changes(buyer)).toEqual([
      ["plan.changed", free, "feather_basic", 1],
      ["plan.changed", "feather_basic", "feather_scale", 1],
      ["plan.changed", "feather_scale", free, 1],
    ]);
  });

  test("an event reports a canceled plan at the end of its period, and not before", async () => {
    const buyer = await listen(shop, await shop.createBuyer());
    const free = (await shop.subscription(buyer)).plan.id;
    await shop.change(buyer, { plan_id: "feather_basic" });
    expect((await shop.call("/api/subscription", { method: "DELETE", token: buyer.token })).status).toBe(200);
    expect(await changes(buyer)).toHaveLength(1);
    shop.clock.at += 32 * DAY_MS;
    for (const { name, run } of shop.platform.jobs) if (/subscriptions/.test(name)) await run();
    expect((await changes(buyer)).at(-1)).toEqual(["plan.changed", "feather_basic", free, 1]);
  });
});

test("events report when a deployment runs, as the API shows it, and when it fails", async () => {
  const cloud = await createPrivateCloudServer();
  const account = await listen(cloud, await cloud.signUpOwner());
  const { id } = await cloud.deploy(account);
  const shown = await cloud.waitForState(account, id, "running");
  const [event] = await eventsOf(account, cloud);
  expect(event).toMatchObject({ type: "deployment.ready", data: { id, state: "running", name: shown.name } });
  expect(Object.keys(event?.data ?? {}).sort()).toEqual(Object.keys(shown).sort());
  expect(JSON.stringify(event)).not.toContain("dpt_");
  const [engine] = cloud.engines.running();
  for (let count = 0; count < 3; count++) engine?.crash("Out of memory.");
  await cloud.waitForState(account, id, "failed");
  expect((await eventsOf(account, cloud)).at(-1)).toMatchObject({
    type: "deployment.failed",
    data: { id, state_reason: "Out of memory." },
  });
  await cloud.close();
});
