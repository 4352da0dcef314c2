import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { centsToNano } from "../../../platform/core/money.ts";
import { MINUTE_MS } from "../../../platform/core/time.ts";
import { type BillingServer, type Buyer, CARDS, createBillingServer } from "../../../testing/billing.ts";
import type { Answer } from "../../../testing/server.ts";

let server: BillingServer;
beforeAll(async () => {
  server = await createBillingServer("2026-03-10T10:00:00Z", { FEATHER_TAX_PERCENT: "20" });
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

const RULE = { threshold_usd_cents: 1000, amount_usd_cents: 5000, monthly_limit_usd_cents: 13_000 };
const PATH = "/api/credits/auto-top-up";
const set = (who: Buyer, rule: object = RULE) => server.call(PATH, { method: "PUT", token: who.key, body: rule });
const switchOff = (who: Buyer) => server.call(PATH, { method: "DELETE", token: who.key });
const state = (who: Buyer) => server.read<object>(who, PATH);
const balanceCents = async ({ organizationId }: Buyer) =>
  Number((await server.api.credits.credits.balance(organizationId)).balance / centsToNano(1));

let counter = 0;
/** Changes the balance by cents. */
const move = ({ organizationId }: Buyer, cents: number) =>
  server.api.credits.credits.grant(organizationId, centsToNano(cents), {
    kind: "grant",
    description: "test",
    reference: `move:${++counter}`,
  });
const subjects = async (who: Buyer) =>
  (await server.listMails(who.email)).map(({ subject }) => subject).filter((subject) => /top-up/.test(subject));

const confirmationUrl = ({ body }: Answer) =>
  (JSON.parse((body as { data: string }).data) as { details: { url: string } }).details.url;

/** A buyer with 10 USD of credits, who buys automatically when fewer are left. */
async function createAutomaticBuyer(card: string = CARDS.works, rule: object = RULE): Promise<Buyer> {
  const who = await server.createBuyer(null);
  const added = await server.addCard(who, card);
  if (added.status === 402) await server.openPage(confirmationUrl(added), { decision: "approve" });
  await move(who, 1000);
  expect((await set(who, rule)).status).toBe(200);
  return who;
}

describe("the rule of automatic top-ups", () => {
  test("the rule of automatic top-ups is off at first, and can be set, read, changed and deleted", async () => {
    const who = await server.createBuyer();
    const off = { rule: null, charged_this_month_usd_cents: 0, paused: null };
    expect(await state(who)).toEqual(off);
    const on = { rule: RULE, charged_this_month_usd_cents: 0, paused: null };
    expect((await set(who)).body).toEqual(on);
    expect(await state(who)).toEqual(on);
    const changed = { ...RULE, threshold_usd_cents: 2000 };
    expect((await set(who, changed)).body).toMatchObject({ rule: changed });
    expect((await switchOff(who)).status).toBe(204);
    expect((await switchOff(who)).status).toBe(204);
    expect(await state(who)).toEqual(off);
  });

  test("the rule of automatic top-ups needs a card, and a limit that one payment with tax fits in", async () => {
    const who = await server.createBuyer(null);
    const cardless = await set(who);
    expect([cardless.status, errorCode(cardless.body)]).toEqual([402, "payment_methods.required"]);
    await server.addCard(who);
    const tight = await set(who, { ...RULE, monthly_limit_usd_cents: 5999 });
    expect([tight.status, errorCode(tight.body)]).toEqual([400, "invalid_request"]);
    expect((await set(who, { ...RULE, monthly_limit_usd_cents: 6000 })).status).toBe(200);
  });

  test.each([
    ["a threshold of 99 cents", { ...RULE, threshold_usd_cents: 99 }],
    ["an amount of 499 cents", { ...RULE, amount_usd_cents: 499 }],
    ["a part of a cent", { ...RULE, amount_usd_cents: 500.5 }],
    ["no limit", { threshold_usd_cents: 1000, amount_usd_cents: 5000 }],
    ["a field that is none", { ...RULE, currency: "EUR" }],
  ])("the rule of automatic top-ups rejects %s and keeps what was set", async (_what, rule) => {
    const who = await createAutomaticBuyer();
    expect((await set(who, rule)).status).toBe(400);
    expect(await state(who)).toMatchObject({ rule: RULE });
  });

  test("the rule of automatic top-ups cannot be set while payments are off", async () => {
    const off = await createBillingServer(undefined, { FEATHER_PAYMENTS: "off" });
    const who = await off.createBuyer(null);
    const refused = await off.call(PATH, { method: "PUT", token: who.key, body: RULE });
    expect([refused.status, errorCode(refused.body)]).toEqual([409, "payments.off"]);
    await off.close();
  });
});

describe("an automatic top-up", () => {
  test("an automatic top-up charges the default card with tax when the balance falls below the threshold, not at it", async () => {
    const who = await createAutomaticBuyer();
    await server.runJobs();
    expect([await balanceCents(who), await server.chargedCents(who)]).toEqual([1000, 0]);
    await move(who, -1);
    await server.runJobs();
    expect([await balanceCents(who), await server.chargedCents(who)]).toEqual([5999, 6000]);
    expect(await server.invoices(who)).toMatchObject([{ status: "paid", total_cents: 6000, tax_cents: 1000 }]);
    expect(await state(who)).toMatchObject({ charged_this_month_usd_cents: 6000, paused: null });
    await server.runJobs();
    expect(await server.chargedCents(who)).toBe(6000);
  });

  test("an automatic top-up is one payment when several servers look at the same time", async () => {
    const who = await createAutomaticBuyer();
    await move(who, -500);
    await Promise.all(Array.from({ length: 5 }, () => server.runJobs()));
    expect(await server.chargedCents(who)).toBe(6000);
  });

  test("an automatic top-up stops at the limit of the month, tells the admins once, and goes on in the next month", async () => {
    server.clock.at = Date.parse("2026-03-31T23:00:00Z");
    const who = await createAutomaticBuyer();
    await move(who, -1);
    await server.runJobs();
    await move(who, -5000);
    await server.runJobs();
    await move(who, -5000);
    await server.runJobs();
    await server.runJobs();
    expect([await balanceCents(who), await server.chargedCents(who)]).toEqual([999, 12_000]);
    expect(await subjects(who)).toEqual([expect.stringContaining("reached its limit")]);
    server.clock.at = Date.parse("2026-04-01T00:00:00Z");
    await server.runJobs();
    expect(await server.chargedCents(who)).toBe(18_000);
    expect(await state(who)).toMatchObject({ charged_this_month_usd_cents: 6000 });
  });

  test("an automatic top-up that is declined pauses, tells the admins once, and goes on when the rule is set again", async () => {
    const who = await createAutomaticBuyer(CARDS.failsLater);
    await move(who, -500);
    for (let time = 0; time < 3; time++) await server.runJobs();
    expect(await state(who)).toMatchObject({ rule: RULE, paused: { reason: "card_declined" } });
    expect(await state(who)).toMatchObject({ charged_this_month_usd_cents: 0 });
    expect(await subjects(who)).toEqual([expect.stringContaining("paused")]);
    expect(await server.chargedCents(who)).toBe(0);
    await server.db.updateTable("payment_methods").set({ is_default: false }).execute();
    const card = await server.addCard(who);
    await server.call(`/api/payment-methods/${(card.body as { id: string }).id}/default`, {
      method: "POST",
      token: who.key,
    });
    expect((await set(who)).body).toMatchObject({ paused: null });
    await server.runJobs();
    expect(await server.chargedCents(who)).toBe(6000);
  });

  test("an automatic top-up that the bank wants confirmed is mailed with the link, and pauses when nobody confirms in a day", async () => {
    server.clock.at = Date.parse("2026-05-10T10:00:00Z");
    const who = await createAutomaticBuyer(CARDS.authenticates);
    await move(who, -500);
    await server.runJobs();
    await server.runJobs();
    const mails = (await server.listMails(who.email)).filter(({ subject }) => /top-up/.test(subject));
    expect(mails).toMatchObject([{ subject: expect.stringContaining("confirm") }]);
    expect(await state(who)).toMatchObject({ charged_this_month_usd_cents: 6000, paused: null });
    server.clock.at = Date.parse("2026-05-11T10:00:01Z");
    await server.runJobs();
    expect(await state(who)).toMatchObject({ charged_this_month_usd_cents: 0, paused: { reason: "not_confirmed" } });
    expect(await server.chargedCents(who)).toBe(0);
  });

  test("an automatic top-up is not made for credits that were taken away because their payment was given back", async () => {
    server.clock.at = Date.parse("2026-06-05T10:00:00Z");
    const who = await createAutomaticBuyer();
    await move(who, -500);
    await server.runJobs();
    const [invoice] = await server.invoices(who);
    const { token } = await server.signInAdmin();
    await server.call(`/api/admin/invoices/${invoice?.id}/refund`, { method: "POST", token });
    expect(await balanceCents(who)).toBe(500);
    await server.runJobs();
    expect(await state(who)).toMatchObject({ paused: { reason: "refunded" } });
    expect(await server.chargedCents(who)).toBe(0);
    server.clock.at += MINUTE_MS;
    await set(who);
    await server.runJobs();
    expect(await server.chargedCents(who)).toBe(6000);
  });

  test("an automatic top-up is not made while a payment is disputed", async () => {
    const who = await createAutomaticBuyer();
    await move(who, -500);
    await server.runJobs();
    await move(who, -5000);
    const { id } = await server.db
      .selectFrom("payments")
      .select("id")
      .where("organization_id", "=", who.organizationId)
      .executeTakeFirstOrThrow();
    const dispute = { id: `du_${id}`, payment_id: id, reason: "fraudulent", amount_cents: 6000 };
    await server.db
      .insertInto("disputes")
      .values({ ...dispute, status: "open", opened_at: server.clock.now() })
      .execute();
    await server.runJobs();
    expect(await state(who)).toMatchObject({ paused: { reason: "disputed" } });
    expect(await server.chargedCents(who)).toBe(6000);
  });

  test("an automatic top-up without a card pauses", async () => {
    const who = await createAutomaticBuyer();
    const cards = await server.read<{ items: { id: string }[] }>(who, "/api/payment-methods");
    await server.call(`/api/payment-methods/${cards.items[0]?.id}`, { method: "DELETE", token: who.key });
    await move(who, -500);
    await server.runJobs();
    expect(await state(who)).toMatchObject({ paused: { reason: "no_card" } });
  });

  test("an automatic top-up that was interrupted before the charge is completed once", async () => {
    server.clock.at = Date.parse("2026-06-10T10:00:00Z");
    const who = await createAutomaticBuyer();
    await move(who, -500);
    await server.runJobs();
    await move(who, -5000);
    await interruptPayment(who);
    await server.runJobs();
    expect([await balanceCents(who), await server.chargedCents(who)]).toEqual([500, 6000]);
    server.clock.at += 2 * MINUTE_MS;
    await server.runJobs();
    await server.runJobs();
    expect([await balanceCents(who), await server.chargedCents(who)]).toEqual([5500, 12_000]);
  });
});

/** Stores another payment like the buyer's first one, as a server leaves it that stops before the charge. */
async function interruptPayment({ organizationId }: Buyer): Promise<void> {
  const {
    reference: _,
    settled_at: __,
    outcome: ___,
    invoice_id: ____,
    purchase,
    ...payment
  } = await server.db
    .selectFrom("payments")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  const interrupted = { ...payment, id: "pay_interrupted", status: "pending", created_at: server.clock.now() };
  await server.db
    .insertInto("payments")
    .values({ ...interrupted, purchase: JSON.stringify(purchase) })
    .execute();
}
