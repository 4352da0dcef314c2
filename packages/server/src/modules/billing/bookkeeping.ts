import { sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import { LOCKS } from "../../db/locks.ts";
import { lockAllCredits, lockCredits } from "../credits/credits.repository.ts";
import type { Credits } from "../credits/credits.ts";
import type { Ledger, LedgerAccount } from "../ledger/ledger.ts";
import type { Mail } from "../mail/mail.ts";
import type { AccountRow, BillingRepository } from "./billing.repository.ts";
import type { InvoiceRow } from "./invoices.repository.ts";
import { linesOf } from "./invoices.repository.ts";
import type { PaymentRow } from "./payment-desk.ts";
import { creditsLost } from "./refundable.ts";

/** What other modules do when an invoice is paid or refunded, such as referral rewards. */
export type InvoiceEvents = {
  /** Ids of other organizations whose credits these hooks may change, so that they are locked first. */
  involved(invoice: InvoiceRow, trx: Database): Promise<string[]>;
  paid(invoice: InvoiceRow, trx: Database): Promise<void>;
  refunded(invoice: InvoiceRow, trx: Database): Promise<void>;
};

type Refund = { invoice: InvoiceRow; reference: string; description: string };

type Deps = {
  billing: BillingRepository;
  ledger: Ledger;
  credits: Credits;
  mail: Mail;
  events: InvoiceEvents;
  publicUrl: string;
  productName: string;
};

const NANO_IN_CENT = 10_000_000n;
const nanoOfCents = (cents: number): bigint => BigInt(cents) * NANO_IN_CENT;
/** Formats cents as `$12.50` or `-$12.50`. */
export const dollars = (cents: number): string => `${cents < 0 ? "-" : ""}$${(Math.abs(cents) / 100).toFixed(2)}`;

/** Ledger postings, credits and receipts that follow from paid invoices and refunds. */
export function createBookkeeping({ billing, ledger, credits, mail, events, publicUrl, productName }: Deps) {
  /**
   * A payment changes several ledger accounts. To avoid deadlocks, payments are posted one at a time, and credit
   * accounts, which API requests change too, are locked first and in the order of their names.
   */
  async function lockBooks(invoice: InvoiceRow, trx: Database): Promise<void> {
    await sql`select pg_advisory_xact_lock(${LOCKS.books})`.execute(trx);
    await lockAllCredits([invoice.organization_id, ...(await events.involved(invoice, trx))], trx);
  }

  /** Posts the invoice total as revenue, without purchased credits: these become revenue when they are used. */
  async function bookRevenue(invoice: InvoiceRow, trx: Database): Promise<void> {
    const cents = invoice.total_cents - (invoice.kind === "top_up" ? invoice.credit_cents : 0);
    if (cents === 0) return;
    const amount = nanoOfCents(cents);
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

  async function giveCredits(invoice: InvoiceRow, trx: Database): Promise<string | null> {
    if (invoice.credit_cents === 0) return null;
    const isTopUp = invoice.kind === "top_up";
    return credits.grant(
      invoice.organization_id,
      nanoOfCents(invoice.credit_cents),
      {
        kind: isTopUp ? "top_up" : "plan",
        description: isTopUp ? "Top-up" : `Credits of invoice ${invoice.number}`,
        reference: `credits:${invoice.id}`,
      },
      trx,
    );
  }

  async function sendReceipt(invoice: InvoiceRow, trx: Database): Promise<void> {
    const { email } = invoice.billed_to as { email: string };
    if (email === "" || invoice.total_cents === 0) return;
    const lines = linesOf(invoice).map((line) => `${line.description}: ${dollars(line.amount_cents)}`);
    const text = [
      `Thank you. This is the receipt for invoice ${invoice.number}${invoice.is_test ? " (TEST, no money moved)" : ""}.`,
      "",
      ...lines,
      ...(invoice.discount_cents > 0 ? [`Discount: ${dollars(-invoice.discount_cents)}`] : []),
      ...(invoice.tax_cents > 0 ? [`Tax: ${dollars(invoice.tax_cents)}`] : []),
      `Paid: ${dollars(invoice.total_cents)}`,
      "",
      `${publicUrl}/api/invoices/${invoice.id}/page`,
    ].join("\n");
    await mail.send({ kind: "receipt", to: email, subject: `${productName}: receipt ${invoice.number}`, text }, trx);
  }

  /** Revokes credits as far as they are available; what was spent already is not recovered. */
  async function takeCredits(refund: Refund, wanted: bigint, to: LedgerAccount, trx: Database): Promise<void> {
    const { invoice, reference, description } = refund;
    const { available } = await lockCredits(invoice.organization_id, trx);
    const taken = available < wanted ? available : wanted;
    if (taken <= 0n) return;
    const grant = { kind: "refund", description, reference: `${reference}:credits`, source: to } as const;
    await credits.grant(invoice.organization_id, -taken, grant, trx);
  }

  async function giveCash(refund: Refund, account: LedgerAccount, amount: bigint, trx: Database): Promise<void> {
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
  async function lessenValue({ subscription_id, period_end_date }: InvoiceRow, cents: number, trx: Database) {
    await trx
      .updateTable("subscriptions")
      .set((eb) => ({ value_cents: eb.fn<number>("greatest", [eb.lit(0), eb("value_cents", "-", cents)]) }))
      .where("id", "=", subscription_id)
      .where("current_period_end_date", "=", period_end_date)
      .execute();
  }

  return {
    /**
     * Adds `cents` of an invoice to the account's balance for next invoices, or takes them from it when below zero.
     * Bumps the account's version in any case.
     */
    async carry(account: AccountRow, invoice: InvoiceRow | null, cents: number, trx: Database): Promise<void> {
      const carried = invoice === null ? 0 : cents;
      await billing.touch(account.organization_id, account.balance_cents + carried, trx);
      if (invoice === null || carried === 0) return;
      await lockBooks(invoice, trx);
      const amount = nanoOfCents(carried);
      await ledger.post(
        {
          kind: "balance",
          organizationId: account.organization_id,
          description: carried > 0 ? `Kept by invoice ${invoice.number}` : `Used by invoice ${invoice.number}`,
          reference: `balance:${invoice.id}`,
          entries: [
            { account: "revenue:subscriptions", amountNano: -amount },
            { account: `balance:${account.organization_id}`, amountNano: amount },
          ],
        },
        trx,
      );
    },

    /** Posts what is left on an organization's accounts as forfeited. Called before the organization is deleted. */
    async close(organizationId: string, trx: Database): Promise<void> {
      await sql`select pg_advisory_xact_lock(${LOCKS.books})`.execute(trx);
      const accounts = [
        `balance:${organizationId}`,
        `commission:${organizationId}`,
        `credits:${organizationId}`,
      ] as const;
      await trx
        .selectFrom("ledger_accounts")
        .select("account")
        .where("account", "in", accounts)
        .orderBy("account")
        .forUpdate()
        .execute();
      const left: { account: LedgerAccount; amountNano: bigint }[] = [];
      for (const account of accounts) left.push({ account, amountNano: -(await ledger.balance(account, trx)) });
      const sum = left.reduce((total, { amountNano }) => total - amountNano, 0n);
      const moved = [...left, { account: "forfeited" as const, amountNano: sum }].filter(
        (one) => one.amountNano !== 0n,
      );
      if (moved.length === 0) return;
      await ledger.post(
        {
          kind: "closing",
          organizationId,
          description: "Organization deleted",
          reference: `closing:${organizationId}`,
          entries: moved,
        },
        trx,
      );
    },

    /**
     * Posts revenue, grants credits, runs the hooks and mails the receipt of a paid invoice. Returns the id of the
     * credit transaction, or null when the invoice brings no credits.
     */
    async paid(invoice: InvoiceRow, trx: Database): Promise<string | null> {
      await lockBooks(invoice, trx);
      await bookRevenue(invoice, trx);
      const transaction = await giveCredits(invoice, trx);
      await events.paid(invoice, trx);
      await sendReceipt(invoice, trx);
      return transaction;
    },

    /**
     * Posts a refund of `cents` and revokes credits that came with the invoice. Ignores payments without an invoice.
     */
    async refunded(payment: PaymentRow, cents: number, trx: Database): Promise<void> {
      if (payment.invoice_id === null) return;
      const invoice = await trx
        .updateTable("invoices")
        .set((eb) => ({ refunded_cents: eb("refunded_cents", "+", cents) }))
        .where("id", "=", payment.invoice_id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await lockBooks(invoice, trx);
      const refund: Refund = {
        invoice,
        reference: `refund:${payment.id}:${payment.refunded_cents}`,
        description: `Refund of invoice ${invoice.number}`,
      };
      const creditCents = creditsLost(invoice, invoice.refunded_cents - cents, cents);
      if (invoice.kind === "top_up") {
        await giveCash(refund, "revenue:subscriptions", nanoOfCents(cents - creditCents), trx);
        await giveCash(refund, "adjustments", nanoOfCents(creditCents), trx);
        await takeCredits(refund, nanoOfCents(creditCents), "adjustments", trx);
      } else {
        await giveCash(refund, "revenue:subscriptions", nanoOfCents(cents), trx);
        await takeCredits(refund, nanoOfCents(creditCents), "revenue:subscriptions", trx);
        await lessenValue(invoice, cents, trx);
      }
      await events.refunded(invoice, trx);
    },
  };
}

export type Bookkeeping = ReturnType<typeof createBookkeeping>;
