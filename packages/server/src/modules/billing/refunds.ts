import { sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import type { Audit } from "../audit/audit.ts";
import { lockCredits } from "../credits/credits.repository.ts";
import type { Mail } from "../mail/mail.ts";
import { noSuchInvoice } from "./billing.errors.ts";
import { presentSettlement } from "./billing.present.ts";
import type { BillingRepository, Standing } from "./billing.repository.ts";
import { dollars } from "./bookkeeping.ts";
import type { InvoiceRow } from "./invoices.repository.ts";
import type { PaymentDesk } from "./payment-desk.ts";
import { refundableCents } from "./refundable.ts";
import type { Settlement, Settlements } from "./settlements.ts";

type Deps = {
  db: Database;
  billing: BillingRepository;
  settlements: Settlements;
  desk: PaymentDesk;
  audit: Audit;
  mail: Mail;
  clock: Clock;
  ids: Ids;
  productName: string;
  publicUrl: string;
  refuseWhileOff(): void;
  forgetPlan(organizationId: string): void;
};
/** A refund that an admin asks for. */
export type RefundRequest = {
  /** The amount to refund; null for all that remains. */
  cents: number | null;
  /** Whether to end the plan that the invoice pays for. By default it ends if all that remains is refunded. */
  endPlan?: boolean | undefined;
};
/** How much of an invoice remains and can be refunded, and the plan that would end with that. */
export type RefundPreview = { leftCents: number; refundableCents: number; endedPlan: Settlement | null };

/** Everything that a refund depends on, locked until the transaction ends. */
type Held = {
  invoice: InvoiceRow;
  paymentId: string;
  leftCents: number;
  refundable: number;
  standing: Standing | null;
};

const NANO_IN_CENT = 10_000_000n;

/** Lets admins refund an invoice in full or in part, and end the plan that it pays for. */
export function createRefunds(deps: Deps) {
  const { db, billing, settlements, desk, audit, mail, clock, ids, productName, publicUrl } = deps;

  /** Locks the organization's account, if it exists, then the payment, then its credits. */
  async function hold(invoice: InvoiceRow, trx: Database): Promise<Held> {
    const { organization_id } = invoice;
    const standing = (await billing.exists(organization_id, trx)) ? await billing.lock(organization_id, trx) : null;
    const payment = await trx
      .selectFrom("payments")
      .select(["id", "refund_target_cents", sql<number>`amount_cents - refund_target_cents`.as("left")])
      .where("invoice_id", "=", invoice.id)
      .where("status", "=", "succeeded")
      .forUpdate()
      .executeTakeFirst();
    if (!payment) throw new AppError(409, "invoices.not_paid", "No money was paid for this invoice.");
    const { available } = await lockCredits(organization_id, trx);
    const availableCents = available > 0n ? Number(available / NANO_IN_CENT) : 0;
    const before = payment.refund_target_cents;
    const refundable = refundableCents(invoice, before, payment.left, availableCents);
    return { invoice, paymentId: payment.id, leftCents: payment.left, refundable, standing };
  }

  function centsOf({ cents }: RefundRequest, { leftCents, refundable }: Held): number {
    const requested = cents ?? leftCents;
    if (requested > leftCents || leftCents === 0)
      throw new AppError(409, "invoices.refund_too_large", `Only ${leftCents} cents are left to be given back.`, {
        param: "amount_cents",
        details: { left_cents: leftCents },
      });
    if (requested > refundable) throw creditsSpent(refundable);
    return requested;
  }

  /** Ends the plan that the invoice pays for, if requested or implied by a full refund. */
  async function endPlan(
    cents: number,
    { endPlan }: RefundRequest,
    held: Held,
    trx: Database,
  ): Promise<Settlement | null> {
    const { invoice, leftCents, standing } = held;
    const pays = standing !== null && paysForRunningPeriod(invoice, standing);
    if (endPlan === true && !pays)
      throw new AppError(409, "invoices.pays_no_plan", "This invoice does not pay for the running period of a plan.", {
        param: "end_plan",
      });
    if (!pays || !(endPlan ?? cents === leftCents)) return null;
    const settlement = await settlements.settle(standing, cents, trx);
    const contact = await billing.contact(invoice.organization_id, trx);
    if (settlement && contact) {
      const subject = `${productName}: your plan ${settlement.planName} has ended`;
      const text = endedText(invoice, cents, settlement, publicUrl);
      await mail.send({ kind: "subscription_ended", to: contact.email, subject, text }, trx);
    }
    return settlement;
  }

  /** Stores the refund and reserves its amount on the locked payment row. Returns the payment's id. */
  async function begin(actor: SignedIn, invoice: InvoiceRow, request: RefundRequest, call: string | undefined) {
    return db.transaction().execute(async (trx) => {
      const held = await hold(invoice, trx);
      const cents = centsOf(request, held);
      await trx
        .updateTable("payments")
        .set((eb) => ({ refund_target_cents: eb("refund_target_cents", "+", cents) }))
        .where("id", "=", held.paymentId)
        .execute();
      await trx
        .insertInto("refunds")
        .values({
          id: ids.next("rfd"),
          payment_id: held.paymentId,
          amount_cents: cents,
          reason: "admin",
          idempotency_id: call ?? null,
          created_at: clock.now(),
        })
        .execute();
      const settlement = await endPlan(cents, request, held, trx);
      const details = {
        number: invoice.number,
        organization: invoice.organization_id,
        amount_cents: cents,
        ...(settlement && { ended_plan: presentSettlement(settlement) }),
      };
      await audit.record({ actor, action: "invoices.refund", target: invoice.id, details }, trx);
      return held.paymentId;
    });
  }

  async function earlier(call: string | undefined): Promise<string | undefined> {
    if (call === undefined) return undefined;
    const row = await db
      .selectFrom("refunds")
      .select("payment_id")
      .where("idempotency_id", "=", call)
      .executeTakeFirst();
    return row?.payment_id;
  }

  async function find(id: string): Promise<InvoiceRow> {
    const invoice = await db.selectFrom("invoices").selectAll().where("id", "=", id).executeTakeFirst();
    if (!invoice) throw noSuchInvoice();
    return invoice;
  }

  return {
    /** Returns how much of an invoice can be refunded, and the plan that would end with that. */
    async preview(invoiceId: string): Promise<RefundPreview> {
      const invoice = await find(invoiceId);
      return db.transaction().execute(async (trx) => {
        const { leftCents, refundable, standing } = await hold(invoice, trx);
        const pays = standing !== null && paysForRunningPeriod(invoice, standing);
        const endedPlan = pays ? await settlements.settlementOf(standing, refundable, trx) : null;
        return { leftCents, refundableCents: refundable, endedPlan };
      });
    },

    /** Refunds an invoice, once per idempotency key. Returns the invoice as it is then. */
    async refund(actor: SignedIn, invoiceId: string, request: RefundRequest, call?: string): Promise<InvoiceRow> {
      deps.refuseWhileOff();
      const invoice = await find(invoiceId);
      const paymentId = (await earlier(call)) ?? (await begin(actor, invoice, request, call));
      await desk.giveBack(paymentId);
      deps.forgetPlan(invoice.organization_id);
      return find(invoiceId);
    },
  };
}

/** Whether an invoice pays for the current period of the organization's subscription. */
function paysForRunningPeriod({ kind, subscription_id, period_end_date }: InvoiceRow, { live }: Standing): boolean {
  if (!live || live.row.anchor_date === null || kind === "top_up") return false;
  const end = live.row.current_period_end_date;
  return subscription_id === live.row.id && end !== null && period_end_date?.getTime() === end.getTime();
}

function creditsSpent(refundable: number): AppError {
  return new AppError(
    409,
    "invoices.credits_spent",
    `Credits that came with this invoice were spent. At most ${dollars(refundable)} of it can be given back.`,
    { param: "amount_cents", details: { refundable_cents: refundable } },
  );
}

function endedText(
  { number }: InvoiceRow,
  cents: number,
  { planName, creditedCents }: Settlement,
  publicUrl: string,
): string {
  return [
    `${dollars(cents)} of invoice ${number} were given back, and your plan ${planName} ended with that. You are on the free plan now.`,
    ...(creditedCents > 0
      ? [
          `${dollars(creditedCents)} for time that you paid for besides and did not use are kept for your next invoices.`,
        ]
      : []),
    "",
    `To start again: ${publicUrl}/pricing`,
  ].join("\n");
}
