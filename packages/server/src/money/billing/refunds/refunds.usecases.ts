import { sql } from "kysely";
import type { Audit } from "../../../platform/core/audit.ts";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { type AppError, errors } from "../../../platform/core/errors/index.ts";
import type { Events } from "../../../platform/core/events.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import { nanoToCents } from "../../../platform/core/money.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import { lockCredits } from "../../credits/index.ts";
import { formatMoney, stepOf } from "../../currencies/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { BillingState } from "../billing-rows.ts";
import type { InvoiceRow } from "../invoices/invoices.repository.ts";
import { calculateRefundableCents } from "../invoices/refund-amounts.ts";
import type { PaymentUseCases } from "../payments/payments.usecases.ts";
import type { EarlyTermination, EndedPlan } from "../subscriptions/early-termination.ts";
import { toEndedPlanDto } from "../subscriptions/ended-plan.dto.ts";
import { recordPlanChange } from "../subscriptions/plan-change-events.ts";
import { planRefundedMail } from "./refunds.mails.ts";

type Deps = {
  db: Database;
  billingRepository: BillingRepository;
  earlyTermination: EarlyTermination;
  payments: PaymentUseCases;
  audit: Audit;
  events: Events;
  mail: Mail;
  clock: Clock;
  ids: Ids;
  refuseWhilePaymentsOff(): void;
  invalidatePlan(organizationId: string): void;
};
/** A refund as an admin requests it. */
export type RefundRequest = {
  /** The amount to refund in minor units; null for everything that remains. */
  cents: number | null;
  /** Whether to end the plan that the invoice pays for. By default it ends if the invoice is refunded in full. */
  endPlan?: boolean | undefined;
};
/** How much of an invoice remains and how much can be refunded, in minor units, and the plan that the refund would end. */
export type RefundPreview = {
  currency: string;
  remainingCents: number;
  refundableCents: number;
  endedPlan: EndedPlan | null;
};

/** Everything that a refund depends on, locked until the transaction ends. */
type RefundContext = {
  invoice: InvoiceRow;
  paymentId: string;
  remainingCents: number;
  refundableCents: number;
  billingState: BillingState | null;
};

/** Lets admins refund an invoice in full or in part, and end the plan that it pays for. */
export function createRefunds(deps: Deps) {
  return bind(deps, {
    preview: previewRefund,
    refund: refundRefund,
  });
}

/** Locks the organization's account, if it exists, then the payment, then its credits. */
async function lockRefundContext(deps: Deps, invoice: InvoiceRow, trx: Database): Promise<RefundContext> {
  const { billingRepository } = deps;
  const { organization_id } = invoice;
  const billingState = (await billingRepository.keepExisting(organization_id, trx))
    ? await billingRepository.lockState(organization_id, trx)
    : null;
  const payment = await trx
    .selectFrom("payments")
    .select(["id", "refund_target_cents", sql<number>`amount_cents - refund_target_cents`.as("left")])
    .where("invoice_id", "=", invoice.id)
    .where("status", "=", "succeeded")
    .forUpdate()
    .executeTakeFirst();
  if (!payment) throw errors.invoices.notPaid();
  if (invoice.dispute_status === "open" || invoice.dispute_status === "lost") throw errors.invoices.disputed();
  const { available } = await lockCredits(organization_id, trx);
  const availableCents = available > 0n ? nanoToCents(available) : 0;
  const alreadyRefundedCents = payment.refund_target_cents;
  const refundableCents = calculateRefundableCents(invoice, alreadyRefundedCents, payment.left, availableCents);
  return { invoice, paymentId: payment.id, remainingCents: payment.left, refundableCents, billingState };
}

function resolveAmountCents(
  { cents }: RefundRequest,
  { invoice, remainingCents, refundableCents }: RefundContext,
): number {
  const { currency } = invoice;
  const requestedCents = cents ?? remainingCents;
  if (requestedCents > remainingCents || remainingCents === 0)
    throw errors.invoices.refundTooLarge(
      { remaining: formatMoney(remainingCents, currency) },
      {
        param: "amount_cents",
        details: { left_cents: remainingCents },
      },
    );
  if (requestedCents > refundableCents) throw creditsAlreadySpent(refundableCents, currency);
  if (requestedCents % stepOf(currency) !== 0)
    throw errors.invalidRequest(
      `amount_cents is not valid: cards are refunded multiples of ${stepOf(currency)} minor units in ${currency}.`,
      { param: "amount_cents" },
    );
  return requestedCents;
}

