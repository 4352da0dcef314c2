import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Buyer } from "../../../testing/billing.ts";
import { createStripeServer, type StripeServer } from "../../../testing/stripe.ts";
import { toCurrencyRate, USD_RATE } from "../../currencies/index.ts";
import type { Dispute } from "../payment-records.ts";
import { fromStripeAmount, minChargeCents, toStripeAmount } from "./stripe-amounts.ts";

let server: StripeServer;
beforeAll(async () => {
  server = await createStripeServer();
  const rates = { EUR: 0.92, JPY: 150, KWD: 0.307, ISK: 139, GBP: 0.78 };
  for (const [code, rate] of Object.entries(rates))
    await server.db
      .insertInto("currencies")
      .values({ code, units_per_usd: String(rate) })
      .execute();
});
afterAll(() => server.close());

const TOP_UP = "/api/usage/credits/top-up";

async function createPayer(currency: string): Promise<Buyer> {
  const who = await server.createBuyer();
  const body = { currency };
  await server.call("/api/organization/billing-details", { method: "PUT", token: who.key, body });
  return who;
}

const paymentOf = ({ organizationId }: Buyer) =>
  server.db
    .selectFrom("payments")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .orderBy("created_at", "desc")
    .executeTakeFirstOrThrow();

async function chargeOf(who: Buyer) {
  const { reference } = await paymentOf(who);
  const charge = [...server.fake.store.charges.values()].find(({ payment_intent }) => payment_intent === reference);
  if (!charge) throw new Error("There is no charge.");
  return charge;
}

describe("amounts at Stripe", () => {
  test.each([
    ["EUR", 2300, "eur", 2300],
    ["JPY", 3750, "jpy", 3750],
    ["KWD", 7680, "kwd", 7680],
    ["ISK", 3475, "isk", 347_500],
  ])(
    "25 dollars of credits in %s are charged as Stripe writes them, and refunded in full",
    async (code, cents, ...charged) => {
      const who = await createPayer(code);
      await server.post(who, TOP_UP, { amount_usd_cents: 2500 });
      const [currency, amount] = charged;
      expect(await chargeOf(who)).toMatchObject({ currency, amount });
      const [invoice] = await server.invoices(who);
      expect(invoice).toMatchObject({ currency: code, total_cents: cents });
      const { token } = await server.signInAdmin();
      const refund = await server.call(`/api/admin/invoices/${invoice?.id}/refund`, {
        method: "POST",
        token,
        body: {},
      });
      expect(refund.body).toMatchObject({ refunded_cents: cents });
      expect((await chargeOf(who)).amount_refunded).toBe(amount);
    },
  );

  test("the smallest amount is Stripe's, or half a dollar's worth where Stripe names none", () => {
    expect(minChargeCents(USD_RATE)).toBe(50);
    expect(minChargeCents(toCurrencyRate("JPY", "150"))).toBe(50);
    expect(minChargeCents(toCurrencyRate("HUF", "350"))).toBe(17_500);
    expect(minChargeCents(toCurrencyRate("KRW", "1380"))).toBe(690);
    expect(minChargeCents(toCurrencyRate("KWD", "0.307"))).toBe(160);
  });

  test("currencies with two needless zeros at Stripe are converted both ways", () => {
    expect([toStripeAmount(5, "ISK"), toStripeAmount(5, "UGX"), toStripeAmount(5, "JPY")]).toEqual([500, 500, 5]);
    expect([fromStripeAmount(500, "isk"), fromStripeAmount(500, "ugx"), fromStripeAmount(5, "jpy")]).toEqual([5, 5, 5]);
  });
});

