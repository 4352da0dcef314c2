import { sql } from "kysely";
import type { Logger } from "pino";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import { forEachAtOnce } from "../../../platform/core/for-each-at-once.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import { formatMoney } from "../../currencies/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { InvoiceRow, InvoicesRepository } from "../invoices/invoices.repository.ts";
import type { Postings } from "../invoices/postings.ts";
import type { PaymentHandlers, PaymentRow, PaymentUseCases } from "../payments/payments.usecases.ts";
import { nextAttemptDate } from "../renewal-decision.ts";
import type { Cancellation } from "../subscriptions/cancellation.ts";
import { paymentFailedMail } from "./dunning.mails.ts";

type Deps = {
  db: Database;
  billingRepository: BillingRepository;
  invoicesRepository: InvoicesRepository;
  postings: Postings;
  cancellation: Cancellation;
  mail: Mail;
  clock: Clock;
  ids: Ids;
  log: Pick<Logger, "error">;
  /** The days after an invoice on which it is tried to collect it again. */
  retryDays: readonly number[];
  refuseWhilePaymentsOff(): void;
  payments: PaymentUseCases;
  /** The only organization whose work is done; all if left out. */
  onlyOrganization?: string;
};

/** Rows of one query, so that the memory does not depend on how many are due. */
const BATCH_SIZE = 500;
/** Each needs a connection of the database, of which calls and people need others. */
const AT_ONCE = 4;

type PaymentStart = { payment: PaymentRow } | { blockedBy: PaymentRow } | "no card" | "not open";

/**
 * Collects open invoices: once when they are issued, and again on later days. After the last attempt the subscription ends.
 */
export function createDunning(deps: Deps) {
  return {
    ...bind(deps, {
      attemptPayment,
      pay: payInvoice,
      run: collectDueInvoices,
    }),
    paymentHandlers: createPaymentHandlers(deps),
  };
}

export type Dunning = ReturnType<typeof createDunning>;

/** Counts a scheduled attempt and sets the date of the next one. */
async function recordAttempt(deps: Deps, invoice: InvoiceRow, trx: Database): Promise<void> {
  const { clock, retryDays } = deps;
  const attempts = invoice.attempts + 1;
  const nextAttemptAt = nextAttemptDate({ ...invoice, attempts }, retryDays, clock.now());
  await trx
    .updateTable("invoices")
    .set({ attempts, next_attempt_at: nextAttemptAt })
    .where("id", "=", invoice.id)
    .execute();
}

/**
 * Locks the account of an invoice's organization; the account is locked before the invoice everywhere. Returns the
 * organization's id, or null when it was deleted.
 */
async function lockInvoiceAccount(deps: Deps, invoiceId: string, trx: Database): Promise<string | null> {
  const { billingRepository } = deps;
  const { organization_id } = await trx
    .selectFrom("invoices")
    .select("organization_id")
    .where("id", "=", invoiceId)
    .executeTakeFirstOrThrow();
  if (!(await billingRepository.keepExisting(organization_id, trx))) return null;
  await billingRepository.lockAccount(organization_id, trx);
  return organization_id;
}

async function startPayment(
  deps: Deps,
  invoiceId: string,
  isScheduled: boolean,
  idempotencyId: string | undefined,
): Promise<PaymentStart> {
  const { db, billingRepository, invoicesRepository, cancellation, clock, ids, payments } = deps;
  return db.transaction().execute(async (trx) => {
    const organization_id = await lockInvoiceAccount(deps, invoiceId, trx);
    const invoice = await invoicesRepository.lock(invoiceId, trx);
    if (organization_id === null || invoice.status !== "open") return "not open";
    if (await cancellation.writeOffIfEnded(invoice, trx)) return "not open";
    // Another process may have made this attempt already.
    if (isScheduled && (invoice.next_attempt_at === null || invoice.next_attempt_at > clock.now())) return "not open";
    const openPayment = await trx
      .selectFrom("payments")
      .selectAll()
      .where("invoice_id", "=", invoiceId)
      .where("status", "in", ["pending", "requires_action"])
      .executeTakeFirst();
    if (openPayment) return { blockedBy: openPayment };
    const card = await billingRepository.findDefaultCard(organization_id, trx);
    if (isScheduled) await recordAttempt(deps, invoice, trx);
    if (!card) return "no card";
    const payment = await payments.create(
      {
        id: ids.next("pay"),
        organization_id,
        purpose: "invoice",
        invoice_id: invoiceId,
        amount_cents: invoice.total_cents,
        currency: invoice.currency,
        minor_per_usd: invoice.minor_per_usd,
        payment_method_id: card.id,
        idempotency_id: idempotencyId ?? null,
      },
      trx,
    );
    return payment ? { payment } : "not open";
  });
}

