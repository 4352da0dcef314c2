import { sql } from "kysely";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { LOCKS, lockOrganizationsForKeyShare } from "../../../platform/core/db/locks.ts";
import { centsToNano } from "../../../platform/core/money.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import { type Credits, lockAllCredits, lockCredits } from "../../credits/index.ts";
import { formatMoney, toNano } from "../../currencies/index.ts";
import { closeAccounts, type Ledger, type LedgerAccount } from "../../ledger/index.ts";
import { addSaleReport } from "../../taxes/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { AccountRow } from "../billing-rows.ts";
import type { PaymentRow } from "../payments/payments.usecases.ts";
import { billedToSchema } from "../stored.schemas.ts";
import type { CreditNoteRow, CreditNotesRepository } from "./credit-notes.repository.ts";
import { creditNoteMail, receiptMail } from "./invoices.mails.ts";
import { type InvoiceRow, linesOf } from "./invoices.repository.ts";
import { revokedCreditCents } from "./refund-amounts.ts";

/** What other modules add when an invoice is paid or refunded, such as referral rewards. */
export type InvoiceHooks = {
  /** Returns the ids of other organizations whose credits these hooks may change, so that they are locked first. */
  affectedOrganizations(invoice: InvoiceRow, trx: Database): Promise<string[]>;
  onPaid(invoice: InvoiceRow, trx: Database): Promise<void>;
  onRefunded(invoice: InvoiceRow, trx: Database): Promise<void>;
};

type Refund = { invoice: InvoiceRow; reference: string; description: string };

type Deps = {
  billingRepository: BillingRepository;
  creditNotesRepository: CreditNotesRepository;
  ledger: Ledger;
  credits: Credits;
  mail: Mail;
  clock: Clock;
  invoiceHooks: InvoiceHooks;
  publicUrl: string;
};

/**
 * Ledger postings, credits and receipts that follow from paid invoices and refunds. The ledger is in US dollars: amounts are
 * converted here, at the rate of their invoice or payment. What is posted for a part is the difference of two sums since the
 * beginning, so that all parts add up to the whole.
 */
export function createPostings(deps: Deps) {
  return bind(deps, {
    applyBalanceChange,
    closeAccounts: closeOrganizationAccounts,
    recordPaidInvoice,
    recordRefund,
    recordFailedRefund,
    recordUnearned,
    lockAccounts,
  });
}

export type Postings = ReturnType<typeof createPostings>;

/**
 * A payment changes several ledger accounts. To avoid deadlocks, payments are posted one at a time, and credit
 * accounts, which API requests change too, are locked first and in the order of their names. Before that, the
 * organizations are locked against deletion, so that nothing is posted to accounts that were closed meanwhile.
 */
async function lockAccounts(deps: Deps, invoice: InvoiceRow, trx: Database): Promise<void> {
  const { invoiceHooks } = deps;
  const organizationIds = [invoice.organization_id, ...(await invoiceHooks.affectedOrganizations(invoice, trx))];
  await lockOrganizationsForKeyShare(organizationIds, trx);
  await sql`select pg_advisory_xact_lock(${LOCKS.ledger})`.execute(trx);
  await lockAllCredits(organizationIds, trx);
}

/** Posts the invoice total as revenue, without purchased credits: these become revenue when they are used. */
async function postRevenue(deps: Deps, invoice: InvoiceRow, trx: Database): Promise<void> {
  const { ledger } = deps;
  const creditsNano = invoice.kind === "top_up" ? centsToNano(invoice.credit_cents) : 0n;
  const amount = toNano(invoice.total_cents, invoice) - creditsNano;
  if (amount === 0n) return;
  await ledger.post(
    {
      kind: "subscription",
      organizationId: invoice.organization_id,
      description: `Invoice ${invoice.number}`,
      reference: `invoice:${invoice.id}`,
      entries: [
        { account: "cash", amountNano: -amount },
        { account: "revenue:subscriptions", amountNano: amount },
      ],
    },
    trx,
  );
}

