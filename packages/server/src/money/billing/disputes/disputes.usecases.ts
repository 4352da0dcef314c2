import type { Selectable } from "kysely";
import type { Audit } from "../../../platform/core/audit.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Disputes } from "../../../platform/core/db/schema.generated.ts";
import { formatNanoUsd } from "../../../platform/core/money.ts";
import { type Mail, mailAdmins } from "../../../platform/mail/index.ts";
import { findRate, formatMoney, toNano } from "../../currencies/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import type { Dispute } from "../../payment-services/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { InvoiceRow, InvoicesRepository } from "../invoices/invoices.repository.ts";
import type { InvoiceHooks, Postings } from "../invoices/postings.ts";
import type { PaymentRow } from "../payments/payments.usecases.ts";
import { createDisputePostings, type DisputedPayment, type DisputePostings } from "./dispute-postings.ts";
import { disputeInquiryMail, disputeLostMail, disputeOpenedMail, disputeWonMail } from "./disputes.mails.ts";

type Deps = {
  db: Database;
  billingRepository: BillingRepository;
  invoicesRepository: InvoicesRepository;
  postings: Postings;
  ledger: Ledger;
  invoiceHooks: InvoiceHooks;
  mail: Mail;
  audit: Audit;
  clock: Clock;
};
type Context = Deps & { disputePostings: DisputePostings };
type DisputeRow = Selectable<Disputes>;

/**
 * Follows disputes of payments. The credits that a disputed payment brought are frozen while the dispute is open, released when it is
 * won, and taken when it is lost.
 */
export function createDisputes(deps: Deps) {
  return bind({ ...deps, disputePostings: createDisputePostings(deps) }, { apply: applyDispute });
}

export type DisputeUseCases = ReturnType<typeof createDisputes>;

/**
 * Applies the current state of a dispute. Repeated states change nothing, and states may come in any order: one that is closed is
 * not opened again. Throws while the payment is not settled here.
 */
async function applyDispute(deps: Context, dispute: Dispute): Promise<void> {
  const { db } = deps;
  await db.transaction().execute(async (trx) => {
    const locked = await lockPayment(deps, dispute, trx);
    if (!locked) return;
    const { payment, context } = locked;
    if (payment.status !== "succeeded") throw new Error(`The disputed payment ${payment.id} is not settled yet.`);
    const before = await findDispute(dispute.id, trx);
    const isClosed = before?.status === "won" || before?.status === "lost";
    if (isClosed && (dispute.status === "open" || dispute.status === "inquiry")) return;
    if (before?.status === dispute.status && before.fee_cents === dispute.feeCents) return;
    const feeNano = await convertFee(dispute, payment, before, trx);
    const heldNano = await post(deps, dispute, before, context, feeNano, trx);
    await saveDispute(deps, dispute, heldNano, feeNano, trx);
    if (before?.status === dispute.status) return;
    if (context.invoice) await noteOnInvoice(context.invoice, payment, trx);
    // The bank has taken the money, so nothing is left to give back.
    if (dispute.status === "lost")
      await trx
        .updateTable("payments")
        .set((eb) => ({ refund_target_cents: eb.ref("refunded_cents") }))
        .where("id", "=", payment.id)
        .execute();
    await notify(deps, dispute, payment, context.invoice, heldNano, dispute.feeCents === 0 || feeNano !== 0n, trx);
  });
}

