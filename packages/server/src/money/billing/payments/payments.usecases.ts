import type { Insertable, Selectable } from "kysely";
import type { Logger } from "pino";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Payments } from "../../../platform/core/db/schema.generated.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import { DAY_MS, MINUTE_MS } from "../../../platform/core/time.ts";
import type { CurrencyRate } from "../../currencies/index.ts";
import type { PaymentDriver, PaymentEvent, PaymentKey } from "../../payment-services/index.ts";
import { authenticationRequired, paymentFailed } from "../billing.errors.ts";
import type { BillingRepository } from "../billing.repository.ts";

/** A row of the table of payments. */
export type PaymentRow = Selectable<Payments>;
/** What a payment is for: an open invoice, a change of plan, or a top-up of credits. */
export type PaymentPurpose = "invoice" | "change" | "top_up";

/** What follows from a changed status of a payment, for one purpose. Runs in the transaction that stores the status. */
export type PaymentHandlers = {
  /** A payment whose `statusBefore` is `failed` succeeds after all: what its failure undid may have been done anew. */
  succeeded(payment: PaymentRow, trx: Database, statusBefore: string): Promise<void>;
  failed(payment: PaymentRow, trx: Database): Promise<void>;
  requiresAction(payment: PaymentRow, url: string | null, trx: Database): Promise<void>;
};
/** Called after a refund, with the newly refunded amount and the updated payment. */
type RefundHandler = (payment: PaymentRow, cents: number, trx: Database) => Promise<void>;
/** Refunds that failed, in minor units, and the part of them that was posted as refunded before. */
export type FailedRefund = { failedCents: number; returnedCents: number };
/** Called after refunds failed, with the updated payment. */
type FailedRefundHandler = (payment: PaymentRow, refund: FailedRefund, trx: Database) => Promise<void>;

type Deps = {
  db: Database;
  billingRepository: BillingRepository;
  driver: PaymentDriver;
  clock: Clock;
  log: Pick<Logger, "error">;
  onRefund: RefundHandler;
  onRefundFailed: FailedRefundHandler;
  /** Called when a payment succeeds that brings nothing and is to be given back. */
  onUnearned(payment: PaymentRow, trx: Database): Promise<void>;
  /** Called when the service charged a payment in another currency. */
  onOtherCurrency(payment: PaymentRow, currency: string, trx: Database): Promise<void>;
  invalidatePlan(organizationId: string): void;
  /** The only organization whose work is done; all if left out. */
  onlyOrganization?: string;
};
type Context = Deps & { handlers: Map<string, PaymentHandlers> };

/** A payment that is unsettled for longer than this is looked up at the payment service again. */
const RECONCILE_AFTER_MS = MINUTE_MS;
/** How long a buyer may take to confirm a payment before it is canceled. */
const CONFIRMATION_TIMEOUT_MS = DAY_MS;

/** Charges and refunds payments, and applies each event of the payment service once. */
export function createPayments(deps: Deps) {
  const context: Context = { ...deps, handlers: new Map() };
  return bind(context, {
    subscribe,
    find: findPayment,
    handleEvent,
    create: createPayment,
    collect: collectPayment,
    chargeOffSession,
    cancel: cancelPayment,
    refundOutstanding,
    findByIdempotencyId,
    recover: recoverPayments,
  });
}

export type PaymentUseCases = ReturnType<typeof createPayments>;

/** Registers the handlers that run when a payment for this purpose changes its status. */
function subscribe({ handlers }: Context, purpose: PaymentPurpose, paymentHandlers: PaymentHandlers): void {
  handlers.set(purpose, paymentHandlers);
}

function getHandlers({ handlers }: Context, { id, purpose }: PaymentRow): PaymentHandlers {
  const found = handlers.get(purpose);
  if (!found) throw new Error(`Nothing handles the purpose ${purpose} of the payment ${id}.`);
  return found;
}

