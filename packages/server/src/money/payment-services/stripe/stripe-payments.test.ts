import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Buyer, CARDS } from "../../../testing/billing.ts";
import { bankUrlOf, createStripeServer, type StripeServer } from "../../../testing/stripe.ts";
import { USD_RATE } from "../../currencies/index.ts";
import { createStripeClient } from "./stripe-client.ts";
import { createStripeDriver } from "./stripe-driver.ts";

let server: StripeServer;
beforeAll(async () => {
  server = await createStripeServer();
});
afterAll(() => server.close());

const TOP_UP = "/api/usage/credits/top-up";
const CREATE_PAYMENT = /^POST \/v1\/payment_intents$/;
const creditsOf = async (who: Buyer) => (await server.api.credits.credits.balance(who.organizationId)).balance;
const dollars = (count: number) => BigInt(count) * 1_000_000_000n;
const paymentsOf = (who: Buyer) =>
  server.db.selectFrom("payments").selectAll().where("organization_id", "=", who.organizationId).execute();

/** Runs what follows up payments that are not settled, a minute later. */
async function followUp(): Promise<void> {
  server.clock.at += 61_000;
  await server.billing.payments.recover();
}

describe("payments through Stripe", () => {
  test("a plan is bought with a card that the browser confirmed at Stripe, and the invoice is no test only in live mode", async () => {
    const who = await server.createBuyer();
    expect((await server.change(who, { plan_id: "feather_basic" })).status).toBe(200);
    expect(await server.subscription(who)).toMatchObject({ plan: { id: "feather_basic" }, status: "active" });
    expect(await server.takenCents(who)).toBe(1000);
    const [payment] = await paymentsOf(who);
    expect(payment).toMatchObject({ driver: "stripe", status: "succeeded", reference: expect.stringMatching(/^pi_/) });
    expect(await server.invoices(who)).toMatchObject([{ status: "paid", is_test: true }]);
  });

  test("a card number that is sent to the server is refused where payments are made through Stripe", async () => {
    const who = await server.createBuyer(null);
    const { id } = (await server.post(who, "/api/payment-methods/setup-intent")).body as { id: string };
    const path = `/api/payment-methods/setup-intent/${id}`;
    expect((await server.post(who, path, { test_card: CARDS.works })).status).toBe(400);
    const unconfirmed = await server.post(who, path);
    expect([unconfirmed.status, errorCode(unconfirmed.body)]).toEqual([402, "payment_methods.required"]);
  });

  test("a renewal is charged while the buyer is away, and once, also by two replicas at the same time", async () => {
    const who = await server.createBuyer();
    await server.change(who, { plan_id: "feather_basic" });
    const other = server.createOtherPlatform();
    server.clock.at = Date.parse("2026-02-27T10:00:00Z");
    await server.billing.notices.run();
    server.clock.at = Date.parse("2026-02-28T10:00:01Z");
    await Promise.all([server.billing.renewals.run(), other.api.billing.renewals.run()]);
    await Promise.all([server.billing.dunning.run(), other.api.billing.dunning.run()]);
    expect(await server.takenCents(who)).toBe(2000);
    const renewal = server.fake.requests.filter(({ body }) => body.includes("off_session=true"));
    expect(renewal.length).toBeGreaterThan(0);
    expect((await server.invoices(who)).map(({ status }) => status)).toEqual(["paid", "paid"]);
  });

  test("a buyer whose bank asks is sent to the bank's page, and has the credits once they confirmed", async () => {
    const who = await server.createBuyer(CARDS.authenticates);
    const answer = await server.post(who, TOP_UP, { amount_usd_cents: 1000 });
    expect([answer.status, errorCode(answer.body)]).toEqual([402, "payments.authentication_required"]);
    server.fake.authenticate(bankUrlOf(answer), true);
    expect(await creditsOf(who)).toBe(0n);
    await followUp();
    expect(await creditsOf(who)).toBe(dollars(10));
  });

  test.each([
    ["too small", 1, "amount_too_small"],
    ["too large", 100_000_000, "amount_too_large"],
  ])(
    "an amount that is %s for Stripe is refused with the reason, and nothing is charged",
    async (_what, cents, code) => {
      const who = await server.createBuyer();
      const [card] = await server.billing.paymentMethods.list(who.organizationId);
      const payment = await server.db.transaction().execute((trx) =>
        server.billing.payments.create(
          {
            id: `pay_${code}`,
            organization_id: who.organizationId,
            purpose: "top_up",
            amount_cents: cents,
            ...USD_RATE,
            payment_method_id: card?.id ?? "",
            purchase: JSON.stringify({}),
          },
          trx,
        ),
      );
      if (!payment) throw new Error("The payment was not stored.");
      await expect(server.billing.payments.collect(payment)).rejects.toMatchObject({
        code: "payments.card_declined",
        details: { decline_code: code },
      });
    },
  );

  test("two tabs that pay one invoice charge it once", async () => {
    const who = await server.createBuyer();
    await server.change(who, { plan_id: "feather_basic" });
    const cards = server.db.updateTable("payment_methods").set({ reference: "cus_gone/pm_gone" });
    await cards.where("organization_id", "=", who.organizationId).execute();
    await server.advanceTo("2026-03-31T10:00:00Z");
    const open = (await server.invoices(who)).find(({ status }) => status === "open");
    await server.addCard(who);
    const [card] = await server.billing.paymentMethods.list(who.organizationId);
    await server.call(`/api/payment-methods/${card?.id}`, { method: "PUT", token: who.key });
    const before = await server.takenCents(who);
    const answers = await Promise.all([1, 2].map(() => server.post(who, `/api/invoices/${open?.id}/pay`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await server.takenCents(who)) - before).toBe(open?.total_cents);
  });

  test("an invoice of a period that has passed is refunded at Stripe, once", async () => {
    const who = await server.createBuyer();
    await server.change(who, { plan_id: "feather_basic" });
    const [invoice] = await server.invoices(who);
    await server.call("/api/subscription", { method: "DELETE", token: who.key });
    server.clock.at += 70 * 86_400_000;
    server.fake.evictKeys();
    const { token } = await server.signInAdmin();
    const refund = () =>
      server.call(`/api/admin/invoices/${invoice?.id}/refund`, { token, body: { amount_cents: 400 } });
    expect((await refund()).body).toMatchObject({ refunded_cents: 400 });
    expect(await server.takenCents(who)).toBe(600);
  });
});

describe("faults of Stripe", () => {
  test("a payment whose response was lost is found again, and is charged once, also after Stripe forgot its key", async () => {
    const who = await server.createBuyer();
    server.fake.fail(CREATE_PAYMENT, "response lost");
    server.fake.fail(CREATE_PAYMENT, "dropped", "dropped", "dropped");
    const answer = await server.post(who, TOP_UP, { amount_usd_cents: 1000 });
    server.fake.recover();
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "payments.pending"]);
    expect(await creditsOf(who)).toBe(0n);
    server.fake.evictKeys();
    await followUp();
    expect(await creditsOf(who)).toBe(dollars(10));
    expect(await server.takenCents(who)).toBe(1000);
  });

  test.each([
    ["does not answer", "dropped"],
    ["fails", { status: 500 }],
    ["limits the rate of requests", { status: 429 }],
  ] as const)("nothing is paid while Stripe %s, and the payment is charged once afterwards", async (_what, failure) => {
    const who = await server.createBuyer();
    server.fake.fail(CREATE_PAYMENT, ...Array.from({ length: 5 }, () => failure));
    const answer = await server.post(who, TOP_UP, { amount_usd_cents: 1000 });
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "payments.pending"]);
    expect([await creditsOf(who), await server.takenCents(who)]).toEqual([0n, 0]);
    server.fake.recover();
    await followUp();
    expect([await creditsOf(who), await server.takenCents(who)]).toEqual([dollars(10), 1000]);
  });

  test("a customer that was deleted at Stripe cannot be charged, and is created anew with the next card", async () => {
    const who = await server.createBuyer();
    const customers = server.db.selectFrom("payment_customers").select("reference");
    const { reference } = await customers.where("organization_id", "=", who.organizationId).executeTakeFirstOrThrow();
    server.fake.deleteCustomer(reference);
    const answer = await server.post(who, TOP_UP, { amount_usd_cents: 1000 });
    expect([answer.status, errorCode(answer.body)]).toEqual([402, "payments.card_declined"]);
    const { id } = (await server.addCard(who)).body as { id: string };
    await server.call(`/api/payment-methods/${id}`, { method: "PUT", token: who.key });
    expect((await server.post(who, TOP_UP, { amount_usd_cents: 1000 })).status).toBe(201);
  });
});

test("a wrong secret key changes nothing, is named to the operator, and appears in no log", async () => {
  const lines: string[] = [];
  const driver = createStripeDriver({
    getStripe: createStripeClient({ secretKey: "sk_test_rotated", apiBase: server.fake.url }),
    isTest: true,
    returnUrl: "http://localhost/account",
    log: { error: (...parts: unknown[]) => void lines.push(JSON.stringify(parts)) },
  });
  const customer = { organizationId: "org_1", name: "Acme", email: "ada@example.com" };
  await expect(driver.createCustomer(customer, null)).rejects.toMatchObject({ code: "payments.pending" });
  expect(lines).toEqual([expect.stringContaining("Stripe refused STRIPE_SECRET_KEY")]);
  expect(lines.join()).not.toContain("rotated");
});