async function grantCredits(deps: Deps, invoice: InvoiceRow, trx: Database): Promise<string | null> {
  const { credits } = deps;
  if (invoice.credit_cents === 0) return null;
  const isTopUp = invoice.kind === "top_up";
  return credits.grant(
    invoice.organization_id,
    centsToNano(invoice.credit_cents),
    {
      kind: isTopUp ? "top_up" : "plan",
      description: isTopUp ? "Top-up" : `Credits of invoice ${invoice.number}`,
      reference: `credits:${invoice.id}`,
    },
    trx,
  );
}

async function sendReceipt(deps: Deps, invoice: InvoiceRow, trx: Database): Promise<void> {
  const { mail, publicUrl } = deps;
  const { number, is_test, discount_cents: discount, tax_cents: tax } = invoice;
  const { email } = billedToSchema.parse(invoice.billed_to);
  if (email === "" || invoice.total_cents === 0) return;
  const lines = linesOf(invoice).map(
    (line) => `${line.description}: ${formatMoney(line.amount_cents, invoice.currency)}`,
  );
  const values = {
    number,
    is_test,
    lines: lines.join("\n"),
    discount: discount > 0 ? formatMoney(-discount, invoice.currency) : null,
    tax: tax > 0 ? formatMoney(tax, invoice.currency) : null,
    total: formatMoney(invoice.total_cents, invoice.currency),
    link: `${publicUrl}/api/invoices/${invoice.id}/page`,
  };
  await mail.send({ template: receiptMail, values, to: email, attachment: `invoice:${invoice.id}` }, trx);
}

async function sendCreditNote(deps: Deps, invoice: InvoiceRow, note: CreditNoteRow, trx: Database): Promise<void> {
  const { mail, publicUrl } = deps;
  const { email } = billedToSchema.parse(invoice.billed_to);
  if (email === "") return;
  const values = {
    number: note.number,
    is_test: note.is_test,
    amount: formatMoney(note.total_cents, invoice.currency),
    invoice_number: invoice.number,
    tax: note.tax_cents > 0 ? formatMoney(note.tax_cents, invoice.currency) : null,
    link: `${publicUrl}/api/credit-notes/${note.id}/page`,
  };
  await mail.send({ template: creditNoteMail, values, to: email, attachment: `credit_note:${note.id}` }, trx);
}

/** Revokes credits as far as they are available; what was spent already is not recovered. */
async function revokeCredits(
  deps: Deps,
  refund: Refund,
  requestedNano: bigint,
  to: LedgerAccount,
  trx: Database,
): Promise<void> {
  const { credits } = deps;
  const { invoice, reference, description } = refund;
  const { available } = await lockCredits(invoice.organization_id, trx);
  const revokedNano = available < requestedNano ? available : requestedNano;
  if (revokedNano <= 0n) return;
  const grant = { kind: "refund", description, reference: `${reference}:credits`, source: to } as const;
  await credits.grant(invoice.organization_id, -revokedNano, grant, trx);
}

async function postCashRefund(
  deps: Deps,
  refund: Refund,
  account: LedgerAccount,
  amount: bigint,
  trx: Database,
): Promise<void> {
  const { ledger } = deps;
  if (amount === 0n) return;
  const { invoice, reference, description } = refund;
  await ledger.post(
    {
      kind: "refund",
      organizationId: invoice.organization_id,
      description,
      reference: `${reference}:${account}`,
      entries: [
        { account: "cash", amountNano: amount },
        { account, amountNano: -amount },
      ],
    },
    trx,
  );
}

/**
 * Reduces the value of the current period by the refund, so that a later change does not credit the same time again.
 */
async function reduceValue({ subscription_id, period_end_date }: InvoiceRow, cents: number, trx: Database) {
  await trx
    .updateTable("subscriptions")
    .set((eb) => ({ value_cents: eb.fn<number>("greatest", [eb.lit(0), eb("value_cents", "-", cents)]) }))
    .where("id", "=", subscription_id)
    .where("current_period_end_date", "=", period_end_date)
    .execute();
}

/**
 * Adds `cents` of an invoice to the account's balance for next invoices, or takes them from it when below zero.
 * Bumps the account's version in any case. What is taken is worth its share of what the ledger has, which was kept at earlier rates.
 */
