import { fc } from "@feather/testing/properties";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BillingServer, type Buyer, createBillingServer } from "../../testing/billing.ts";
import type { PaymentEvent } from "../payment-services/payment-driver.ts";

let server: BillingServer;
let who: Buyer;
beforeAll(async () => {
  server = await createBillingServer();
  who = await server.createBuyer();
});
afterAll(async () => {
  await server.close();
});

let counter = 0;
const AMOUNT = 1000;

/** Creates a payment for credits of which the payment service has not reported anything. */
async function unsettled(status: "pending" | "requires_action" = "pending"): Promise<string> {
  const id = `pay_event_${++counter}`;
  const bill = {
    lines: [{ description: "Credits", amount_cents: AMOUNT }],
    subtotalCents: AMOUNT,
    discountCents: 0,
    taxCents: 0,
    totalCents: AMOUNT,
    carriedCents: 0,
    valueCents: 0,
  };
  await server.db
    .insertInto("payments")
    .values({
      id,
      organization_id: who.organizationId,
      purpose: "top_up",
      amount_cents: AMOUNT,
      status,
      driver: "test",
      is_test: true,
      purchase: JSON.stringify({ userId: who.userId, creditCents: AMOUNT, bill }),
      created_at: server.clock.now(),
    })
    .execute();
  return id;
}

/** Charges a payment at the payment service, whose response never arrives. */
async function chargeUnheard(id: string): Promise<void> {
  const charge = { card: "test:works:x", amount_cents: AMOUNT, status: "succeeded", created_at: server.clock.now() };
  await server.db
    .insertInto("test_charges")
    .values({ idempotency_key: id, ...charge })
    .execute();
}

type Said =
  | { kind: "requires_action" }
  | { kind: "failed" }
  | { kind: "succeeded" }
  | { kind: "refunded"; cents: number };
const eventOf = (paymentId: string, said: Said): PaymentEvent => {
  const id = `${paymentId}:${said.kind}${said.kind === "refunded" ? said.cents : ""}`;
  if (said.kind === "failed") return { id, paymentId, type: "payment.failed", code: "card_declined" };
  if (said.kind === "requires_action") return { id, paymentId, type: "payment.requires_action", url: null };
  if (said.kind === "refunded") return { id, paymentId, type: "payment.refunded", refundedCents: said.cents };
  return { id, paymentId, type: "payment.succeeded" };
};

/** Returns the expected state after all these events, in any order. */
function reference(said: readonly Said[]): { status: string; refunded: number } {
  const has = (kind: Said["kind"]) => said.some((one) => one.kind === kind);
  const refunded = Math.max(0, ...said.map((one) => (one.kind === "refunded" ? one.cents : 0)));
  if (has("succeeded") || refunded > 0) return { status: "succeeded", refunded };
  if (has("failed")) return { status: "failed", refunded: 0 };
  return { status: has("requires_action") ? "requires_action" : "pending", refunded: 0 };
}

const says: fc.Arbitrary<Said> = fc.oneof(
  fc.constant<Said>({ kind: "requires_action" }),
  fc.constant<Said>({ kind: "failed" }),
  fc.constant<Said>({ kind: "succeeded" }),
  fc.integer({ min: 1, max: AMOUNT }).map((cents): Said => ({ kind: "refunded", cents })),
);

describe("events of the payment service", () => {
  test("events of the payment service lead to the same result in any order, late and repeated", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(says, { minLength: 1, maxLength: 6 }).chain((script) =>
          fc.record({
            script: fc.constant(script),
            deliveries: fc.shuffledSubarray([...script, ...script, ...script], {
              minLength: script.length * 3,
              maxLength: script.length * 3,
            }),
          }),
        ),
        async ({ script, deliveries }) => {
          const id = await unsettled();
          const before = (await server.api.credits.credits.balance(who.organizationId)).balance;
          for (const said of deliveries) await server.billing.payments.handleEvent(eventOf(id, said));
          const { status, refunded } = reference(script);
          const row = await server.billing.payments.find(id);
          expect([row.status, row.refunded_cents]).toEqual([status, refunded]);
          const credited = (await server.api.credits.credits.balance(who.organizationId)).balance - before;
          expect(credited).toBe(status === "succeeded" ? BigInt(AMOUNT - refunded) * 10_000_000n : 0n);
          const bills = server.db
            .selectFrom("invoices")
            .selectAll()
            .where("id", "=", row.invoice_id ?? "");
          expect(await bills.execute()).toHaveLength(status === "succeeded" ? 1 : 0);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("events of the payment service are applied once when fifty copies arrive at once", async () => {
    const id = await unsettled();
    const before = (await server.api.credits.credits.balance(who.organizationId)).balance;
    const event = eventOf(id, { kind: "succeeded" });
    await Promise.all(Array.from({ length: 50 }, () => server.billing.payments.handleEvent(event)));
    const after = (await server.api.credits.credits.balance(who.organizationId)).balance;
    expect(after - before).toBe(BigInt(AMOUNT) * 10_000_000n);
  });

  test("events of the payment service are ignored for unknown payments", async () => {
    await server.billing.payments.handleEvent(eventOf("pay_of_others", { kind: "succeeded" }));
    const heard = server.db.selectFrom("payment_events").selectAll().where("payment_id", "=", "pay_of_others");
    expect(await heard.execute()).toEqual([]);
  });

  test("events of the payment service are fetched when no response came", async () => {
    const id = await unsettled();
    await chargeUnheard(id);
    await server.billing.payments.recover();
    expect((await server.billing.payments.find(id)).status).toBe("pending");
    server.clock.at += 61_000;
    await server.billing.payments.recover();
    expect((await server.billing.payments.find(id)).status).toBe("succeeded");
  });

  test("events of the payment service are fetched for a payment however many others wait for their buyers", async () => {
    for (let count = 0; count < 100; count++) await unsettled("requires_action");
    server.clock.at += 1_000;
    const id = await unsettled();
    await chargeUnheard(id);
    server.clock.at += 61_000;
    await server.billing.payments.recover();
    expect((await server.billing.payments.find(id)).status).toBe("succeeded");
  });
});
