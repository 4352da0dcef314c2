import type { Logger } from "pino";
import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import type { Mail } from "../mail/mail.ts";
import { noSuchInvoice, paymentMethodRequired, paymentPending } from "./billing.errors.ts";
import type { BillingRepository } from "./billing.repository.ts";
import { type Bookkeeping, dollars } from "./bookkeeping.ts";
import type { Endings } from "./endings.ts";
import type { InvoiceRow, InvoicesRepository } from "./invoices.repository.ts";
import type { Effects, PaymentDesk, PaymentRow } from "./payment-desk.ts";
import { nextAttempt } from "./renewal.ts";

type Deps = {
  db: Database;
  billing: BillingRepository;
  invoices: InvoicesRepository;
  bookkeeping: Bookkeeping;
  endings: Endings;
  mail: Mail;
  clock: Clock;
  ids: Ids;
  log: Pick<Logger, "error">;
  publicUrl: string;
  productName: string;
  refuseWhileOff(): void;
  /** A function, because the payments module is created after this one and depends on its handlers. */
  desk(): PaymentDesk;
};

/** Collects open invoices: when they are issued, and with retries on the days after, until the subscription ends. */
export function createCollection(deps: Deps) {
  const { db, billing, invoices, bookkeeping, endings, mail, clock, ids, log, publicUrl, productName, desk } = deps;
  const { refuseWhileOff } = deps;

  /** Counts a scheduled attempt and sets the date of the next one. */
  async function count(invoice: InvoiceRow, trx: Database): Promise<void> {
    const attempts = invoice.attempts + 1;
    const planned = nextAttempt(attempts, invoice.created_at, clock.now());
    await trx
      .updateTable("invoices")
      .set({ attempts, next_attempt_at: planned })
      .where("id", "=", invoice.id)
      .execute();
  }

  /**
   * Locks the account of an invoice's organization; the account is locked before the invoice everywhere. Returns the
   * organization's id, or null when it was deleted.
   */
  async function lockOrganization(invoiceId: string, trx: Database): Promise<string | null> {
    const { organization_id } = await trx
      .selectFrom("invoices")
      .select("organization_id")
      .where("id", "=", invoiceId)
      .executeTakeFirstOrThrow();
    if (!(await billing.exists(organization_id, trx))) return null;
    await billing.lockAccount(organization_id, trx);
    return organization_id;
  }

  type Begun = { payment: PaymentRow } | { blockedBy: PaymentRow } | "no card" | "not open";

  async function begin(invoiceId: string, counted: boolean, call: string | undefined): Promise<Begun> {
    return db.transaction().execute(async (trx) => {
      const organization_id = await lockOrganization(invoiceId, trx);
      const invoice = await invoices.lock(invoiceId, trx);
      if (organization_id === null || invoice.status !== "open") return "not open";
      if (await endings.writeOff(invoice, trx)) return "not open";
      // Another process may have made this attempt already.
      if (counted && (invoice.next_attempt_at === null || invoice.next_attempt_at > clock.now())) return "not open";
      const open = await trx
        .selectFrom("payments")
        .selectAll()
        .where("invoice_id", "=", invoiceId)
        .where("status", "in", ["pending", "requires_action"])
        .executeTakeFirst();
      if (open) return { blockedBy: open };
      const card = await billing.defaultCard(organization_id, trx);
      if (counted) await count(invoice, trx);
      if (!card) return "no card";
      const payment = await desk().begin(
        {
          id: ids.next("pay"),
          organization_id,
          purpose: "invoice",
          invoice_id: invoiceId,
          amount_cents: invoice.total_cents,
          payment_method_id: card.id,
          idempotency_id: call ?? null,
        },
        trx,
      );
      return payment ? { payment } : "not open";
    });
  }

  /** Starts a payment, after canceling an earlier one that still waits for its buyer. */
  async function beginAnew(invoiceId: string, counted: boolean, call?: string): Promise<Begun> {
    const begun = await begin(invoiceId, counted, call);
    if (typeof begun === "string" || !("blockedBy" in begun) || begun.blockedBy.status !== "requires_action")
      return begun;
    await desk().cancel(begun.blockedBy);
    return begin(invoiceId, counted, call);
  }

  /** Mails the buyer after a failed attempt, and ends the subscription after the last one. */
  async function unpaid(invoice: InvoiceRow, why: string, url: string | null, trx: Database): Promise<void> {
    const live = await billing.findSubscription(invoice.organization_id, trx);
    if (live?.row.id !== invoice.subscription_id || !live) return;
    if (invoice.next_attempt_at === null) return endings.end(live, trx);
    await billing.updateSubscription(live.row.id, { status: "past_due" }, trx);
    const contact = await billing.contact(invoice.organization_id, trx);
    if (!contact) return;
    const text = [
      `Invoice ${invoice.number} over ${dollars(invoice.total_cents)} could not be paid: ${why}.`,
      url === null
        ? `Look after your card here: ${publicUrl}/account/payment-methods`
        : `Confirm the payment here: ${url}`,
      `Unless it is paid before, it is tried again on ${invoice.next_attempt_at.toISOString().slice(0, 10)}.`,
    ].join("\n");
    const subject = `${productName}: invoice ${invoice.number} could not be paid`;
    await mail.send({ kind: "payment_failed", to: contact.email, subject, text }, trx);
  }

  async function giveBack({ id, amount_cents }: PaymentRow, trx: Database): Promise<void> {
    await trx
      .updateTable("payments")
      .set({ outcome: "given_back", refund_target_cents: amount_cents, invoice_id: null })
      .where("id", "=", id)
      .execute();
  }

  const effects: Effects = {
    async succeeded(payment, trx) {
      const invoice = await invoices.lock(payment.invoice_id ?? "", trx);
      if (invoice.status !== "open") return giveBack(payment, trx); // the subscription ended before the payment arrived
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
      await bookkeeping.paid(paid, trx);
    },
    async failed(payment, trx) {
      if (payment.failure_code === "canceled") return; // replaced by another attempt
      const invoice = await invoices.lock(payment.invoice_id ?? "", trx);
      if (invoice.status === "open") await unpaid(invoice, `the card was declined`, null, trx);
    },
    async waiting(payment, url, trx) {
      const invoice = await invoices.lock(payment.invoice_id ?? "", trx);
      if (invoice.status === "open") await unpaid(invoice, "your bank wants you to confirm it", url, trx);
    },
  };

  /** Makes a scheduled attempt to collect an invoice. */
  async function attempt(invoiceId: string): Promise<void> {
    const begun = await beginAnew(invoiceId, true);
    if (begun === "no card")
      await db.transaction().execute(async (trx) => {
        if ((await lockOrganization(invoiceId, trx)) === null) return;
        await unpaid(await invoices.lock(invoiceId, trx), "there is no card", null, trx);
      });
    else if (typeof begun === "object" && "payment" in begun) await desk().collectQuietly(begun.payment);
  }

  return {
    effects,
    attempt,

    /** Pays an open invoice with the default card, at the buyer's request. Returns the invoice as it is then. */
    async pay(organizationId: string, invoiceId: string, call?: string): Promise<InvoiceRow> {
      refuseWhileOff();
      const invoice = await invoices.find(organizationId, invoiceId);
      if (!invoice) throw noSuchInvoice();
      const begun = await beginAnew(invoiceId, false, call);
      if (begun === "no card") throw paymentMethodRequired();
      if (begun === "not open") {
        const now = await invoices.find(organizationId, invoiceId);
        if (now?.status === "paid" && call !== undefined && (await paidBy(invoiceId, call))) return now;
        throw new AppError(409, "invoices.not_open", "The invoice is not open.");
      }
      if ("blockedBy" in begun) throw paymentPending();
      await desk().collect(begun.payment);
      return (await invoices.find(organizationId, invoiceId)) ?? invoice;
    },

    /** Makes the attempts that are due, including first attempts that a crash prevented. */
    async run(): Promise<void> {
      const due = await db
        .selectFrom("invoices")
        .select("id")
        .where("status", "=", "open")
        .where("next_attempt_at", "<=", clock.now())
        .orderBy("next_attempt_at")
        .limit(500)
        .execute();
      for (const { id } of due) {
        try {
          await attempt(id);
        } catch (error) {
          log.error({ err: error, invoice_id: id }, "an invoice could not be collected");
        }
      }
    },
  };

  async function paidBy(invoiceId: string, call: string): Promise<boolean> {
    const row = await db
      .selectFrom("payments")
      .select("id")
      .where("invoice_id", "=", invoiceId)
      .where("idempotency_id", "=", call)
      .executeTakeFirst();
    return row !== undefined;
  }
}

export type Collection = ReturnType<typeof createCollection>;