async function applyBalanceChange(
  deps: Deps,
  account: AccountRow,
  invoice: InvoiceRow | null,
  cents: number,
  trx: Database,
): Promise<void> {
  const { billingRepository, ledger } = deps;
  const carriedCents = invoice === null ? 0 : cents;
  await billingRepository.bumpVersion(account.organization_id, account.balance_cents + carriedCents, trx);
  if (invoice === null || carriedCents === 0) return;
  await lockAccounts(deps, invoice, trx);
  const balance = `balance:${account.organization_id}` as const;
  const amount =
    carriedCents > 0
      ? toNano(carriedCents, invoice)
      : ((await ledger.balance(balance, trx)) * BigInt(carriedCents)) / BigInt(account.balance_cents);
  await ledger.post(
    {
      kind: "balance",
      organizationId: account.organization_id,
      description: carriedCents > 0 ? `Kept by invoice ${invoice.number}` : `Used by invoice ${invoice.number}`,
      reference: `balance:${invoice.id}`,
      entries: [
        { account: "revenue:subscriptions", amountNano: -amount },
        { account: balance, amountNano: amount },
      ],
    },
    trx,
  );
}

/** Posts the remaining amounts on an organization's accounts as forfeited. Called before the organization is deleted. */
async function closeOrganizationAccounts({ ledger }: Deps, organizationId: string, trx: Database): Promise<void> {
  await closeAccounts(ledger, organizationId, `closing:${organizationId}`, trx);
}

/**
 * Posts revenue, grants credits, runs the hooks and mails the receipt of a paid invoice. Returns the id of the
 * credit transaction, or null when the invoice brings no credits.
 */
async function recordPaidInvoice(deps: Deps, invoice: InvoiceRow, trx: Database): Promise<string | null> {
  const { invoiceHooks } = deps;
  await lockAccounts(deps, invoice, trx);
  await postRevenue(deps, invoice, trx);
  await addSaleReport(invoice, deps.clock.now(), trx);
  const transactionId = await grantCredits(deps, invoice, trx);
  await invoiceHooks.onPaid(invoice, trx);
  await sendReceipt(deps, invoice, trx);
  return transactionId;
}

/**
 * Posts a refund of `cents`, issues its credit note and revokes credits that came with the invoice.
 */
