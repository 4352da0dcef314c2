import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Card, PaymentDriver, PaymentEvent, PaymentKey, Setup } from "../payment-driver.ts";

/** Test cards of a payment service, as buyers enter them, by what becomes of them. */
export type TestCards = {
  works: string;
  alsoWorks: string;
  /** Is refused when it is added. */
  declined: string;
  /** The bank asks the buyer when it is added, and for each payment. */
  authenticates: string;
  /** The bank asks the buyer when it is added. */
  authenticatesOnce: string;
  /** Can be added, and is refused when it is charged. */
  failsLater: string;
};

/** A payment service with what buyers do at it. */
export type PaymentServiceUnderTest = {
  driver: PaymentDriver;
  /** The test cards, where they are not those of Stripe. */
  cards?: TestCards;
  now(): Date;
  /** Begins to add a card for a new customer. */
  beginSetup(): Promise<Setup>;
  /** Confirms a setup with a card, as the payment form does. Rejects or resolves when the card is declined. */
  enterCard(setup: Setup, number: string): Promise<unknown>;
  /** The buyer's decision on the page of their bank. */
  decide(url: string, approved: boolean): Promise<void>;
  /** Returns what was charged for the payment minus refunds, in cents. */
  chargedCents(paymentId: string): Promise<number>;
  close(): Promise<void>;
};

const AMOUNT_CENTS = 1000;
/** Stripe's test cards, which other services often have too. */
const STRIPE_CARDS: TestCards = {
  works: "4242424242424242",
  alsoWorks: "5555555555554444",
  declined: "4000000000000002",
  authenticates: "4000002760003184",
  authenticatesOnce: "4000002500003155",
  failsLater: "4000000000000341",
};

/**
 * Tests what every payment driver must do, with Vitest. `create` starts the service, or a stand-in for it. It depends on nothing but
 * the interface, so that drivers of others can be tested with it.
 */
