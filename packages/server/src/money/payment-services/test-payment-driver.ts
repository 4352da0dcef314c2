import { createHmac, randomBytes } from "node:crypto";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { createSecret, hashSecret, type RandomBytes } from "../../platform/core/secrets/secrets.ts";
import { stepOf } from "../currencies/index.ts";
import { cardSchema } from "./card.schemas.ts";
import { cardDeclined } from "./card-declined.ts";
import type { Card, PaymentDriver, PaymentEvent, SetupState } from "./payment-driver.ts";

/** How a test card behaves; part of the card's reference. */
type CardBehavior = "works" | "authenticates-once" | "authenticates" | "fails";

const TEST_CARDS: Record<string, { behavior: CardBehavior } | { declined: string }> = {
  "4000002500003155": { behavior: "authenticates-once" },
  "4000002760003184": { behavior: "authenticates" },
  "4000000000000341": { behavior: "fails" },
  "4000000000000002": { declined: "card_declined" },
  "4000000000009995": { declined: "insufficient_funds" },
  "4000000000000069": { declined: "expired_card" },
};
const UNFINISHED_STATUSES = ["requires_payment_method", "requires_action"] as const;
const CARD_NUMBER = /^[0-9]{12,19}$/;

/** A card that was entered, or the code of its refusal. */
type TestCard = { kind: "card" | "requires_action"; card: Card } | { kind: "declined"; code: string };

type Deps = {
  db: Database;
  clock: Clock;
  cardFingerprintKey: Uint8Array;
  pageUrl(token: string): string;
  random?: RandomBytes;
};
type ChargeRow = { idempotency_key: string; status: string; failure_code: string | null; refunded_cents: number };

/** The built-in payment service for tests and demos. No money moves: it stores charges in a table. */
export function createTestDriver(deps: Deps) {
  return {
    ...bind(deps, {
      readCard,
      enterCard,
      findAwaitingAuthentication,
      authenticate: confirmTestPayment,
      findSetupAwaitingAuthentication,
      authenticateSetup,
    }),
    driver: createDriver(deps),
  };
}

export type TestDriver = ReturnType<typeof createTestDriver>;

function fingerprintOf({ cardFingerprintKey }: Deps, number: string) {
  return createHmac("sha256", cardFingerprintKey).update(`test card ${number}`).digest("hex").slice(0, 32);
}

/** Creates a page for the buyer to confirm a payment at; earlier pages stop working. */
async function authenticationUrl(deps: Deps, paymentId: string): Promise<string> {
  const { db, pageUrl, random = randomBytes } = deps;
  const token = createSecret("one", random);
  await db
    .updateTable("test_charges")
    .set({ authentication_hash: hashSecret(token) })
    .where("idempotency_key", "=", paymentId)
    .execute();
  return pageUrl(token);
}

async function findCharge(deps: Deps, paymentId: string): Promise<ChargeRow | undefined> {
  const { db } = deps;
  return db.selectFrom("test_charges").selectAll().where("idempotency_key", "=", paymentId).executeTakeFirst();
}

async function currentEvent(deps: Deps, paymentId: string): Promise<PaymentEvent> {
  const charge = await findCharge(deps, paymentId);
  if (!charge) throw new Error(`The test driver knows no payment ${paymentId}.`);
  if (charge.status !== "requires_action") return toPaymentEvent(charge);
  return { ...toPaymentEvent(charge), type: "payment.requires_action", url: await authenticationUrl(deps, paymentId) };
}

/** Reads the number of a test card: a card, which its bank may have to approve, or why it was declined. */
async function readCard(deps: Deps, number: string): Promise<TestCard> {
  const { clock, random = randomBytes } = deps;
  if (!CARD_NUMBER.test(number) || !hasValidCheckDigit(number)) return { kind: "declined", code: "incorrect_number" };
  const testCard = TEST_CARDS[number] ?? { behavior: "works" as const };
  if ("declined" in testCard) return { kind: "declined", code: testCard.declined };
  const card = {
    reference: `test:${testCard.behavior}:${Buffer.from(random(9)).toString("base64url")}`,
    fingerprint: fingerprintOf(deps, number),
    brand: number.startsWith("4") ? "visa" : number.startsWith("5") ? "mastercard" : "unknown",
    last4: number.slice(-4),
    expMonth: 12,
    expYear: clock.now().getUTCFullYear() + 4,
  };
  return { kind: testCard.behavior.startsWith("authenticates") ? "requires_action" : "card", card };
}

/**
 * Does what the form of a payment service does in the buyer's browser: confirms a setup with a card. Throws
 * `payments.card_declined`. The row of the setup intent keeps the card.
 */
async function enterCard(deps: Deps, reference: string, number: string): Promise<void> {
  const result = await readCard(deps, number);
  if (result.kind === "declined") throw cardDeclined(result.code);
  await deps.db
    .updateTable("setup_intents")
    .set({
      status: result.kind === "card" ? "requires_payment_method" : "requires_action",
      card: JSON.stringify(result.card),
      authentication_hash: null,
    })
    .where("id", "=", reference)
    .where("status", "in", UNFINISHED_STATUSES)
    .execute();
}

/** Creates a page for the buyer to confirm a card at; earlier pages stop working. */
async function setupAuthenticationUrl({ db, pageUrl, random = randomBytes }: Deps, reference: string): Promise<string> {
  const token = createSecret("one", random);
  await db
    .updateTable("setup_intents")
    .set({ authentication_hash: hashSecret(token) })
    .where("id", "=", reference)
    .where("status", "=", "requires_action")
    .execute();
  return pageUrl(token);
}

