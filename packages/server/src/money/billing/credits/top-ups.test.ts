import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type BillingServer,
  type Buyer,
  CARDS,
  callConcurrently,
  createBillingServer,
  type Invoice,
} from "../../../testing/billing.ts";

let server: BillingServer;
beforeAll(async () => {
  server = await createBillingServer();
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

const topUp = (who: Buyer, amount_usd_cents: unknown, headers: Record<string, string> = {}) =>
  server.post(who, "/api/usage/credits/top-up", { amount_usd_cents }, headers);
const available = async (who: Buyer) => (await server.api.credits.credits.balance(who.organizationId)).available;

describe("buying credits", () => {
  test("buying credits charges the card and returns balance and transaction, marked as a test", async () => {
    const who = await server.createBuyer();
    const answer = await topUp(who, 5000);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      balance: { available_nano_usd: "50000000000", available_usd: "50.00" },
      transaction: { kind: "top_up", amount_nano_usd: "50000000000", description: "Top-up" },
      is_test: true,
    });
    expect(await server.chargedCents(who)).toBe(5000);
    expect(await server.invoices(who)).toMatchObject([
      {
        status: "paid",
        total_cents: 5000,
        lines: [{ description: "Credits", amount_cents: 5000 }],
        period_start_date: null,
      },
    ]);
  });

  test("buying credits charges once for fifty calls with one idempotency key, and fifty times with fifty keys", async () => {
    const who = await server.createBuyer();
    const same = await Promise.all(Array.from({ length: 50 }, () => topUp(who, 500, { "idempotency-key": "one" })));
    expect(new Set(same.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await available(who)).toBe(5_000_000_000n);
    expect(await callConcurrently(50, (index) => topUp(who, 500, { "idempotency-key": `k${index}` }))).toEqual({
      201: 50,
    });
    expect(await available(who)).toBe(51n * 5_000_000_000n);
    expect(await server.chargedCents(who)).toBe(51 * 500);
    expect(await server.invoices(who)).toHaveLength(51);
  });

  test("repeating a top-up whose response was lost in a crash returns the earlier one, and rejects the key for another amount", async () => {
    const who = await server.createBuyer();
    const headers = { "idempotency-key": "lost" };
    const first = await topUp(who, 700, headers);
    const other = await topUp(who, 900, headers);
    expect([other.status, errorCode(other.body)]).toEqual([409, "idempotency_conflict"]);
    await server.db.deleteFrom("idempotency_keys").execute();
    const again = await topUp(who, 700, headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await server.chargedCents(who)).toBe(700);
  });

  test("keeps idempotency keys of different organizations apart when they buy credits", async () => {
    const [one, two] = [await server.createBuyer(), await server.createBuyer()];
    for (const who of [one, two]) expect((await topUp(who, 500, { "idempotency-key": "shared" })).status).toBe(201);
    expect(await server.chargedCents(two)).toBe(500);
  });

  test.each([
    ["less than may be", 499],
    ["more than may be", 1_000_001],
    ["parts of cents", 500.5],
    ["less than nothing", -500],
    ["text", "500"],
    ["nothing", undefined],
  ])("buying credits rejects %s", async (_what, amount) => {
    const who = await server.createBuyer();
    expect((await topUp(who, amount)).status).toBe(400);
    expect(await server.chargedCents(who)).toBe(0);
  });

  test("buying credits grants no credits when the card is declined or missing", async () => {
    for (const [card, code] of [
      [CARDS.failsLater, "payments.card_declined"],
      [null, "payment_methods.required"],
    ] as const) {
      const who = await server.createBuyer(card);
      const answer = await topUp(who, 500);
      expect([answer.status, errorCode(answer.body)]).toEqual([402, code]);
      expect(await available(who)).toBe(0n);
      expect(await server.invoices(who)).toEqual([]);
    }
  });

  test("buying credits grants the credits when the buyer confirms the payment later, whether an event or a lookup reports it", async () => {
    const who = await server.createBuyer(null);
    await server.addCard(who, CARDS.works);
    await server.db
      .updateTable("payment_methods")
      .set({ reference: "test:authenticates:x" })
      .where("organization_id", "=", who.organizationId)
      .execute();
    const headers = { "idempotency-key": "confirm" };
    const response = await topUp(who, 800, headers);
    expect([response.status, errorCode(response.body)]).toEqual([402, "payments.authentication_required"]);
    expect(await available(who)).toBe(0n);
    const { url } = (JSON.parse((response.body as { data: string }).data) as { details: { url: string } }).details;
    await server.openPage(url, { decision: "approve" });
    expect(await available(who)).toBe(8_000_000_000n);
    expect((await topUp(who, 800, headers)).status).toBe(201);
    expect(await server.chargedCents(who)).toBe(800);
  });

  test("refunding bought credits revokes them, and spent ones are not refunded", async () => {
    const who = await server.createBuyer();
    await topUp(who, 1000);
    const use = {
      kind: "grant",
      source: "revenue:usage",
      description: "used",
      reference: `used:${who.userId}`,
    } as const;
    await server.api.credits.credits.grant(who.organizationId, -4_000_000_000n, use);
    const [invoice] = await server.invoices(who);
    const admin = await server.signInAdmin();
    const path = `/api/admin/invoices/${invoice?.id}/refund`;
    const part = await server.call(path, { token: admin.token, body: { amount_cents: 300 } });
    expect(part.status).toBe(200);
    expect(await available(who)).toBe(3_000_000_000n);
    const rest = await server.call(path, { token: admin.token, body: {} });
    expect(rest.status).toBe(409);
    expect(rest.text).toContain("At most $3.00 of it can be given back.");
    expect((await server.call(path, { token: admin.token, body: { amount_cents: 300 } })).status).toBe(200);
    expect(await available(who)).toBe(0n);
    expect(await server.api.ledger.balance("adjustments")).toBe(0n);
    await server.verifyBooks();
  });
});

test("a top-up adds tax to the price of credits without granting credits for it", async () => {
  const taxed = await createBillingServer("2026-01-01T00:00:00Z", { FEATHER_TAX_PERCENT: "19" });
  const who = await taxed.createBuyer();
  await taxed.post(who, "/api/usage/credits/top-up", { amount_usd_cents: 1000 });
  expect(await taxed.chargedCents(who)).toBe(1190);
  expect((await taxed.api.credits.credits.balance(who.organizationId)).available).toBe(10_000_000_000n);
  const [invoice] = (await taxed.invoices(who)) as Invoice[];
  expect(invoice).toMatchObject({ subtotal_cents: 1000, tax_cents: 190, total_cents: 1190 });
  const admin = await taxed.signInAdmin();
  await taxed.call(`/api/admin/invoices/${invoice?.id}/refund`, { method: "POST", token: admin.token });
  expect((await taxed.api.credits.credits.balance(who.organizationId)).available).toBe(0n);
  await taxed.verifyBooks();
  await taxed.close();
});