/** Starts a payment, after canceling an earlier one that still waits for its buyer. */
async function replaceOpenPayment(
  deps: Deps,
  invoiceId: string,
  isScheduled: boolean,
  idempotencyId?: string,
): Promise<PaymentStart> {
  const { payments } = deps;
  const start = await startPayment(deps, invoiceId, isScheduled, idempotencyId);
  if (typeof start === "string" || !("blockedBy" in start) || start.blockedBy.status !== "requires_action")
    return start;
  await payments.cancel(start.blockedBy);
  return startPayment(deps, invoiceId, isScheduled, idempotencyId);
}

/** Why an attempt failed. `confirmUrl` is the page on which the buyer confirms the payment, if there is one. */
type FailedAttempt = {
  reason: "declined" | "card_gone" | "currency_refused" | "other_currency" | "no_card" | "unconfirmed";
  confirmUrl: string | null;
};

/** Mails the buyer after a failed attempt, and ends the subscription after the last one. */
async function handleUnpaid(
  deps: Deps,
  invoice: InvoiceRow,
  { reason, confirmUrl }: FailedAttempt,
  trx: Database,
): Promise<void> {
  const { billingRepository, cancellation, mail } = deps;
  const subscription = await billingRepository.findSubscription(invoice.organization_id, trx);
  if (subscription?.row.id !== invoice.subscription_id || !subscription) return;
  if (invoice.next_attempt_at === null) return cancellation.endAndNotify(subscription, trx);
  await billingRepository.updateSubscription(subscription.row.id, { status: "past_due" }, trx);
  const contact = await billingRepository.findContact(invoice.organization_id, trx);
  if (!contact) return;
  const values = {
    number: invoice.number,
    amount: formatMoney(invoice.total_cents, invoice.currency),
    is_declined: reason === "declined",
    is_card_gone: reason === "card_gone",
    is_currency_refused: reason === "currency_refused",
    is_other_currency: reason === "other_currency",
    currency: invoice.currency,
    has_no_card: reason === "no_card",
    is_unconfirmed: reason === "unconfirmed",
    confirm_link: confirmUrl,
    retry_date: invoice.next_attempt_at.toISOString().slice(0, 10),
  };
  await mail.send({ template: paymentFailedMail, values, to: contact.email }, trx);
}

async function markForRefund({ id, amount_cents }: PaymentRow, trx: Database): Promise<void> {
  await trx
    .updateTable("payments")
    .set({ outcome: "given_back", refund_target_cents: amount_cents, invoice_id: null })
    .where("id", "=", id)
    .execute();
}

function toReason({ failure_code: code }: PaymentRow): FailedAttempt["reason"] {
  return code === "card_gone" || code === "currency_refused" || code === "other_currency" ? code : "declined";
}