/** Locks account, payment, invoice and ledger accounts, in the order of all payments. Returns null for an unknown payment. */
async function lockPayment(
  deps: Context,
  dispute: Dispute,
  trx: Database,
): Promise<{ payment: PaymentRow; context: DisputedPayment } | null> {
  const { billingRepository, invoicesRepository, postings } = deps;
  const { paymentId } = dispute;
  const known = await trx.selectFrom("payments").selectAll().where("id", "=", paymentId).executeTakeFirst();
  if (!known) return null;
  const organizationId = known.organization_id;
  const organizationExists = await billingRepository.keepExisting(organizationId, trx);
  if (organizationExists) await billingRepository.lockAccount(organizationId, trx);
  const payment = await trx
    .selectFrom("payments")
    .selectAll()
    .where("id", "=", paymentId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const invoice = payment.invoice_id === null ? null : await invoicesRepository.lock(payment.invoice_id, trx);
  if (invoice) await postings.lockAccounts(invoice, trx);
  const takenCents = payment.refunded_cents + (await sumOtherLost(dispute, trx));
  return { payment, context: { organizationId, organizationExists, invoice, rate: payment, takenCents } };
}

async function findDispute(id: string, trx: Database): Promise<DisputeRow | undefined> {
  return trx.selectFrom("disputes").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Returns the sum of other disputes of the same payment that were lost, in minor units. */
async function sumOtherLost({ id, paymentId }: Dispute, trx: Database): Promise<number> {
  const { sum } = await trx
    .selectFrom("disputes")
    .select((eb) => eb.fn.sum<string | null>("amount_cents").as("sum"))
    .where("payment_id", "=", paymentId)
    .where("id", "<>", id)
    .where("status", "=", "lost")
    .executeTakeFirstOrThrow();
  return Number(sum ?? 0);
}

/**
 * Returns the fee in nano-USD: at the rate of the payment if it is in the same currency, else at the present one. A fee that was posted
 * keeps its rate, and one in a currency without a rate counts as nothing.
 */
async function convertFee(
  { feeCents, feeCurrency }: Dispute,
  payment: PaymentRow,
  before: DisputeRow | undefined,
  trx: Database,
): Promise<bigint> {
  if (before?.fee_cents === feeCents) return BigInt(before.fee_nano_usd);
  const rate = feeCurrency === payment.currency ? payment : await findRate(feeCurrency, trx);
  return rate ? toNano(feeCents, rate) : 0n;
}

/** Posts what follows from the new state. Returns the credits that are frozen or were taken, in nano-USD. */
async function post(
  { disputePostings, invoiceHooks }: Context,
  dispute: Dispute,
  before: DisputeRow | undefined,
  context: DisputedPayment,
  feeNano: bigint,
  trx: Database,
): Promise<bigint> {
  await disputePostings.recordFee(dispute, context, feeNano - BigInt(before?.fee_nano_usd ?? 0), trx);
  const heldBefore = BigInt(before?.held_nano_usd ?? 0);
  if (dispute.status === before?.status) return heldBefore;
  if (dispute.status === "open") return disputePostings.freeze(dispute, context, trx);
  if (dispute.status === "lost") {
    const held = before?.status === "open" ? heldBefore : await disputePostings.freeze(dispute, context, trx);
    await disputePostings.takeBack(dispute, context, held, trx);
    const { invoice } = context;
    // Rewards for the invoice are reduced as by a refund.
    if (invoice)
      await invoiceHooks.onRefunded({ ...invoice, refunded_cents: toLostCents(invoice, dispute.amountCents) }, trx);
    return held;
  }
  if (before?.status === "open") await disputePostings.release(dispute, context, heldBefore, trx);
  if (before?.status === "lost") await disputePostings.returnTaken(dispute, context, trx);
  return 0n;
}

function toLostCents({ total_cents, refunded_cents }: InvoiceRow, amountCents: number): number {
  return Math.min(total_cents, refunded_cents + amountCents);
}

async function saveDispute(
  { clock }: Context,
  dispute: Dispute,
  heldNano: bigint,
  feeNano: bigint,
  trx: Database,
): Promise<void> {
  const { status, amountCents, feeCents, feeCurrency, reason } = dispute;
  const isClosed = status === "won" || status === "lost";
  const values = {
    status,
    reason,
    amount_cents: amountCents,
    fee_cents: feeCents,
    fee_currency: feeCurrency,
    fee_nano_usd: String(feeNano),
    held_nano_usd: String(heldNano),
    closed_at: isClosed ? clock.now() : null,
  };
  await trx
    .insertInto("disputes")
    .values({ ...values, id: dispute.id, payment_id: dispute.paymentId, opened_at: dispute.openedAt })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(values))
    .execute();
}

/** Shows on the invoice what the disputes of its payment took or may take, in cents, and how far they are. */
async function noteOnInvoice(invoice: InvoiceRow, payment: PaymentRow, trx: Database): Promise<void> {
  const disputes = await trx.selectFrom("disputes").selectAll().where("payment_id", "=", payment.id).execute();
  const isAny = (one: string) => disputes.some((dispute) => dispute.status === one);
  const shown = isAny("open") ? "open" : isAny("lost") ? "lost" : isAny("won") ? "won" : null;
  const cents = disputes.filter((one) => one.status === shown).reduce((sum, one) => sum + one.amount_cents, 0);
  await trx
    .updateTable("invoices")
    .set({ dispute_status: shown, disputed_cents: cents })
    .where("id", "=", invoice.id)
    .execute();
}

/** Notes the new state in the audit log, and tells the admins of the platform by mail. */
async function notify(
  { audit, mail }: Context,
  dispute: Dispute,
  payment: PaymentRow,
  invoice: InvoiceRow | null,
  heldNano: bigint,
  isFeePosted: boolean,
  trx: Database,
): Promise<void> {
  const { status, reason, amountCents, currency, feeCents, feeCurrency } = dispute;
  const details = {
    invoice: invoice?.number ?? null,
    amount_cents: amountCents,
    currency,
    fee_cents: feeCents,
    fee_currency: feeCurrency,
    status,
    reason,
  };
  const target = invoice?.id ?? payment.id;
  const { organization_id: organizationId } = payment;
  await audit.record({ userId: null, organizationId, action: "invoices.dispute", target, details }, trx);
  const values = {
    number: invoice?.number ?? null,
    payment: payment.id,
    amount: formatMoney(amountCents, currency),
    fee: formatMoney(feeCents, feeCurrency),
    reason,
    unposted_fee_currency: isFeePosted ? null : feeCurrency,
    held_credits: heldNano > 0n ? `$${formatNanoUsd(heldNano)}` : null,
  };
  await mailAdmins(mail, { template: TEMPLATES[status], values }, trx);
}

const TEMPLATES = {
  inquiry: disputeInquiryMail,
  open: disputeOpenedMail,
  won: disputeWonMail,
  lost: disputeLostMail,
} as const satisfies Record<Dispute["status"], unknown>;