async function findSetup(deps: Deps, reference: string): Promise<SetupState> {
  const row = await deps.db
    .selectFrom("setup_intents")
    .select(["status", "card"])
    .where("id", "=", reference)
    .executeTakeFirst();
  if (!row || row.card === null) return { kind: "open" };
  if (row.status === "requires_action")
    return { kind: "requires_action", url: await setupAuthenticationUrl(deps, reference) };
  return { kind: "card", card: cardSchema.parse(row.card) };
}

/** Returns the id of the setup that waits for confirmation at this page. */
async function findSetupAwaitingAuthentication({ db, clock }: Deps, token: string): Promise<string | null> {
  const row = await db
    .selectFrom("setup_intents")
    .select("id")
    .where("authentication_hash", "=", hashSecret(token))
    .where("status", "=", "requires_action")
    .where("expires_at", ">", clock.now())
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Stores whether the buyer confirmed a card; if not, the setup needs another. Returns null when the page expired. */
async function authenticateSetup(deps: Deps, token: string, approved: boolean): Promise<string | null> {
  const reference = await findSetupAwaitingAuthentication(deps, token);
  if (reference === null) return null;
  const updated = await deps.db
    .updateTable("setup_intents")
    .set({ status: "requires_payment_method", authentication_hash: null, ...(!approved && { card: null }) })
    .where("id", "=", reference)
    .where("authentication_hash", "=", hashSecret(token))
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n ? reference : null;
}

function createDriver(deps: Deps): PaymentDriver {
  const { db, clock, random = randomBytes } = deps;
  return {
    name: "test",
    isTest: true,
    minChargeCents: ({ currency }) => stepOf(currency),

    createCustomer: async ({ organizationId }) => `test:${organizationId}`,
    createSetup: async ({ setupId }) => ({ reference: setupId, clientSecret: createSecret("one", random), url: null }),
    findSetup: (reference) => findSetup(deps, reference),

    async removeCard() {},

    async charge({ paymentId, amountCents, currency, card }) {
      const [, behavior] = card.split(":");
      const status = behavior === "fails" ? "failed" : behavior === "authenticates" ? "requires_action" : "succeeded";
      await db
        .insertInto("test_charges")
        .values({
          idempotency_key: paymentId,
          card,
          amount_cents: amountCents,
          currency,
          status,
          failure_code: status === "failed" ? "card_declined" : null,
          created_at: clock.now(),
        })
        .onConflict((conflict) => conflict.column("idempotency_key").doNothing())
        .execute();
      return currentEvent(deps, paymentId);
    },

    async find({ paymentId }) {
      const charge = await findCharge(deps, paymentId);
      return charge ? toPaymentEvent(charge) : null; // creates no new page, since the buyer may be on the current one
    },

    async cancel({ paymentId }) {
      await db
        .updateTable("test_charges")
        .set({ status: "canceled", failure_code: "canceled" })
        .where("idempotency_key", "=", paymentId)
        .where("status", "=", "requires_action")
        .execute();
      return currentEvent(deps, paymentId);
    },

    async refund({ paymentId, refundedCents }) {
      await db
        .updateTable("test_charges")
        .set((eb) => ({ refunded_cents: eb.fn<number>("greatest", ["refunded_cents", eb.val(refundedCents)]) }))
        .where("idempotency_key", "=", paymentId)
        .where("amount_cents", ">=", refundedCents)
        .execute();
      const totalCents = (await findCharge(deps, paymentId))?.refunded_cents ?? 0;
      return {
        id: `${paymentId}:refunded:${totalCents}`,
        paymentId,
        type: "payment.refunded",
        refundedCents: totalCents,
      };
    },
  };
}

/** Returns the payment that waits for confirmation at this page. */
async function findAwaitingAuthentication({ db }: Deps, token: string) {
  return db
    .selectFrom("test_charges")
    .select(["idempotency_key as paymentId", "amount_cents as amountCents", "currency"])
    .where("authentication_hash", "=", hashSecret(token))
    .where("status", "=", "requires_action")
    .executeTakeFirst();
}

/**
 * Stores whether the buyer confirmed a payment. Returns the event that a webhook would send; null when the page
 * expired.
 */
async function confirmTestPayment(deps: Deps, token: string, approved: boolean): Promise<PaymentEvent | null> {
  const { db } = deps;
  const updated = await db
    .updateTable("test_charges")
    .set({
      status: approved ? "succeeded" : "failed",
      failure_code: approved ? null : "authentication_failed",
    })
    .where("authentication_hash", "=", hashSecret(token))
    .where("status", "=", "requires_action")
    .returning("idempotency_key")
    .executeTakeFirst();
  return updated ? currentEvent(deps, updated.idempotency_key) : null;
}

function toPaymentEvent({ idempotency_key: paymentId, status, failure_code }: ChargeRow): PaymentEvent {
  const id = `${paymentId}:${status}`;
  if (status === "succeeded") return { id, paymentId, type: "payment.succeeded" };
  if (status === "requires_action") return { id, paymentId, type: "payment.requires_action", url: null };
  return { id, paymentId, type: "payment.failed", code: failure_code ?? "card_declined" };
}

/** Returns whether the check digit of a card number is right (Luhn algorithm). */
function hasValidCheckDigit(number: string): boolean {
  const sum = [...number].reverse().reduce((totalCents, character, index) => {
    const digit = Number(character) * (index % 2 === 1 ? 2 : 1);
    return totalCents + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return sum % 10 === 0;
}