export function describePaymentDriver(name: string, create: () => Promise<PaymentServiceUnderTest>): void {
  let service: PaymentServiceUnderTest;
  let cards = STRIPE_CARDS;
  let count = 0;
  beforeAll(async () => {
    service = await create();
    cards = service.cards ?? STRIPE_CARDS;
  });
  afterAll(() => service.close());

  async function addCard(number: string): Promise<Card> {
    const setup = await service.beginSetup();
    await service.enterCard(setup, number);
    const state = await service.driver.findSetup(setup.reference);
    if (state.kind === "requires_action") await service.decide(state.url ?? "", true);
    const done = await service.driver.findSetup(setup.reference);
    if (done.kind !== "card") throw new Error(`The card ${number} could not be added.`);
    return done.card;
  }

  const newKey = (card: string | null): PaymentKey => ({
    paymentId: `pay_driver_${++count}`,
    reference: null,
    card,
    createdAt: service.now(),
  });
  const charge = (key: PaymentKey, { reference }: Card, isBuyerPresent = true): Promise<PaymentEvent> =>
    service.driver.charge({
      ...key,
      card: reference,
      amountCents: AMOUNT_CENTS,
      currency: "USD",
      description: `Payment ${key.paymentId}`,
      isBuyerPresent,
    });

  /** Charges a card whose bank asks the buyer, and returns the address of the bank's page. */
  async function chargeWaiting(isBuyerPresent = true) {
    const card = await addCard(cards.authenticates);
    const key = newKey(card.reference);
    const event = await charge(key, card, isBuyerPresent);
    expect(event.type).toBe("payment.requires_action");
    const url = event.type === "payment.requires_action" ? event.url : null;
    if (url === null) throw new Error("There is no page to confirm the payment at.");
    return { key, card, url };
  }

  describe(`cards of the ${name} driver`, () => {
    test(`the ${name} driver reports no card before the buyer's browser has confirmed one`, async () => {
      const { reference } = await service.beginSetup();
      expect(await service.driver.findSetup(reference)).toEqual({ kind: "open" });
    });

    test(`the ${name} driver reports a confirmed card, with one fingerprint for one number`, async () => {
      const [first, second, other] = [
        await addCard(cards.works),
        await addCard(cards.works),
        await addCard(cards.alsoWorks),
      ];
      expect(first).toMatchObject({ brand: expect.any(String), last4: cards.works.slice(-4) });
      expect(second.fingerprint).toBe(first.fingerprint);
      expect(second.reference).not.toBe(first.reference);
      expect(other.fingerprint).not.toBe(first.fingerprint);
    });

    test(`the ${name} driver leaves a setup open for another card when one is declined`, async () => {
      const setup = await service.beginSetup();
      await service.enterCard(setup, cards.declined);
      expect(await service.driver.findSetup(setup.reference)).toEqual({ kind: "open" });
      await service.enterCard(setup, cards.works);
      expect(await service.driver.findSetup(setup.reference)).toMatchObject({
        kind: "card",
        card: { last4: cards.works.slice(-4) },
      });
    });

    test(`the ${name} driver leaves a setup open for another card when the buyer refuses to confirm one`, async () => {
      const setup = await service.beginSetup();
      await service.enterCard(setup, cards.authenticatesOnce);
      const state = await service.driver.findSetup(setup.reference);
      expect(state).toEqual({ kind: "requires_action", url: expect.any(String) });
      await service.decide(state.kind === "requires_action" ? (state.url ?? "") : "", false);
      expect(await service.driver.findSetup(setup.reference)).toEqual({ kind: "open" });
    });
  });

  describe(`payments of the ${name} driver`, () => {
    test(`the ${name} driver charges a payment once, however often and by however many it is charged`, async () => {
      const card = await addCard(cards.works);
      const key = newKey(card.reference);
      const events = await Promise.all(Array.from({ length: 5 }, () => charge(key, card)));
      events.push(await charge(key, card, true));
      expect(new Set(events.map(({ id }) => id)).size).toBe(1);
      expect(events[0]?.type).toBe("payment.succeeded");
      expect(await service.chargedCents(key.paymentId)).toBe(AMOUNT_CENTS);
    });

    test(`the ${name} driver reports why a card was declined when it was charged`, async () => {
      const card = await addCard(cards.failsLater);
      const key = newKey(card.reference);
      expect(await charge(key, card)).toMatchObject({ type: "payment.failed", code: expect.any(String) });
      expect(await service.driver.find(key)).toMatchObject({ type: "payment.failed", code: expect.any(String) });
      expect(await service.chargedCents(key.paymentId)).toBe(0);
    });

    test.each([
      ["present", true],
      ["away", false],
    ])(
      `the ${name} driver sends the buyer, who is %s, to the bank, and charges after they confirm`,
      async (_where, isPresent) => {
        const { key, url } = await chargeWaiting(isPresent);
        expect(await service.driver.find(key)).toMatchObject({ type: "payment.requires_action" });
        expect(await service.chargedCents(key.paymentId)).toBe(0);
        await service.decide(url, true);
        expect(await service.driver.find(key)).toMatchObject({ type: "payment.succeeded" });
        expect(await service.chargedCents(key.paymentId)).toBe(AMOUNT_CENTS);
      },
    );

    test(`the ${name} driver reports a payment that the buyer refuses to confirm as failed`, async () => {
      const { key, url } = await chargeWaiting();
      await service.decide(url, false);
      expect(await service.driver.find(key)).toMatchObject({ type: "payment.failed" });
    });

    test(`the ${name} driver charges a canceled payment no more`, async () => {
      const { key, card, url } = await chargeWaiting();
      expect(await service.driver.cancel(key)).toMatchObject({ type: "payment.failed", code: "canceled" });
      await service.decide(url, true);
      expect(await charge(key, card)).toMatchObject({ type: "payment.failed", code: "canceled" });
      expect(await service.chargedCents(key.paymentId)).toBe(0);
    });

    test(`the ${name} driver reports a payment that succeeded before it was canceled as succeeded`, async () => {
      const { key, url } = await chargeWaiting();
      await service.decide(url, true);
      expect(await service.driver.cancel(key)).toMatchObject({ type: "payment.succeeded" });
    });

    test(`the ${name} driver finds no payment that was never charged`, async () => {
      expect(await service.driver.find(newKey((await addCard(cards.works)).reference))).toBeNull();
    });

    test(`the ${name} driver refunds up to a sum, once`, async () => {
      const card = await addCard(cards.works);
      const key = newKey(card.reference);
      await charge(key, card);
      for (const refundedCents of [300, 300, AMOUNT_CENTS, AMOUNT_CENTS]) {
        const event = await service.driver.refund({ ...key, refundedCents });
        expect(event).toMatchObject({ type: "payment.refunded", refundedCents });
        expect(await service.chargedCents(key.paymentId)).toBe(AMOUNT_CENTS - refundedCents);
      }
    });
  });
}
