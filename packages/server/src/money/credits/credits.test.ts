import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";

let server: TestServer;
let admin: Account;
let user: Account;
let counter = 0;

beforeAll(async () => {
  server = await createTestServer();
  admin = await server.signInAdmin();
});
beforeEach(async () => {
  user = await server.signUp();
});
afterAll(async () => {
  expect(await verifyLedger(server.db)).toEqual([]);
  await server.close();
});

const grantTo = (userId: string, body: unknown, headers: Record<string, string> = {}) =>
  server.call(`/api/admin/users/${userId}/credits`, { token: admin.token, body, headers });
const grant = (amount: string, headers?: Record<string, string>) =>
  grantTo(user.userId, { amount_nano_usd: amount, reason: "Apology" }, headers);
const history = async (query = "", token = user.token) =>
  (await server.call(`/api/usage/credits${query}`, { token })).body as {
    balance_nano_usd: string;
    transactions: { items: { kind: string; amount_nano_usd: string }[]; pagination: object };
  };
const available = async () => (await server.api.credits.credits.balance(user.organizationId)).available;

describe("credits granted by an admin", () => {
  test("credits granted by an admin appear in the balance and in the transactions", async () => {
    const { status, body } = await grant("5250000001");
    const balance = {
      balance_nano_usd: "5250000001",
      reserved_nano_usd: "0",
      available_nano_usd: "5250000001",
      balance_usd: "5.250000001",
      reserved_usd: "0.00",
      available_usd: "5.250000001",
      currency: "USD",
    };
    expect([status, body]).toEqual([200, balance]);
    expect((await server.call("/api/credits/balance", { token: user.token })).body).toEqual(balance);
    expect(await history()).toMatchObject({
      balance_nano_usd: "5250000001",
      transactions: {
        items: [{ kind: "grant", amount_nano_usd: "5250000001", description: "Apology", request_id: null }],
        pagination: { total_items: 1 },
      },
    });
  });

  test("credits granted by an admin are recorded in the audit log, with the reason", async () => {
    await grant("7");
    const act = await server.db.selectFrom("audit_log").selectAll().orderBy("sequence", "desc").executeTakeFirst();
    expect(act).toMatchObject({
      action: "credits.grant",
      target: user.userId,
      actor_user_id: admin.userId,
      details: { amount_nano_usd: "7", reason: "Apology", organization: user.organizationId },
    });
  });

  test("credits granted by an admin can be revoked, but never more than there are", async () => {
    await grant("10");
    expect((await grant("-4")).body).toMatchObject({ balance_nano_usd: "6" });
    const refused = await grant("-7");
    expect([refused.status, errorCode(refused.body)]).toEqual([409, "insufficient_credits"]);
    expect((await history()).transactions.items.map(({ amount_nano_usd }) => amount_nano_usd)).toEqual(["-4", "10"]);
  });

  test("credits granted by an admin cannot be revoked while a request in flight has reserved them", async () => {
    await grant("10");
    const requestId = `req_test_${++counter}`;
    const { organizationId } = user;
    await server.api.credits.reservations.reserve({
      requestId,
      organizationId,
      userId: null,
      apiKeyId: null,
      amountNano: 8n,
    });
    expect((await grant("-3")).status).toBe(409);
    expect((await grant("-2")).body).toMatchObject({
      balance_nano_usd: "8",
      reserved_nano_usd: "8",
      available_nano_usd: "0",
    });
  });

  test("credits granted by an admin are revoked once by fifty concurrent calls", async () => {
    await grant("10");
    const answers = await Promise.all(Array.from({ length: 50 }, () => grant("-10")));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await available()).toBe(0n);
  });

  test("credits granted by an admin are granted once per idempotency key, also when the first response was lost in a crash", async () => {
    const key = { "idempotency-key": `grant-${++counter}` };
    const answers = await Promise.all([1, 2, 3].map(() => grant("5", key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await server.db.deleteFrom("idempotency_keys").execute();
    expect((await grant("5", key)).body).toMatchObject({ balance_nano_usd: "5" });
    const acts = await server.db.selectFrom("audit_log").select("action").where("target", "=", user.userId).execute();
    expect(acts.filter(({ action }) => action === "credits.grant")).toHaveLength(1);
  });

  test.each([
    ["no amount", { reason: "x" }],
    ["an amount of nothing", { amount_nano_usd: "0", reason: "x" }],
    ["a number", { amount_nano_usd: 5, reason: "x" }],
    ["a decimal", { amount_nano_usd: "1.5", reason: "x" }],
    ["more than there can be", { amount_nano_usd: "9".repeat(19), reason: "x" }],
    ["no reason", { amount_nano_usd: "1" }],
    ["an empty reason", { amount_nano_usd: "1", reason: "" }],
    ["another field", { amount_nano_usd: "1", reason: "x", kind: "top_up" }],
  ])("credits granted by an admin are rejected with %s", async (_what, body) => {
    expect((await grantTo(user.userId, body)).status).toBe(400);
    expect(await available()).toBe(0n);
  });

  test("granting credits to an unknown user returns 404", async () => {
    const answer = await grantTo("usr_missing", { amount_nano_usd: "1", reason: "x" });
    expect([answer.status, errorCode(answer.body)]).toEqual([404, "users.not_found"]);
  });

  test("credits cannot be granted by users", async () => {
    const body = { amount_nano_usd: "1", reason: "x" };
    expect((await server.call(`/api/admin/users/${user.userId}/credits`, { token: user.token, body })).status).toBe(
      404,
    );
    expect(await available()).toBe(0n);
  });
});

describe("reading credits", () => {
  test("reading credits returns transactions page by page, newest first", async () => {
    for (const amount of ["1", "2", "3"]) await grant(amount);
    const page = await history("?per_page=2&page=2");
    expect(page.transactions).toMatchObject({
      items: [{ amount_nano_usd: "1" }],
      pagination: { current_page: 2, per_page: 2, total_items: 3, total_pages: 2 },
    });
  });

  test("reading credits shows nothing of other organizations", async () => {
    await grant("5");
    const stranger = await server.signUp();
    expect(await history("", stranger.token)).toMatchObject({ balance_nano_usd: "0", transactions: { items: [] } });
  });

  test.each(["/api/credits/balance", "/api/usage/credits"])("%s needs the permission manage_billing", async (path) => {
    const setRole = (role: string) =>
      server.db.updateTable("memberships").set({ role }).where("user_id", "=", user.userId).execute();
    for (const [role, status] of [
      ["viewer", 403],
      ["developer", 403],
      ["editor", 403],
      ["admin", 200],
    ] as const) {
      await setRole(role);
      expect((await server.call(path, { token: user.token })).status).toBe(status);
    }
  });
});

describe("other modules", () => {
  test("other modules grant credits once per event", async () => {
    const event = { kind: "top_up", description: "Top-up", reference: `top_up:pay_${++counter}` } as const;
    await Promise.all(
      Array.from({ length: 20 }, () => server.api.credits.credits.grant(user.organizationId, 50n, event)),
    );
    expect(await available()).toBe(50n);
    expect((await history()).transactions.items).toMatchObject([{ kind: "top_up", amount_nano_usd: "50" }]);
  });
});
