import { type FakeStripe, STRIPE_KEYS, startFakeStripe } from "@feather/testing/fake-stripe";
import { expect } from "vitest";
import { verifyLedger } from "../money/ledger/verify-ledger.ts";
import { centsToNano } from "../platform/core/money.ts";
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
    /** Checks that the ledger balances, and that cash equals what Stripe took, less refunds and disputes with their fees. */
    async verifyBooks(): Promise<void> {
      expect(await verifyLedger(server.db)).toEqual([]);
      expect(await server.api.ledger.balance("cash")).toBe(-centsToNano(fake.balanceCents()));
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
