import type { Database } from "../../../platform/core/db/connect.ts";
import type { DisputeUseCases } from "../disputes/disputes.usecases.ts";
import type { PaymentDriver, WebhookReader } from "../payments/payment-driver.ts";
import type { ChargeRecord, Dispute, PaymentRecords } from "../payments/payment-records.ts";
import type { PaymentRow, PaymentUseCases } from "../payments/payments.usecases.ts";
import type { Difference } from "./differences.ts";

type Context = {
  db: Database;
  driver: PaymentDriver;
  payments: PaymentUseCases;
  disputes: DisputeUseCases;
  records: PaymentRecords;
  reader: WebhookReader;
};

/**
 * Compares charges at the service with our payments, and posts those whose success was never heard of. One in another currency is
 * never posted.
 */
export async function compareCharges(context: Context, charges: readonly ChargeRecord[]): Promise<Difference[]> {
  const { db, payments, reader } = context;
  const ids = charges.flatMap(({ paymentId }) => (paymentId === null ? [] : [paymentId]));
  const known = new Map((await findPayments(db, "id", ids)).map((payment) => [payment.id, payment]));
  const differences: Difference[] = [];
  for (const { reference, paymentId, amountCents, currency } of charges) {
    const payment = known.get(paymentId ?? "");
    const found = { reference, payment_id: paymentId, currency, service_cents: amountCents };
    if (!payment) differences.push({ ...found, kind: "unknown_here", our_cents: null, repaired: false });
    else if (payment.currency !== currency)
      differences.push({ ...found, kind: "currency", our_cents: null, repaired: false });
    else if (payment.amount_cents !== amountCents)
      differences.push({ ...found, kind: "amount", our_cents: payment.amount_cents, repaired: false });
    else if (payment.status !== "succeeded") {
      const event = await reader.resolve({ kind: "payment", reference });
      if (event) await payments.handleEvent(event);
      const repaired = (await payments.find(payment.id)).status === "succeeded";
      differences.push({ ...found, kind: "not_posted", our_cents: 0, repaired });
    }
  }
  return differences;
}

/** Returns our paid payments of a time that the service does not have. */
export async function findUnknownAtService(
  { db, driver }: Context,
  charges: readonly ChargeRecord[],
  { since, until }: { since: Date; until: Date },
): Promise<Difference[]> {
  const listed = new Set(charges.map(({ paymentId }) => paymentId));
  const paid = await db
    .selectFrom("payments")
    .selectAll()
    .where("driver", "=", driver.name)
    .where("status", "=", "succeeded")
    .where("settled_at", ">=", since)
    .where("settled_at", "<", until)
    .execute();
  const differences: Difference[] = [];
  for (const { id, reference, amount_cents, currency, created_at } of paid) {
    if (listed.has(id)) continue;
    // It may have been charged before the time that was listed.
    const event =
      reference === null ? null : await driver.find({ paymentId: id, reference, card: null, createdAt: created_at });
    if (event?.type === "payment.succeeded") continue;
    differences.push({
      kind: "unknown_at_service",
      reference,
      payment_id: id,
      currency,
      service_cents: null,
      our_cents: amount_cents,
      repaired: false,
    });
  }
  return differences;
}

/** Compares the refunds of payments, and posts those that were never heard of. */
export async function compareRefunds(context: Context, references: readonly string[]): Promise<Difference[]> {
  const { db, payments, reader } = context;
  const differences: Difference[] = [];
  for (const payment of await findPayments(db, "reference", references)) {
    const { id, reference, refunded_cents: ours, currency } = payment;
    const event = await reader.resolve({ kind: "refund", reference: reference ?? "" });
    if (event?.type !== "payment.refunded") continue;
    const service_cents = event.refundedCents - (event.failedCents ?? 0);
    if (service_cents === ours) continue;
    await payments.handleEvent(event);
    const repaired = (await payments.find(id)).refunded_cents === service_cents;
    differences.push({ kind: "refund", reference, payment_id: id, currency, service_cents, our_cents: ours, repaired });
  }
  return differences;
}

/** Compares disputes with ours, also ours that are open for longer, and applies states that were never heard of. */
export async function compareDisputes(context: Context, listed: readonly Dispute[]): Promise<Difference[]> {
  const { db, disputes, records } = context;
  const rows = await db
    .selectFrom("disputes")
    .select(["id", "status"])
    .where((eb) =>
      eb.or([eb("status", "in", ["open", "inquiry"]), eb("id", "in", ["", ...listed.map(({ id }) => id)])]),
    )
    .execute();
  const ours = new Map(rows.map(({ id, status }) => [id, status]));
  const older = rows.filter(({ id }) => !listed.some((dispute) => dispute.id === id));
  const found = await Promise.all(older.map(({ id }) => records.findDispute(id)));
  const differences: Difference[] = [];
  for (const dispute of [...listed, ...found]) {
    if (!dispute || dispute.status === ours.get(dispute.id)) continue;
    // One that cannot be applied, since its payment is not settled here, is reported and does not hold up the others.
    const repaired = await disputes.apply(dispute).then(
      () => true,
      () => false,
    );
    differences.push({
      kind: "dispute",
      reference: dispute.id,
      payment_id: dispute.paymentId,
      currency: dispute.currency,
      service_cents: dispute.amountCents,
      our_cents: null,
      repaired,
    });
  }
  return differences;
}

async function findPayments(
  db: Database,
  column: "id" | "reference",
  values: readonly string[],
): Promise<PaymentRow[]> {
  if (values.length === 0) return [];
  return db.selectFrom("payments").selectAll().where(column, "in", values).execute();
}
