import { errorCode } from "@feather/testing/errors";
import { STRIPE_KEYS, type StripeEvent, signWebhook } from "@feather/testing/fake-stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOUR_MS } from "../../../platform/core/time.ts";
import { type Buyer, CARDS } from "../../../testing/billing.ts";
import { bankUrlOf, createStripeServer, type StripeServer } from "../../../testing/stripe.ts";

let server: StripeServer;
beforeAll(async () => {
  server = await createStripeServer();
});
afterAll(() => server.close());

const TOP_UP = "/api/usage/credits/top-up";
const RETRIEVE = /^GET \/v1\/payment_intents\/pi/;
const creditsOf = async (who: Buyer) => (await server.api.credits.credits.balance(who.organizationId)).balance;
const dollars = (count: number) => BigInt(count) * 1_000_000_000n;

/** Sends a body as a webhook. */
function send(payload: string, signature: string | null) {
  return server.call("/api/payments/stripe/webhook", {
    body: payload,
    headers: { ...(signature !== null && { "stripe-signature": signature }) },
  });
}

function deliver(event: StripeEvent) {
  const { payload, signature } = server.fake.webhookOf(event);
  return send(payload, signature);
}

/** Returns the events that Stripe made since the last call, of these types. */
let seen = 0;
function takeEvents(...types: readonly string[]): StripeEvent[] {
  const events = server.fake.store.events.slice(seen);
  seen = server.fake.store.events.length;
  return events.filter(({ type }) => types.includes(type));
}

/** Starts a top-up of 10 dollars whose buyer confirms it at their bank. The server hears nothing of it. */
async function confirmUnheard() {
  const who = await server.createBuyer(CARDS.authenticates);
  takeEvents();
  const answer = await server.post(who, TOP_UP, { amount_usd_cents: 1000 });
  server.fake.authenticate(bankUrlOf(answer), true);
  const events = takeEvents("payment_intent.requires_action", "payment_intent.succeeded");
  return { who, events };
}

