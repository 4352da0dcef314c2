import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BillingServer, createBillingServer } from "../../testing/billing.ts";
import type { Account } from "../../testing/server.ts";

type Purchase = { id: string; status: string; plan_id: string | null; organization_id: string; provider: string };

let server: BillingServer;
let admin: Account;
beforeAll(async () => {
  server = await createBillingServer();
  admin = await server.signInAdmin();
});
afterAll(() => server.close());

const list = async (query = "") =>
  (await server.call(`/api/admin/marketplace-purchases${query}`, { token: admin.token })).body as {
    items: Purchase[];
    pagination: { total_items: number };
  };
const act = (id: string, verb: "settle" | "reject", body?: object) =>
  server.call(`/api/admin/marketplace-purchases/${id}/${verb}`, {
    method: "POST",
    token: admin.token,
    ...(body && { body }),
  });

async function createPurchase(provider: string, customer: string) {
  const who = await server.createBuyer(null);
  await server.post(who, "/api/cloud-marketplace/subscribe", { provider, token: `test_${customer}_feather_max` });
  return who;
}

test("admins list the purchases of all organizations, and filter them by text, marketplace and status", async () => {
  const who = await createPurchase("aws", "needle");
  await createPurchase("azure", "other");
  expect((await list()).pagination.total_items).toBe(2);
  const { items } = await list("?search=NEEDLE");
  expect(items).toEqual([
    {
      id: expect.stringMatching(/^mkt_/),
      organization_id: who.organizationId,
      organization_name: expect.any(String),
      provider: "aws",
      reference: "needle",
      customer_id: "needle",
      offer: "feather_max",
      plan_id: "feather_max",
      quantity: 1,
      status: "active",
      note: null,
      is_test: true,
      ends_at: null,
      checked_at: expect.any(String),
      created_at: expect.any(String),
    },
  ]);
  expect((await list("?provider=azure")).items).toMatchObject([{ reference: "other" }]);
  expect((await list("?status=pending")).items).toEqual([]);
  expect((await list("?search=100%25")).items).toEqual([]);
});

test("a test purchase stays as it is when it is settled, and the audit log says who did it", async () => {
  const [purchase] = (await list("?search=needle")).items;
  const answer = await act(purchase?.id ?? "", "settle");
  expect([answer.status, answer.body]).toMatchObject([200, { status: "active", plan_id: "feather_max" }]);
  const event = await server.db
    .selectFrom("audit_log")
    .select(["actor_user_id", "target"])
    .where("action", "=", "marketplace.settle")
    .executeTakeFirstOrThrow();
  expect(event).toEqual({ actor_user_id: admin.userId, target: purchase?.id });
});

test("a purchase that is active, or whose marketplace has no call for it, is not rejected", async () => {
  const [purchase] = (await list("?search=needle")).items;
  const id = purchase?.id ?? "";
  const active = await act(id, "reject", { reason: "No contract." });
  expect([active.status, errorCode(active.body)]).toEqual([409, "marketplace.cannot_reject"]);
  expect(active.text).toContain("active");
  await server.db.updateTable("marketplace_accounts").set({ status: "pending" }).where("id", "=", id).execute();
  const pending = await act(id, "reject", { reason: "No contract." });
  expect([pending.status, errorCode(pending.body)]).toEqual([409, "marketplace.cannot_reject"]);
  expect((await list("?status=pending")).items).toMatchObject([{ id, plan_id: null }]);
});

test.each(["settle", "reject"] as const)("a purchase that is not there cannot be %sd", async (verb) => {
  const answer = await act("mkt_none", verb, verb === "reject" ? { reason: "x" } : undefined);
  expect([answer.status, errorCode(answer.body)]).toEqual([404, "marketplace.purchase_not_found"]);
});