describe("a currency that does not fit", () => {
  test("a currency that the account at Stripe refuses is said in words, and nothing is charged", async () => {
    const who = await createPayer("GBP");
    server.fake.store.refusedCurrencies.add("gbp");
    const answer = await server.post(who, TOP_UP, { amount_usd_cents: 2500 });
    expect([answer.status, errorCode(answer.body)]).toEqual([402, "payments.currency_refused"]);
    expect(answer.text).toContain("does not charge cards in GBP");
    server.fake.store.refusedCurrencies.clear();
    expect((await server.post(who, TOP_UP, { amount_usd_cents: 2500 })).status).toBe(201);
  });

  test("a payment that comes back in another currency is reported to the admins, and never posted", async () => {
    const { email } = await server.signInAdmin();
    const who = await createPayer("JPY");
    server.fake.fail(/^POST \/v1\/payment_intents$/, "response lost", "dropped", "dropped");
    expect((await server.post(who, TOP_UP, { amount_usd_cents: 2500 })).status).toBe(409);
    const intent = [...server.fake.store.paymentIntents.values()].at(-1);
    const charge = server.fake.store.charges.get(intent?.latest_charge ?? "");
    if (!intent || !charge) throw new Error("Nothing was charged.");
    intent.currency = "usd";
    charge.currency = "usd";
    server.clock.at += 120_000;
    await server.billing.payments.recover();
    expect(await paymentOf(who)).toMatchObject({ status: "failed", failure_code: "other_currency" });
    expect((await server.api.credits.credits.balance(who.organizationId)).balance).toBe(0n);
    expect(await server.invoices(who)).toEqual([]);
    const mails = (await server.listMails(email)).filter(({ subject }) => subject.includes("another currency"));
    expect(mails.map(({ body }) => body)).toEqual([expect.stringContaining("was charged in USD")]);
    server.clock.at += 3_600_000;
    await server.billing.reconciliation.check();
    expect((await server.billing.reconciliation.latest())?.differences).toEqual([
      expect.objectContaining({
        kind: "currency",
        currency: "USD",
        service_cents: 3750,
        our_cents: null,
        repaired: false,
      }),
    ]);
    expect((await paymentOf(who)).status).toBe("failed");
    await fetch(`${server.fake.url}/v1/refunds`, {
      method: "POST",
      headers: { authorization: "Bearer sk_test_standin" },
      body: new URLSearchParams({ payment_intent: intent.id }),
    });
    const refunded = server.fake.store.events.findLast(({ type }) => type === "charge.refunded");
    if (!refunded) throw new Error("There is no event of the refund.");
    const { payload, signature } = server.fake.webhookOf(refunded);
    await server.call("/api/payments/stripe/webhook", { body: payload, headers: { "stripe-signature": signature } });
    expect(await paymentOf(who)).toMatchObject({ status: "failed", refunded_cents: 0 });
  });
});

describe("a dispute in another currency", () => {
  const dispute = async (who: Buyer, change: Partial<Dispute>): Promise<Dispute> => ({
    status: "open",
    ...{ id: `dp_${who.organizationId}`, paymentId: (await paymentOf(who)).id, reason: "fraudulent" },
    ...{ amountCents: 3750, currency: "JPY", feeCents: 0, feeCurrency: "JPY", openedAt: server.clock.now() },
    ...change,
  });

  test("a lost dispute that is won after all returns exactly what it took, also when the rate changed", async () => {
    const who = await createPayer("JPY");
    await server.post(who, TOP_UP, { amount_usd_cents: 2500 });
    const cash = () => server.api.ledger.balance("cash");
    const before = await cash();
    await server.billing.disputes.apply(await dispute(who, { status: "lost" }));
    expect((await cash()) - before).toBe(25_000_000_000n);
    await server.db.updateTable("currencies").set({ units_per_usd: "99" }).where("code", "=", "JPY").execute();
    await server.billing.disputes.apply(await dispute(who, { status: "won" }));
    expect(await cash()).toBe(before);
    expect((await server.api.credits.credits.balance(who.organizationId)).balance).toBe(25_000_000_000n);
  });

  test("a fee in a currency without a rate is not posted, and the mail says so", async () => {
    const { email } = await server.signInAdmin();
    const who = await createPayer("EUR");
    await server.post(who, TOP_UP, { amount_usd_cents: 2500 });
    const before = await server.api.ledger.balance("fees");
    const change = { amountCents: 2300, currency: "EUR", feeCents: 1500, feeCurrency: "PLN" };
    await server.billing.disputes.apply(await dispute(who, change));
    expect(await server.api.ledger.balance("fees")).toBe(before);
    const mail = (await server.listMails(email)).find(({ body }) => body.includes("€23.00"));
    expect(mail?.body).toContain("The fee is not in the ledger, since PLN is not switched on here");
  });
});