function createPaymentHandlers(deps: Deps): PaymentHandlers {
  const { invoicesRepository, postings, clock } = deps;
  return {
    async succeeded(payment, trx) {
      const invoice = await invoicesRepository.lock(payment.invoice_id ?? "", trx);
      if (invoice.status !== "open") return markForRefund(payment, trx); // the subscription ended before the payment arrived
      const paid = await trx
        .updateTable("invoices")
        .set({ status: "paid", paid_at: clock.now(), next_attempt_at: null })
        .where("id", "=", invoice.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await trx
        .updateTable("subscriptions")
        .set({ status: "active" })
        .where("id", "=", paid.subscription_id)
        .where("status", "=", "past_due")
        .where("ended_at", "is", null)
        .execute();
      await postings.recordPaidInvoice(paid, trx);
    },
    async failed(payment, trx) {
      if (payment.failure_code === "canceled") return; // replaced by another attempt
      const invoice = await invoicesRepository.lock(payment.invoice_id ?? "", trx);
      if (invoice.status === "open")
        await handleUnpaid(deps, invoice, { reason: toReason(payment), confirmUrl: null }, trx);
    },
    async requiresAction(payment, url, trx) {
      const invoice = await invoicesRepository.lock(payment.invoice_id ?? "", trx);
      if (invoice.status === "open") await handleUnpaid(deps, invoice, { reason: "unconfirmed", confirmUrl: url }, trx);
    },
  };
}

/** Makes one scheduled attempt to collect an invoice. */
async function attemptPayment(deps: Deps, invoiceId: string): Promise<void> {
  const { db, invoicesRepository, payments } = deps;
  const start = await replaceOpenPayment(deps, invoiceId, true);
  if (start === "no card")
    await db.transaction().execute(async (trx) => {
      if ((await lockInvoiceAccount(deps, invoiceId, trx)) === null) return;
      await handleUnpaid(
        deps,
        await invoicesRepository.lock(invoiceId, trx),
        { reason: "no_card", confirmUrl: null },
        trx,
      );
    });
  else if (typeof start === "object" && "payment" in start) await payments.chargeOffSession(start.payment);
}

/** Pays an open invoice with the default card, at the buyer's request. Returns the invoice as it is then. */
async function payInvoice(
  deps: Deps,
  organizationId: string,
  invoiceId: string,
  idempotencyId?: string,
): Promise<InvoiceRow> {
  const { invoicesRepository, payments, refuseWhilePaymentsOff } = deps;
  refuseWhilePaymentsOff();
  const invoice = await invoicesRepository.find(organizationId, invoiceId);
  if (!invoice) throw errors.invoices.notFound();
  const start = await replaceOpenPayment(deps, invoiceId, false, idempotencyId);
  if (start === "no card") throw errors.paymentMethods.required("Add a card first.");
  if (start === "not open") {
    const currentInvoice = await invoicesRepository.find(organizationId, invoiceId);
    if (
      currentInvoice?.status === "paid" &&
      idempotencyId !== undefined &&
      (await isPaidByCall(deps, invoiceId, idempotencyId))
    )
      return currentInvoice;
    throw errors.invoices.notOpen();
  }
  if ("blockedBy" in start) throw errors.payments.pending();
  await payments.collect(start.payment);
  return (await invoicesRepository.find(organizationId, invoiceId)) ?? invoice;
}

type DueInvoice = { id: string; due_at: string };

/** Lists the next invoices to be collected after one, those first that are due for longest. */
function listDue(deps: Deps, after: DueInvoice | undefined): Promise<DueInvoice[]> {
  const { db, clock, onlyOrganization = null } = deps;
  return (
    db
      .selectFrom("invoices")
      // As text, since a `Date` has no microseconds.
      .select(["id", sql<string>`next_attempt_at::text`.as("due_at")])
      .where("status", "=", "open")
      .where("next_attempt_at", "<=", clock.now())
      .$if(onlyOrganization !== null, (query) => query.where("organization_id", "=", onlyOrganization))
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(next_attempt_at, id) > (${after?.due_at}::timestamptz, ${after?.id})`),
      )
      .orderBy("next_attempt_at")
      .orderBy("id")
      .limit(BATCH_SIZE)
      .execute()
  );
}

/** Makes one scheduled attempt. An error is logged, so that it does not stop the others. */
async function attemptLogged(deps: Deps, { id }: DueInvoice): Promise<void> {
  try {
    await attemptPayment(deps, id);
  } catch (error) {
    deps.log.error({ err: error, invoice_id: id }, "an invoice could not be collected");
  }
}

/** Makes the attempts that are due, including first attempts that a crash prevented. */
async function collectDueInvoices(deps: Deps, stopping?: AbortSignal): Promise<void> {
  let due: DueInvoice[] = [];
  do {
    due = await listDue(deps, due.at(-1));
    await forEachAtOnce(due, AT_ONCE, (one) => attemptLogged(deps, one), stopping);
  } while (due.length === BATCH_SIZE && !stopping?.aborted);
}

async function isPaidByCall(deps: Deps, invoiceId: string, idempotencyId: string): Promise<boolean> {
  const { db } = deps;
  const row = await db
    .selectFrom("payments")
    .select("id")
    .where("invoice_id", "=", invoiceId)
    .where("idempotency_id", "=", idempotencyId)
    .executeTakeFirst();
  return row !== undefined;
}