/** Ends the plan that the invoice pays for, if requested or implied by a full refund. */
async function endPlan(
  deps: Deps,
  cents: number,
  { endPlan }: RefundRequest,
  context: RefundContext,
  trx: Database,
): Promise<EndedPlan | null> {
  const { billingRepository, earlyTermination, mail } = deps;
  const { invoice, remainingCents, billingState } = context;
  const paysForPeriod = billingState !== null && paysForCurrentPeriod(invoice, billingState);
  if (endPlan === true && !paysForPeriod) throw errors.invoices.paysNoPlan({ param: "end_plan" });
  if (!paysForPeriod || !(endPlan ?? cents === remainingCents)) return null;
  const endedPlan = await earlyTermination.terminate(billingState, cents, trx);
  const before = billingState.subscription?.row ?? null;
  await recordPlanChange(deps, invoice.organization_id, { before, after: null }, trx);
  const contact = await billingRepository.findContact(invoice.organization_id, trx);
  if (endedPlan && contact) {
    const { planName, creditedCents } = endedPlan;
    const values = {
      plan: planName,
      amount: formatMoney(cents, invoice.currency),
      number: invoice.number,
      kept_amount: creditedCents > 0 ? formatMoney(creditedCents, invoice.currency) : null,
    };
    await mail.send({ template: planRefundedMail, values, to: contact.email }, trx);
  }
  return endedPlan;
}

/** Stores the refund and reserves its amount on the locked payment row. Returns the payment's id. */
async function recordRefund(
  deps: Deps,
  actor: SignedInActor,
  invoice: InvoiceRow,
  request: RefundRequest,
  idempotencyId: string | undefined,
) {
  const { db, audit, clock, ids } = deps;
  return db.transaction().execute(async (trx) => {
    const context = await lockRefundContext(deps, invoice, trx);
    const cents = resolveAmountCents(request, context);
    await trx
      .updateTable("payments")
      .set((eb) => ({ refund_target_cents: eb("refund_target_cents", "+", cents) }))
      .where("id", "=", context.paymentId)
      .execute();
    await trx
      .insertInto("refunds")
      .values({
        id: ids.next("rfd"),
        payment_id: context.paymentId,
        amount_cents: cents,
        reason: "admin",
        idempotency_id: idempotencyId ?? null,
        created_at: clock.now(),
      })
      .execute();
    const endedPlan = await endPlan(deps, cents, request, context, trx);
    const details = {
      number: invoice.number,
      organization: invoice.organization_id,
      amount_cents: cents,
      currency: invoice.currency,
      ...(endedPlan && { ended_plan: toEndedPlanDto(endedPlan) }),
    };
    await audit.record({ actor, action: "invoices.refund", target: invoice.id, details }, trx);
    return context.paymentId;
  });
}

async function findPaymentIdByIdempotencyId(
  deps: Deps,
  idempotencyId: string | undefined,
): Promise<string | undefined> {
  const { db } = deps;
  if (idempotencyId === undefined) return undefined;
  const row = await db
    .selectFrom("refunds")
    .select("payment_id")
    .where("idempotency_id", "=", idempotencyId)
    .executeTakeFirst();
  return row?.payment_id;
}

async function getInvoice(deps: Deps, id: string): Promise<InvoiceRow> {
  const { db } = deps;
  const invoice = await db.selectFrom("invoices").selectAll().where("id", "=", id).executeTakeFirst();
  if (!invoice) throw errors.invoices.notFound();
  return invoice;
}

/** Returns how much of an invoice can be refunded, and the plan that would end with that. */
async function previewRefund(deps: Deps, invoiceId: string): Promise<RefundPreview> {
  const { db, earlyTermination } = deps;
  const invoice = await getInvoice(deps, invoiceId);
  return db.transaction().execute(async (trx) => {
    const { remainingCents, refundableCents, billingState } = await lockRefundContext(deps, invoice, trx);
    const paysForPeriod = billingState !== null && paysForCurrentPeriod(invoice, billingState);
    const endedPlan = paysForPeriod ? await earlyTermination.preview(billingState, refundableCents, trx) : null;
    return { currency: invoice.currency, remainingCents, refundableCents, endedPlan };
  });
}

/** Refunds an invoice, once per idempotency key. Returns the invoice as it is then. */
async function refundRefund(
  deps: Deps,
  actor: SignedInActor,
  invoiceId: string,
  request: RefundRequest,
  idempotencyId?: string,
): Promise<InvoiceRow> {
  const { payments } = deps;
  deps.refuseWhilePaymentsOff();
  const invoice = await getInvoice(deps, invoiceId);
  const paymentId =
    (await findPaymentIdByIdempotencyId(deps, idempotencyId)) ??
    (await recordRefund(deps, actor, invoice, request, idempotencyId));
  await payments.refundOutstanding(paymentId);
  deps.invalidatePlan(invoice.organization_id);
  return getInvoice(deps, invoiceId);
}

/** Returns whether an invoice pays for the current period of the organization's subscription. */
function paysForCurrentPeriod(
  { kind, subscription_id, period_end_date }: InvoiceRow,
  { subscription }: BillingState,
): boolean {
  if (!subscription || subscription.row.anchor_date === null || kind === "top_up") return false;
  const end = subscription.row.current_period_end_date;
  return subscription_id === subscription.row.id && end !== null && period_end_date?.getTime() === end.getTime();
}

function creditsAlreadySpent(refundableCents: number, currency: string): AppError {
  return errors.invoices.creditsSpent(
    { refundable: formatMoney(refundableCents, currency) },
    { param: "amount_cents", details: { refundable_cents: refundableCents } },
  );
}
