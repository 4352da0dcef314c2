import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BillingServer, createBillingServer } from "../../testing/billing.ts";

type Entry = { action: string; target: string | null; target_name: string | null };

let server: BillingServer;
let admin: string;

beforeAll(async () => {
  server = await createBillingServer();
  admin = (await server.signInAdmin()).token;
});
afterAll(() => server.close());

async function entryOf(action: string): Promise<Entry> {
  const { body } = await server.call(`/api/admin/audit?action=${action}`, { token: admin });
  const [entry] = (body as { items: Entry[] }).items;
  if (!entry) throw new Error(`Nothing was recorded as ${action}.`);
  return entry;
}

type Origin = { credential: string | null; ip: string | null };

async function originOf(action: string): Promise<Origin> {
  const { body } = await server.call(`/api/admin/audit?action=${action}`, { token: admin });
  const [entry] = (body as { items: Origin[] }).items;
  if (!entry) throw new Error(`Nothing was recorded as ${action}.`);
  return { credential: entry.credential, ip: entry.ip };
}

describe("the audit log stores credential and IP address of", () => {
  const byKey = { credential: expect.stringMatching(/^key:key_/), ip: "127.0.0.1" };
  const bySession = { credential: expect.stringMatching(/^session:ses_/), ip: "127.0.0.1" };

  test("the audit log stores credential and IP address of a change of plan, its cancellation and its resumption", async () => {
    const buyer = await server.createBuyer();
    expect((await server.change(buyer, { plan_id: "feather_basic" })).status).toBe(200);
    expect(await originOf("subscription.change")).toEqual(byKey);
    expect((await server.call("/api/subscription", { method: "DELETE", token: buyer.token })).status).toBe(200);
    expect(await originOf("subscription.cancel")).toEqual(bySession);
    expect((await server.call("/api/subscription/resume", { method: "POST", token: buyer.token })).status).toBe(200);
    expect(await originOf("subscription.resume")).toEqual(bySession);
  });

  test("the audit log stores credential and IP address of a top-up of credits", async () => {
    const buyer = await server.createBuyer();
    expect((await server.post(buyer, "/api/usage/credits/top-up", { amount_usd_cents: 500 })).status).toBe(201);
    expect(await originOf("credits.top_up")).toEqual(byKey);
  });

  test("the audit log stores credential and IP address of setting a referrer", async () => {
    const [friend, newcomer] = [await server.signUp(), await server.signUp()];
    const { code } = (await server.call("/api/account/referral/code", { token: friend.token })).body as {
      code: string;
    };
    const set = await server.call("/api/account/referrer", { token: newcomer.token, body: { code } });
    expect(set.status).toBeLessThan(300);
    expect(await originOf("referral.set_referrer")).toEqual(bySession);
  });

  test("the audit log stores a referrer that came with a sign-up, without a credential", async () => {
    const friend = await server.signUp();
    const { code } = (await server.call("/api/account/referral/code", { token: friend.token })).body as {
      code: string;
    };
    const { state } = (await server.call("/api/auth/state", { body: { referrer: code } })).body as { state: string };
    const body = { email: "newcomer@example.com", password: "feathers-are-light", state };
    expect((await server.call("/api/auth/register", { body })).status).toBeLessThan(300);
    expect(await originOf("referral.set_referrer")).toEqual({ credential: null, ip: "127.0.0.1" });
  });
});

describe("the audit log names", () => {
  test("the audit log names a subscription by its plan, a card by its digits, an invoice by its number", async () => {
    const buyer = await server.createBuyer();
    expect((await server.change(buyer, { plan_id: "feather_basic" })).status).toBe(200);
    const [invoice] = await server.invoices(buyer);
    const refund = { token: admin, method: "POST" };
    expect((await server.call(`/api/admin/invoices/${invoice?.id}/refund`, refund)).status).toBe(200);
    expect((await entryOf("subscription.change")).target_name).toBe("Basic");
    expect((await entryOf("payment_methods.add")).target_name).toBe("Visa 4242");
    expect((await entryOf("invoices.refund")).target_name).toBe(invoice?.number);
  });

  test("the audit log names an invitation by its address", async () => {
    const { token } = await server.signUp();
    const body = { email: "joe@example.com", role: "developer" };
    expect((await server.call("/api/organization/invitations", { token, body })).status).toBe(201);
    expect((await entryOf("invitations.create")).target_name).toBe("joe@example.com");
  });

  test("the audit log names a redirect rule by its path", async () => {
    const body = { path_glob: "/old/**", redirect_to: "/" };
    expect((await server.call("/api/admin/route-rules", { token: admin, body })).status).toBe(201);
    expect((await entryOf("route_rules.create")).target_name).toBe("/old/**");
  });
});
