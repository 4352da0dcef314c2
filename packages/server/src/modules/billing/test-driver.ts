import { createHmac, randomBytes } from "node:crypto";
import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import { hashSecret, newSecret, type RandomBytes } from "../../shared/secrets.ts";
import type { PaymentDriver, PaymentEvent } from "./payments.ts";

/** How a test card behaves; part of the card's reference. */
type Behaviour = "works" | "authenticates-once" | "authenticates" | "fails";

const CARDS: Record<string, { behaviour: Behaviour } | { declined: string }> = {
  "4000002500003155": { behaviour: "authenticates-once" },
  "4000002760003184": { behaviour: "authenticates" },
  "4000000000000341": { behaviour: "fails" },
  "4000000000000002": { declined: "card_declined" },
  "4000000000009995": { declined: "insufficient_funds" },
  "4000000000000069": { declined: "expired_card" },
};
const FORM = /^[0-9]{12,19}$/;

type Deps = { db: Database; clock: Clock; secret: Uint8Array; pageUrl(token: string): string; random?: RandomBytes };
type ChargeRow = { idempotency_key: string; status: string; failure_code: string | null; refunded_cents: number };

/** The built-in payment service for tests and demos. No money moves; it stores charges in a table of its own. */
export function createTestDriver({ db, clock, secret, pageUrl, random = randomBytes }: Deps) {
  const fingerprintOf = (number: string) =>
    createHmac("sha256", secret).update(`test card ${number}`).digest("hex").slice(0, 32);

  /** Creates a page for the buyer to confirm a payment at; earlier pages stop working. */
  async function authenticationUrl(paymentId: string): Promise<string> {
    const token = newSecret("one", random);
    await db
      .updateTable("test_charges")
      .set({ authentication_hash: hashSecret(token) })
      .where("idempotency_key", "=", paymentId)
      .execute();
    return pageUrl(token);
  }

  async function row(paymentId: string): Promise<ChargeRow | undefined> {
    return db.selectFrom("test_charges").selectAll().where("idempotency_key", "=", paymentId).executeTakeFirst();
  }

  async function answer(paymentId: string): Promise<PaymentEvent> {
    const found = await row(paymentId);
    if (!found) throw new Error(`The test driver knows no payment ${paymentId}.`);
    if (found.status !== "requires_action") return eventOf(found);
    return { ...eventOf(found), type: "payment.requires_action", url: await authenticationUrl(paymentId) };
  }

  const driver: PaymentDriver = {
    name: "test",
    isTest: true,

    async setUp(form) {
      if (!FORM.test(form) || !luhn(form)) return { kind: "declined", code: "incorrect_number" };
      const known = CARDS[form] ?? { behaviour: "works" as const };
      if ("declined" in known) return { kind: "declined", code: known.declined };
      const card = {
        reference: `test:${known.behaviour}:${Buffer.from(random(9)).toString("base64url")}`,
        fingerprint: fingerprintOf(form),
        brand: form.startsWith("4") ? "visa" : form.startsWith("5") ? "mastercard" : "unknown",
        last4: form.slice(-4),
        expMonth: 12,
        expYear: clock.now().getUTCFullYear() + 4,
      };
      return { kind: known.behaviour.startsWith("authenticates") ? "requires_action" : "card", card };
    },

    async charge({ paymentId, amountCents, card }) {
      const [, behaviour] = card.split(":");
      const status = behaviour === "fails" ? "failed" : behaviour === "authenticates" ? "requires_action" : "succeeded";
      await db
        .insertInto("test_charges")
        .values({
          idempotency_key: paymentId,
          card,
          amount_cents: amountCents,
          status,
          failure_code: status === "failed" ? "card_declined" : null,
          created_at: clock.now(),
        })
        .onConflict((conflict) => conflict.column("idempotency_key").doNothing())
        .execute();
      return answer(paymentId);
    },

    async find(paymentId) {
      const found = await row(paymentId);
      return found ? eventOf(found) : null; // creates no new page, since the buyer may be on the current one
    },

    async cancel(paymentId) {
      await db
        .updateTable("test_charges")
        .set({ status: "canceled", failure_code: "canceled" })
        .where("idempotency_key", "=", paymentId)
        .where("status", "=", "requires_action")
        .execute();
      return answer(paymentId);
    },

    async refund({ paymentId, refundedCents }) {
      await db
        .updateTable("test_charges")
        .set((eb) => ({ refunded_cents: eb.fn<number>("greatest", ["refunded_cents", eb.val(refundedCents)]) }))
        .where("idempotency_key", "=", paymentId)
        .where("amount_cents", ">=", refundedCents)
        .execute();
      const total = (await row(paymentId))?.refunded_cents ?? 0;
      return { id: `${paymentId}:refunded:${total}`, paymentId, type: "payment.refunded", refundedCents: total };
    },
  };

  return {
    driver,
    /** The payment that waits for confirmation at this page. */
    async awaiting(token: string) {
      return db
        .selectFrom("test_charges")
        .select(["idempotency_key as paymentId", "amount_cents as amountCents"])
        .where("authentication_hash", "=", hashSecret(token))
        .where("status", "=", "requires_action")
        .executeTakeFirst();
    },
    /**
     * Stores whether the buyer confirmed a payment. Returns the event that a webhook would send; null when the page
     * expired.
     */
    async authenticate(token: string, approved: boolean): Promise<PaymentEvent | null> {
      const changed = await db
        .updateTable("test_charges")
        .set({
          status: approved ? "succeeded" : "failed",
          failure_code: approved ? null : "authentication_failed",
        })
        .where("authentication_hash", "=", hashSecret(token))
        .where("status", "=", "requires_action")
        .returning("idempotency_key")
        .executeTakeFirst();
      return changed ? answer(changed.idempotency_key) : null;
    },
  };
}

export type TestDriver = ReturnType<typeof createTestDriver>;

function eventOf({ idempotency_key: paymentId, status, failure_code }: ChargeRow): PaymentEvent {
  const id = `${paymentId}:${status}`;
  if (status === "succeeded") return { id, paymentId, type: "payment.succeeded" };
  if (status === "requires_action") return { id, paymentId, type: "payment.requires_action", url: null };
  return { id, paymentId, type: "payment.failed", code: failure_code ?? "card_declined" };
}

/** Whether the check digit of a card number is right (Luhn algorithm). */
function luhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 1 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return sum % 10 === 0;
}
