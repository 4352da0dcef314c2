import { sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import type { Audit } from "../audit/audit.ts";
import { noSuchInvoice } from "./billing.errors.ts";
import type { InvoiceRow } from "./invoices.repository.ts";
import type { PaymentDesk } from "./payment-desk.ts";

type Deps = { db: Database; desk: PaymentDesk; audit: Audit; clock: Clock; ids: Ids; refuseWhileOff(): void };
type Asked = { paymentId: string; cents: number };

/** Lets admins give back what was paid for an invoice, all that is left or a part of it. */
export function createRefunds({ db, desk, audit, clock, ids, refuseWhileOff }: Deps) {
  async function paymentIdOf(invoiceId: string, trx: Database): Promise<string> {
    const payment = await trx
      .selectFrom("payments")
      .select("id")
      .where("invoice_id", "=", invoiceId)
      .where("status", "=", "succeeded")
      .executeTakeFirst();
    if (!payment) throw new AppError(409, "invoices.not_paid", "No money was paid for this invoice.");
    return payment.id;
  }

  /** Counts what is asked for against what is left; the row is the judge. */
  async function ask(paymentId: string, wanted: number | null, trx: Database): Promise<Asked> {
    const { left } = await trx
      .selectFrom("payments")
      .select(sql<number>`amount_cents - refund_target_cents`.as("left"))
      .where("id", "=", paymentId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const cents = wanted ?? left;
    if (cents > left || left === 0)
      throw new AppError(409, "invoices.refund_too_large", `Only ${left} cents are left to be given back.`, {
        param: "amount_cents",
        details: { left_cents: left },
      });
    await trx
      .updateTable("payments")
      .set((eb) => ({ refund_target_cents: eb("refund_target_cents", "+", cents) }))
      .where("id", "=", paymentId)
      .execute();
    return { paymentId, cents };
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

  async function begin(actor: SignedIn, invoice: InvoiceRow, wanted: number | null, call: string | undefined) {
    return db.transaction().execute(async (trx) => {
      const { paymentId, cents } = await ask(await paymentIdOf(invoice.id, trx), wanted, trx);
      await trx
        .insertInto("refunds")
        .values({
          id: ids.next("rfd"),
          payment_id: paymentId,
          amount_cents: cents,
          reason: "admin",
          idempotency_id: call ?? null,
          created_at: clock.now(),
        })
        .execute();
      const details = { number: invoice.number, organization: invoice.organization_id, amount_cents: cents };
      await audit.record({ actor, action: "invoices.refund", target: invoice.id, details }, trx);
      return paymentId;
    });
  }

  async function find(id: string): Promise<InvoiceRow> {
    const invoice = await db.selectFrom("invoices").selectAll().where("id", "=", id).executeTakeFirst();
    if (!invoice) throw noSuchInvoice();
    return invoice;
  }

  return async (actor: SignedIn, invoiceId: string, cents: number | null, call?: string): Promise<InvoiceRow> => {
    refuseWhileOff();
    const invoice = await find(invoiceId);
    const paymentId = (await earlier(call)) ?? (await begin(actor, invoice, cents, call));
    await desk.giveBack(paymentId);
    return find(invoiceId);
  };
}
