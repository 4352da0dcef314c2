import { type FakeStripe, STRIPE_KEYS, startFakeStripe } from "@feather/testing/fake-stripe";
import { expect } from "vitest";
import { toNano } from "../money/currencies/index.ts";
import { verifyLedger } from "../money/ledger/verify-ledger.ts";
import type { Database } from "../platform/core/db/connect.ts";
import { type BillingServer, type Buyer, CARDS, createBillingServer } from "./billing.ts";

const START = "2026-01-31T10:00:00Z";

/** A server that is paid through a stand-in for Stripe, and what buyers do in their browsers. */
export type StripeServer = Awaited<ReturnType<typeof createStripeServer>>;

/** Starts the stand-in and a server that is paid through it. Both show the time of the server's clock. */
export async function createStripeServer(env: Record<string, string> = {}) {
  const time = { now: () => Date.parse(START) };
  const fake: FakeStripe = await startFakeStripe({ now: () => time.now() });
  const server: BillingServer = await createBillingServer(START, {
    FEATHER_PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: STRIPE_KEYS.secretKey,
    STRIPE_PUBLISHABLE_KEY: STRIPE_KEYS.publishableKey,
    STRIPE_WEBHOOK_SECRET: STRIPE_KEYS.webhookSecret,
    STRIPE_API_BASE: fake.url,
    ...env,
  });
  time.now = () => server.clock.at;

  /** Adds a card as the site does: the browser confirms the setup at Stripe, and the server is told. */
  async function addCard(who: Buyer, number: string = CARDS.works) {
    const intent = await server.post(who, "/api/payment-methods/setup-intent");
    const { id, client_secret } = intent.body as { id: string; client_secret: string };
    await fake.enterCard(client_secret, number);
    const setup = [...fake.store.setupIntents.values()].find((one) => one.client_secret === client_secret);
    const url = setup?.next_action?.redirect_to_url.url;
    if (url !== undefined) fake.authenticate(url, true);
    return server.post(who, `/api/payment-methods/setup-intent/${id}`);
  }

  /** Returns what Stripe took from a buyer and did not give back, in cents. */
  async function takenCents({ organizationId }: Buyer): Promise<number> {
    const payments = await server.db
      .selectFrom("payments")
      .select("id")
      .where("organization_id", "=", organizationId)
      .execute();
    const ids = new Set(payments.map(({ id }) => id));
    return [...fake.store.paymentIntents.values()]
      .filter(({ metadata }) => ids.has((metadata as { payment_id: string }).payment_id))
      .map(({ latest_charge }) => fake.store.charges.get(latest_charge ?? ""))
      .reduce((sum, charge) => sum + (charge ? charge.amount - charge.amount_refunded : 0), 0);
  }

  return {
    ...server,
    fake,
    addCard,
    takenCents,
    async createBuyer(card: string | null = CARDS.works): Promise<Buyer> {
      const who = await server.createBuyer(null);
      if (card !== null) await addCard(who, card);
      return who;
    },
    /**
     * Checks that the ledger balances, that payments equal what Stripe took in each currency, less refunds and disputes with their
     * fees, and that cash is that at the rates of the payments.
     */
    async verifyBooks(): Promise<void> {
      expect(await verifyLedger(server.db)).toEqual([]);
      const { balances, cash, disputes } = await readBooks(server.db);
      for (const [currency, amount] of balances)
        expect([currency, amount]).toEqual([currency, fake.balanceOf(currency.toLowerCase())]);
      const difference = (await server.api.ledger.balance("cash")) + cash;
      // A refund that fails after a lost dispute can leave half a billionth of a dollar in currencies that are converted.
      expect(difference <= disputes && difference >= -disputes, `${difference} nano-USD`).toBe(true);
    },
    async close(): Promise<void> {
      await server.close();
      await fake.close();
    },
  };
}

/** Returns the address of the bank's page in an error response. */
export function bankUrlOf({ body }: { body: unknown }): string {
  return (JSON.parse((body as { data: string }).data) as { details: { url: string } }).details.url;
}

/**
 * Returns what payments took in each currency, less refunds, lost disputes and fees: in minor units, and as nano-USD at the rates of the
 * payments. `disputes` is the number of disputes in other currencies than US dollars.
 */
async function readBooks(db: Database) {
  const payments = await db.selectFrom("payments").selectAll().where("status", "=", "succeeded").execute();
  const disputes = await db.selectFrom("disputes").selectAll().execute();
  const balances = new Map<string, number>();
  let cash = 0n;
  for (const payment of payments) {
    const { id, currency, amount_cents, refunded_cents } = payment;
    const own = disputes.filter(({ payment_id }) => payment_id === id);
    const lost = own.filter(({ status }) => status === "lost").reduce((sum, one) => sum + one.amount_cents, 0);
    const fees = own.reduce((sum, { fee_cents }) => sum + fee_cents, 0);
    const feesNano = own.reduce((sum, { fee_nano_usd }) => sum + BigInt(fee_nano_usd), 0n);
    balances.set(currency, (balances.get(currency) ?? 0) + amount_cents - refunded_cents - lost - fees);
    cash += toNano(amount_cents, payment) - toNano(refunded_cents + lost, payment) - feesNano;
  }
  const converted = new Set(payments.filter(({ currency }) => currency !== "USD").map(({ id }) => id));
  return { balances, cash, disputes: BigInt(disputes.filter(({ payment_id }) => converted.has(payment_id)).length) };
}