describe("webhooks of Stripe", () => {
  test("a webhook at the path of other payment services is refused, and stored nowhere", async () => {
    await server.createBuyer();
    const [event] = takeEvents("setup_intent.succeeded");
    if (!event) throw new Error("Stripe told of no setup.");
    const { payload, signature } = server.fake.webhookOf(event);
    const headers = { "stripe-signature": signature };
    const answer = await server.call("/api/payments/webhook", { body: payload, headers });
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "payments.off"]);
    const stored = await server.db.selectFrom("payment_webhooks").select("id").where("id", "=", event.id).execute();
    expect(stored).toEqual([]);
  });

  test("a payment that the buyer confirmed is credited once, when its webhooks arrive late, doubled and out of order", async () => {
    const { who, events } = await confirmUnheard();
    const all = [...events, ...events].reverse();
    const answers = await Promise.all(all.map(deliver));
    expect(answers.map(({ status }) => status)).toEqual(all.map(() => 204));
    expect(await creditsOf(who)).toBe(dollars(10));
    expect(await server.takenCents(who)).toBe(1000);
  });

  test("a webhook that arrives before the response of the call that caused it is applied once", async () => {
    const who = await server.createBuyer();
    takeEvents();
    server.fake.fail(/^POST \/v1\/payment_intents$/, "response lost", "dropped", "dropped");
    const answer = await server.post(who, TOP_UP, { amount_usd_cents: 1000 }, { "idempotency-key": "early" });
    expect(answer.status).toBe(409);
    server.fake.recover();
    for (const event of takeEvents("payment_intent.succeeded")) await deliver(event);
    expect(await creditsOf(who)).toBe(dollars(10));
    const again = await server.post(who, TOP_UP, { amount_usd_cents: 1000 }, { "idempotency-key": "early" });
    expect([again.status, await creditsOf(who)]).toEqual([201, dollars(10)]);
  });

  test("a card that the browser confirmed is saved by the webhook, also if the browser never came back", async () => {
    const who = await server.createBuyer(null);
    const { body } = await server.post(who, "/api/payment-methods/setup-intent");
    takeEvents();
    await server.fake.enterCard((body as { client_secret: string }).client_secret, CARDS.works);
    for (const event of takeEvents("setup_intent.succeeded")) await deliver(event);
    expect(await server.billing.paymentMethods.list(who.organizationId)).toMatchObject([{ last4: "4242" }]);
  });

  test("a refund that was made at Stripe is posted here", async () => {
    const who = await server.createBuyer();
    await server.post(who, TOP_UP, { amount_usd_cents: 1000 });
    const payments = server.db.selectFrom("payments").select("reference");
    const { reference } = await payments.where("organization_id", "=", who.organizationId).executeTakeFirstOrThrow();
    takeEvents();
    await fetch(`${server.fake.url}/v1/refunds`, {
      method: "POST",
      headers: { authorization: `Bearer ${STRIPE_KEYS.secretKey}` },
      body: new URLSearchParams({ payment_intent: reference ?? "", amount: "400" }),
    });
    for (const event of takeEvents("charge.refunded")) await deliver(event);
    expect(await creditsOf(who)).toBe(dollars(6));
    expect(await server.invoices(who)).toMatchObject([{ refunded_cents: 400 }]);
  });

  test("a webhook that could not be handled is stored, and handled again once Stripe answers", async () => {
    const { who, events } = await confirmUnheard();
    server.fake.fail(RETRIEVE, ...Array.from({ length: 6 }, () => ({ status: 500 }) as const));
    const last = events.at(-1);
    if (!last) throw new Error("Stripe made no event.");
    expect((await deliver(last)).status).toBe(204);
    expect(await creditsOf(who)).toBe(0n);
    server.fake.recover();
    server.clock.at += 31_000;
    await server.billing.paymentWebhooks.replay();
    expect(await creditsOf(who)).toBe(dollars(10));
  });

  test("a webhook that fails again and again is handled at ever longer intervals, also after a day", async () => {
    const { who, events } = await confirmUnheard();
    const last = events.at(-1);
    if (!last) throw new Error("Stripe made no event.");
    server.fake.fail(RETRIEVE, ...Array.from({ length: 6 }, () => ({ status: 500 }) as const));
    await deliver(last);
    server.fake.recover();
    await server.db.updateTable("payment_webhooks").set({ attempts: 12 }).where("id", "=", last.id).execute();
    server.clock.at += 10 * HOUR_MS;
    await server.billing.paymentWebhooks.replay();
    expect(await creditsOf(who)).toBe(0n);
    server.clock.at += 14 * HOUR_MS;
    await server.billing.paymentWebhooks.replay();
    expect(await creditsOf(who)).toBe(dollars(10));
  });

  test("a dispute is noted in the audit log, freezes the credits of the payment, and the admins get one mail", async () => {
    const admin = await server.signInAdmin();
    const who = await server.createBuyer();
    await server.post(who, TOP_UP, { amount_usd_cents: 1000 });
    const payments = server.db.selectFrom("payments").select("reference");
    const { reference } = await payments.where("organization_id", "=", who.organizationId).executeTakeFirstOrThrow();
    server.fake.openDispute(reference ?? "");
    const [event] = takeEvents("charge.dispute.created");
    if (!event) throw new Error("Stripe made no event.");
    await deliver(event);
    await deliver(event);
    const log = server.db.selectFrom("audit_log").selectAll().where("action", "=", "invoices.dispute");
    expect(await log.execute()).toHaveLength(1);
    const mails = await server.listMails(admin.email);
    expect(mails.filter(({ subject }) => subject.includes("disputed"))).toHaveLength(1);
    expect(await creditsOf(who)).toBe(0n);
  });

  test("an event that nothing follows from is received and not stored", async () => {
    server.fake.store.emit("customer.updated", { id: "cus_1", object: "customer", created: 1, livemode: false });
    const [event] = takeEvents("customer.updated");
    if (!event) throw new Error("Stripe made no event.");
    expect((await deliver(event)).status).toBe(204);
    const stored = server.db.selectFrom("payment_webhooks").selectAll().where("id", "=", event.id);
    expect(await stored.execute()).toEqual([]);
  });

  const payload = JSON.stringify({ id: "evt_x", object: "event", type: "payment_intent.succeeded" });
  const thin = JSON.stringify({ id: "evt_x", object: "v2.core.event", type: "v1.payment_intent.succeeded" });
  const now = () => server.fake.store.seconds();
  test.each([
    ["without a signature", payload, () => null],
    ["signed with another secret", payload, () => signWebhook(payload, "whsec_other", now())],
    ["signed for another body", payload, () => signWebhook("{}", STRIPE_KEYS.webhookSecret, now())],
    ["older than five minutes", payload, () => signWebhook(payload, STRIPE_KEYS.webhookSecret, now() - 301)],
    ["that is thin", thin, () => signWebhook(thin, STRIPE_KEYS.webhookSecret, now())],
  ])("a webhook %s is refused and not stored", async (_what, body, sign) => {
    const answer = await send(body, sign());
    expect([answer.status, errorCode(answer.body)]).toEqual([400, "payments.webhook_refused"]);
    const stored = server.db.selectFrom("payment_webhooks").selectAll().where("id", "=", "evt_x");
    expect(await stored.execute()).toEqual([]);
  });

  test("a webhook that is larger than an event can be is refused", async () => {
    const large = JSON.stringify({ id: "evt_x", type: "x".repeat(300_000) });
    const answer = await send(large, signWebhook(large, STRIPE_KEYS.webhookSecret, now()));
    expect(answer.status).toBe(413);
  });
});