async function recordRefund(deps: Deps, payment: PaymentRow, cents: number, trx: Database): Promise<void> {
  const { invoiceHooks, creditNotesRepository } = deps;
  const reference = `refund:${payment.id}:${payment.refunded_cents + payment.refund_failed_cents}`;
  if (payment.invoice_id === null) {
    const { refunded_cents: after } = payment;
    return postUnearned(deps, payment, reference, toNano(after - cents, payment) - toNano(after, payment), trx);
  }
  const invoice = await trx
    .updateTable("invoices")
    .set((eb) => ({ refunded_cents: eb("refunded_cents", "+", cents) }))
    .where("id", "=", payment.invoice_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const creditNote = await creditNotesRepository.create(invoice, cents, trx);
  await lockAccounts(deps, invoice, trx);
  const refund: Refund = {
    invoice,
    reference,
    description: `Refund of invoice ${invoice.number} (${creditNote.number})`,
  };
  const refundedBefore = invoice.refunded_cents - cents;
  const amount = toNano(invoice.refunded_cents, invoice) - toNano(refundedBefore, invoice);
  const creditCents = revokedCreditCents(invoice, refundedBefore, cents);
  if (invoice.kind === "top_up") {
    await postCashRefund(deps, refund, "revenue:subscriptions", amount - centsToNano(creditCents), trx);
    await postCashRefund(deps, refund, "adjustments", centsToNano(creditCents), trx);
    await revokeCredits(deps, refund, centsToNano(creditCents), "adjustments", trx);
  } else {
    await postCashRefund(deps, refund, "revenue:subscriptions", amount, trx);
    await revokeCredits(deps, refund, centsToNano(creditCents), "revenue:subscriptions", trx);
    await reduceValue(invoice, cents, trx);
  }
  await invoiceHooks.onRefunded(invoice, trx);
  await sendCreditNote(deps, invoice, creditNote, trx);
}

/**
 * Posts that `cents` which were posted as refunded never reached the buyer, withdraws their credit notes, and grants again the
 * credits that were revoked for them.
 */
async function recordFailedRefund(deps: Deps, payment: PaymentRow, cents: number, trx: Database): Promise<void> {
  const { creditNotesRepository } = deps;
  if (cents === 0) return;
  const reference = `refund-failed:${payment.id}:${payment.refund_failed_cents}`;
  if (payment.invoice_id === null) {
    const { refunded_cents: after } = payment;
    return postUnearned(deps, payment, reference, toNano(after + cents, payment) - toNano(after, payment), trx);
  }
  const invoice = await trx
    .updateTable("invoices")
    .set((eb) => ({ refunded_cents: eb("refunded_cents", "-", cents) }))
    .where("id", "=", payment.invoice_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await lockAccounts(deps, invoice, trx);
  const refund: Refund = {
    invoice,
    reference,
    description: `Failed refund of invoice ${invoice.number}`,
  };
  await creditNotesRepository.withdraw(invoice, cents, trx);
  const isTopUp = invoice.kind === "top_up";
  const { refunded_cents: after } = invoice;
  const amount = toNano(after + cents, invoice) - toNano(after, invoice);
  const creditCents = isTopUp ? revokedCreditCents(invoice, invoice.refunded_cents, cents) : 0;
  await postCashRefund(deps, refund, "revenue:subscriptions", centsToNano(creditCents) - amount, trx);
  await postCashRefund(deps, refund, "adjustments", -centsToNano(creditCents), trx);
  await returnCredits(deps, refund, payment.id, isTopUp ? "adjustments" : "revenue:subscriptions", trx);
  if (!isTopUp) await reduceValue(invoice, -cents, trx);
}

/** Posts a payment that brought nothing, and is to be given back. */
async function recordUnearned(deps: Deps, payment: PaymentRow, trx: Database): Promise<void> {
  await postUnearned(deps, payment, `unearned:${payment.id}`, toNano(payment.amount_cents, payment), trx);
}

/** Posts that an amount of a payment without an invoice came in, or went out when below zero. */
async function postUnearned(
  { ledger }: Deps,
  { organization_id: organizationId, id }: PaymentRow,
  reference: string,
  amountNano: bigint,
  trx: Database,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCKS.ledger})`.execute(trx);
  const entries = [
    { account: "cash", amountNano: -amountNano },
    { account: "adjustments", amountNano },
  ] as const;
  await ledger.post({ kind: "adjustment", organizationId, description: `Payment ${id}`, reference, entries }, trx);
}

/** Grants again what was revoked beyond the credits of the refunds that remain. */
async function returnCredits(
  { credits, billingRepository }: Deps,
  { invoice, reference, description }: Refund,
  paymentId: string,
  source: LedgerAccount,
  trx: Database,
): Promise<void> {
  const { organization_id: organizationId, refunded_cents } = invoice;
  if (!(await billingRepository.keepExisting(organizationId, trx))) return;
  const { revoked } = await trx
    .selectFrom("ledger_entries")
    .innerJoin("ledger_transactions", "ledger_transactions.id", "ledger_entries.transaction_id")
    .select((eb) => eb.fn.sum<string | null>("amount_nano_usd").as("revoked"))
    .where("account", "=", `credits:${organizationId}`)
    .where((eb) =>
      eb.or([
        eb("reference", "like", `refund:${paymentId}:%:credits`),
        eb("reference", "like", `refund-failed:${paymentId}:%:credits`),
      ]),
    )
    .executeTakeFirstOrThrow();
  const returnedNano = -BigInt(revoked ?? 0) - centsToNano(revokedCreditCents(invoice, 0, refunded_cents));
  if (returnedNano <= 0n) return;
  const grant = { kind: "refund", description, reference: `${reference}:credits`, source } as const;
  await credits.grant(organizationId, returnedNano, grant, trx);
}