async function findPayment(deps: Context, id: string, trx: Database = deps.db): Promise<PaymentRow> {
  return trx.selectFrom("payments").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

async function recordEvent(deps: Context, event: PaymentEvent, trx: Database): Promise<boolean> {
  const { clock } = deps;
  const inserted = await trx
    .insertInto("payment_events")
    .values({ id: event.id, type: event.type, payment_id: event.paymentId, received_at: clock.now() })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/**
 * Returns whether a payment that had failed has succeeded although another one pays the same invoice. Marks such a
 * duplicate to be refunded in full.
 */
async function refundIfDuplicate(deps: Context, payment: PaymentRow, trx: Database): Promise<boolean> {
  const { clock } = deps;
  if (payment.status !== "failed" || payment.invoice_id === null) return false;
  const other = await trx
    .selectFrom("payments")
    .select("id")
    .where("invoice_id", "=", payment.invoice_id)
    .where("status", "<>", "failed")
    .executeTakeFirst();
  if (!other) return false;
  const row = await trx
    .updateTable("payments")
    .set({
      status: "succeeded",
      settled_at: clock.now(),
      invoice_id: null,
      outcome: "given_back",
      refund_target_cents: payment.amount_cents,
    })
    .where("id", "=", payment.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await deps.onUnearned(row, trx);
  return true;
}

async function settle(
  deps: Context,
  payment: PaymentRow,
  status: "succeeded" | "failed",
  code: string | null,
  trx: Database,
) {
  const { clock } = deps;
  const row = await trx
    .updateTable("payments")
    // Clears the idempotency key of a failed payment, so that the client can retry with the same key.
    .set({
      status,
      failure_code: code,
      settled_at: clock.now(),
      ...(status === "failed" && { idempotency_id: null }),
    })
    .where("id", "=", payment.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await getHandlers(deps, row)[status](row, trx, payment.status);
  const after = await findPayment(deps, row.id, trx);
  if (after.status === "succeeded" && after.outcome === "given_back") await deps.onUnearned(after, trx);
}

/**
 * Applies an event. Success overrides failure, and both override waiting, so that the result does not depend on the order
 * of events.
 */
async function applyEvent(deps: Context, payment: PaymentRow, event: PaymentEvent, trx: Database): Promise<void> {
  const { status } = payment;
  if (event.type === "payment.succeeded" && status !== "succeeded") {
    if (!(await refundIfDuplicate(deps, payment, trx))) await settle(deps, payment, "succeeded", null, trx);
  }
  if (event.type === "payment.failed" && (status === "pending" || status === "requires_action"))
    await settle(deps, payment, "failed", event.code, trx);
  if (event.type === "payment.requires_action" && status === "pending") {
    await trx.updateTable("payments").set({ status: "requires_action" }).where("id", "=", payment.id).execute();
    await getHandlers(deps, payment).requiresAction(payment, event.url, trx);
  }
  if (event.type === "payment.refunded") await applyRefunds(deps, payment, event, trx);
}

/** Applies the sums of refunds, in cents, if they are newer than the known ones. */
async function applyRefunds(
  deps: Context,
  payment: PaymentRow,
  { refundedCents: madeCents, failedCents = 0 }: { refundedCents: number; failedCents?: number },
  trx: Database,
): Promise<void> {
  // A refund implies that the payment succeeded, even if the event that says so is still missing.
  if (payment.status !== "succeeded" && !(await refundIfDuplicate(deps, payment, trx)))
    await settle(deps, payment, "succeeded", null, trx);
  const { refunded_cents: before, refund_failed_cents: failedBefore } = payment;
  if (madeCents < before + failedBefore || failedCents < failedBefore) return;
  const refundedCents = Math.min(madeCents - failedCents, payment.amount_cents);
  const newlyFailedCents = failedCents - failedBefore;
  if (refundedCents === before && newlyFailedCents === 0) return;
  const row = await trx
    .updateTable("payments")
    .set((eb) => ({
      refunded_cents: refundedCents,
      refund_failed_cents: failedCents,
      // What failed is not refunded again by itself.
      refund_target_cents: eb.fn<number>("greatest", [
        eb("refund_target_cents", "-", newlyFailedCents),
        eb.val(refundedCents),
      ]),
    }))
    .where("id", "=", payment.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (refundedCents > before) await deps.onRefund(row, refundedCents - before, trx);
  if (newlyFailedCents > 0)
    await deps.onRefundFailed(
      row,
      { failedCents: newlyFailedCents, returnedCents: Math.max(0, before - refundedCents) },
      trx,
    );
}

/**
 * Lets a payment fail that was charged in another currency than ours, whose amount here means other money. It is reported and not
 * posted: it is for the operator to give it back.
 */
async function refuseOtherCurrency(deps: Context, payment: PaymentRow, currency: string, trx: Database): Promise<void> {
  deps.log.error(
    { payment_id: payment.id, currency: payment.currency, charged_currency: currency },
    "a payment was charged in another currency, and is not posted",
  );
  await deps.onOtherCurrency(payment, currency, trx);
  if (payment.status === "pending" || payment.status === "requires_action")
    await settle(deps, payment, "failed", "other_currency", trx);
}

/** Applies an event from a response or a webhook. Ignores events of unknown payments. */
async function handleEvent(deps: Context, event: PaymentEvent): Promise<void> {
  const { db, billingRepository, invalidatePlan } = deps;
  const organizationId = await db.transaction().execute(async (trx) => {
    const knownPayment = await trx
      .selectFrom("payments")
      .select("organization_id")
      .where("id", "=", event.paymentId)
      .executeTakeFirst();
    if (!knownPayment || !(await recordEvent(deps, event, trx))) return null;
    // Lock the account before the payment, in the same order as everywhere else, to avoid deadlocks.
    if (await billingRepository.keepExisting(knownPayment.organization_id, trx))
      await billingRepository.lockAccount(knownPayment.organization_id, trx);
    const payment = await trx
      .selectFrom("payments")
      .selectAll()
      .where("id", "=", event.paymentId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (event.reference !== undefined && payment.reference === null)
      await trx.updateTable("payments").set({ reference: event.reference }).where("id", "=", payment.id).execute();
    if (event.currency !== undefined && event.currency !== payment.currency)
      await refuseOtherCurrency(deps, payment, event.currency, trx);
    else await applyEvent(deps, payment, event, trx);
    return knownPayment.organization_id;
  });
  if (organizationId !== null) invalidatePlan(organizationId);
}

/** Returns the card's reference at this payment service; null when its organization was deleted meanwhile. */
async function findCardReference(deps: Context, { payment_method_id }: PaymentRow): Promise<string | null> {
  const { db, driver } = deps;
  const row = await db
    .selectFrom("payment_methods")
    .select("reference")
    .where("id", "=", payment_method_id ?? "")
    .where("driver", "=", driver.name)
    .executeTakeFirst();
  return row?.reference ?? null;
}

/** Returns what identifies a payment at the service. Throws for a payment of another one, which was in use before. */
async function toPaymentKey(deps: Context, payment: PaymentRow): Promise<PaymentKey> {
  if (payment.driver !== deps.driver.name)
    throw new Error(`The payment ${payment.id} was made by the driver ${payment.driver}, not by ${deps.driver.name}.`);
  const { id, reference, created_at } = payment;
  return { paymentId: id, reference, card: await findCardReference(deps, payment), createdAt: created_at };
}

async function chargePayment(deps: Context, payment: PaymentRow, isBuyerPresent: boolean): Promise<PaymentEvent> {
  const { driver } = deps;
  const { card, ...key } = await toPaymentKey(deps, payment);
  if (card === null) throw errors.paymentMethods.required("Add a card first.");
  const { amount_cents: amountCents, currency, id } = payment;
  const charge = { ...key, amountCents, currency, card, description: `Payment ${id}`, isBuyerPresent };
  const event = await driver.charge(charge);
  await handleEvent(deps, event);
  return event;
}

async function hasOpenDispute({ db }: Context, paymentId: string): Promise<boolean> {
  const open = db.selectFrom("disputes").select("id").where("payment_id", "=", paymentId).where("status", "=", "open");
  return (await open.executeTakeFirst()) !== undefined;
}

/** Makes the refunds of a payment that are marked and not made yet. */
async function refundOutstanding(deps: Context, paymentId: string): Promise<void> {
  const { driver } = deps;
  const payment = await findPayment(deps, paymentId);
  if (payment.status !== "succeeded" || payment.refund_target_cents <= payment.refunded_cents) return;
  if (await hasOpenDispute(deps, paymentId)) return; // the service refunds nothing until it is decided
  const key = await toPaymentKey(deps, payment);
  await handleEvent(deps, await driver.refund({ ...key, refundedCents: payment.refund_target_cents }));
}

/** Brings an unsettled payment up to date: applies what the service knows, cancels it when too old, or charges it. */
async function reconcile(deps: Context, payment: PaymentRow, now: number): Promise<void> {
  const { driver } = deps;
  const key = await toPaymentKey(deps, payment);
  const event = await driver.find(key);
  if (payment.status === "requires_action") {
    const isAbandoned = payment.created_at.getTime() <= now - CONFIRMATION_TIMEOUT_MS;
    if (event && event.type !== "payment.requires_action") await handleEvent(deps, event);
    else if (isAbandoned) await handleEvent(deps, await driver.cancel(key));
  } else if (event) await handleEvent(deps, event);
  else if (key.card !== null) await chargePayment(deps, payment, false);
  else
    await handleEvent(deps, {
      id: `${payment.id}:card-gone`,
      paymentId: payment.id,
      type: "payment.failed",
      code: "card_gone",
    });
}

/** Logs an error instead of throwing it, so that one payment does not hold up the others. */
async function attempt(deps: Context, paymentId: string, action: () => Promise<void>): Promise<void> {
  const { log } = deps;
  try {
    await action();
  } catch (error) {
    log.error({ err: error, payment_id: paymentId }, "a payment could not be followed up");
  }
}

/** Stores a payment before the card is charged, with the currency and its rate. Returns null when one with the same idempotency key exists. */
async function createPayment(
  { driver, clock }: Context,
  values: Omit<Insertable<Payments>, "status" | "driver" | "is_test" | "created_at"> & CurrencyRate,
  trx: Database,
): Promise<PaymentRow | null> {
  const row = await trx
    .insertInto("payments")
    .values({ ...values, status: "pending", driver: driver.name, is_test: driver.isTest, created_at: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Charges a payment that is not settled yet, and returns it once it succeeded. Throws `payments.card_declined`,
 * `payments.authentication_required`, `payments.pending` or `subscription.changed_meanwhile`.
 */
async function collectPayment(deps: Context, payment: PaymentRow): Promise<PaymentRow> {
  const isUnsettled = payment.status === "pending" || payment.status === "requires_action";
  const event = isUnsettled ? await chargePayment(deps, payment, true) : null;
  const settled = await findPayment(deps, payment.id);
  if (settled.status === "failed") throw paymentFailed(settled.failure_code ?? "card_declined", settled.currency);
  if (settled.status === "requires_action")
    throw authenticationRequired(event?.type === "payment.requires_action" ? event.url : null);
  if (settled.status === "pending") throw errors.payments.pending();
  if (settled.outcome === "given_back") {
    await refundOutstanding(deps, payment.id);
    throw errors.subscription.changedMeanwhile();
  }
  return settled;
}

/** Charges without the buyer present. Returns the payment, whatever its status then is. */
async function chargeOffSession(deps: Context, payment: PaymentRow): Promise<PaymentRow> {
  await chargePayment(deps, payment, false);
  return findPayment(deps, payment.id);
}

/** Cancels a payment that waits for its buyer. */
async function cancelPayment(deps: Context, payment: PaymentRow): Promise<void> {
  const { driver } = deps;
  await handleEvent(deps, await driver.cancel(await toPaymentKey(deps, payment)));
}

/** Returns the payment that an earlier request with the same idempotency key made. */
function findByIdempotencyId(
  { db }: Context,
  idempotencyId: string,
  purpose: PaymentPurpose,
): Promise<PaymentRow | undefined> {
  return db
    .selectFrom("payments")
    .selectAll()
    .where("idempotency_id", "=", idempotencyId)
    .where("purpose", "=", purpose)
    .executeTakeFirst();
}

/** Completes what a crash interrupted: unsettled payments, abandoned confirmations, and refunds that were not made. */
async function recoverPayments(deps: Context): Promise<void> {
  const { db, driver, clock, onlyOrganization = null } = deps;
  const now = clock.now().getTime();
  const unsettled = await db
    .selectFrom("payments")
    .selectAll()
    .where("status", "in", ["pending", "requires_action"])
    .where("driver", "=", driver.name)
    .$if(onlyOrganization !== null, (query) => query.where("organization_id", "=", onlyOrganization))
    .where("created_at", "<=", new Date(now - RECONCILE_AFTER_MS))
    // Many may wait for their buyers, up to a day. They must not keep back those that a crash interrupted.
    .orderBy((eb) => eb.case().when("status", "=", "pending").then(0).else(1).end())
    .orderBy("created_at")
    .limit(100)
    .execute();
  for (const payment of unsettled) await attempt(deps, payment.id, () => reconcile(deps, payment, now));
  const unrefunded = await db
    .selectFrom("payments")
    .select("id")
    .where("status", "=", "succeeded")
    .where("driver", "=", driver.name)
    .$if(onlyOrganization !== null, (query) => query.where("organization_id", "=", onlyOrganization))
    .whereRef("refund_target_cents", ">", "refunded_cents")
    .limit(100)
    .execute();
  for (const { id } of unrefunded) await attempt(deps, id, () => refundOutstanding(deps, id));
}
