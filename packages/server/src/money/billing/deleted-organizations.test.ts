import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "../../platform/core/time.ts";
import { type BillingServer, type Buyer, createBillingServer } from "../../testing/billing.ts";
import { closeAccountsOfDeleted, verifyLedger } from "../ledger/index.ts";

const ROUNDS = 8;
const GRANTS_AT_ONCE = 6;

let server: BillingServer;
beforeAll(async () => {
  server = await createBillingServer("2026-06-01T00:00:00Z");
});
afterAll(() => server.close());

const deleteAccount = ({ token }: Buyer) => server.call("/api/account", { method: "DELETE", token, body: {} });

async function grantByAdmin(userId: string) {
  const { token } = await server.signInAdmin();
  const body = { amount_nano_usd: "5000000000", reason: "Apology" };
  return server.call(`/api/admin/users/${userId}/credits`, { token, body });
}

/** Returns a buyer whose referrer was deleted, or is about to be. */
async function createReferred(method: "credits" | "commission"): Promise<{ referrer: Buyer; friend: Buyer }> {
  const [referrer, friend] = [await server.createBuyer(), await server.createBuyer()];
  await server.db
    .updateTable("users")
    .set({ referral_reward_method: method })
    .where("id", "=", referrer.userId)
    .execute();
  await server.db
    .updateTable("payment_methods")
    .set({ fingerprint: referrer.userId })
    .where("organization_id", "=", referrer.organizationId)
    .execute();
  const { code } = await server.read<{ code: string }>(referrer, "/api/account/referral/code");
  expect((await server.post(friend, "/api/account/referrer", { code })).status).toBe(204);
  return { referrer, friend };
}

describe("credits for an organization that is deleted", () => {
  test("credits for an organization that is deleted are refused", async () => {
    const who = await server.createBuyer(null);
    expect((await deleteAccount(who)).status).toBe(204);
    const grant = { kind: "grant", description: "Late", reference: "test:late" } as const;
    await expect(server.api.credits.credits.grant(who.organizationId, 5n, grant)).rejects.toMatchObject({
      code: "organization.deleted",
    });
    await server.verifyBooks();
  });

  test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    "credits for an organization are forfeited or refused with 404 when an admin grants them during its deletion, in round %i",
    async () => {
      const who = await server.createBuyer(null);
      const grants = Array.from({ length: GRANTS_AT_ONCE }, () => grantByAdmin(who.userId));
      const [deletion, ...answers] = await Promise.all([deleteAccount(who), ...grants]);
      expect(deletion.status).toBe(204);
      for (const { status, body } of answers)
        expect([200, "users.not_found"]).toContain(status === 200 ? 200 : errorCode(body));
      await server.verifyBooks();
    },
  );

  test.each(["credits", "commission"] as const)(
    "credits are not posted as a reward of %s to a referrer who is deleted while a friend pays",
    async (method) => {
      const { referrer, friend } = await createReferred(method);
      const [deletion, purchase] = await Promise.all([
        deleteAccount(referrer),
        server.change(friend, { plan_id: "feather_scale" }),
      ]);
      expect([deletion.status, purchase.status]).toEqual([204, 200]);
      server.clock.at += 31 * DAY_MS;
      await server.runJobs();
      await server.verifyBooks();
    },
  );
});

test("repairing the ledger forfeits what accounts of deleted organizations hold, with a row in the audit log", async () => {
  const who = await server.createBuyer(null);
  const { db } = server;
  const { ledger } = server.api;
  expect((await deleteAccount(who)).status).toBe(204);
  await ledger.post({
    kind: "grant",
    organizationId: who.organizationId,
    description: "Granted too late",
    reference: "test:too_late",
    entries: [
      { account: `credits:${who.organizationId}`, amountNano: 7n },
      { account: "promotions", amountNano: -7n },
    ],
  });
  expect(await verifyLedger(db)).toEqual([
    `Account credits:${who.organizationId} holds 7 of an organization that is deleted.`,
  ]);
  const closed = [{ organizationId: who.organizationId, amountNano: 7n }];
  expect(await closeAccountsOfDeleted(db, ledger, server.api.audit)).toEqual(closed);
  expect(await closeAccountsOfDeleted(db, ledger, server.api.audit)).toEqual([]);
  await server.verifyBooks();
  const event = await db.selectFrom("audit_log").selectAll().where("action", "=", "ledger.close_accounts").execute();
  expect(event).toMatchObject([{ target: who.organizationId, details: { amount_nano_usd: "7" } }]);
});
