import type { Selectable } from "kysely";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { CreditNotes } from "../../../platform/core/db/schema.generated.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import { proportion } from "../../../platform/core/money.ts";
import { stepOf } from "../../currencies/index.ts";
import { addRefundReport } from "../../taxes/index.ts";
import type { BillingSettings } from "../billing.settings.ts";
import { nextDocumentNumber } from "./document-numbers.ts";
import type { InvoiceRow } from "./invoices.repository.ts";

/** A row of the table of credit notes. */
export type CreditNoteRow = Selectable<CreditNotes>;

type Context = { db: Database; clock: Clock; ids: Ids; settings: Pick<BillingSettings, "invoiceNumbers"> };

/** Reads and writes credit notes. */
export function createCreditNotesRepository(context: Context) {
  return bind(context, {
    create: createCreditNote,
    withdraw: withdrawCreditNotes,
    find: findCreditNote,
    list: listCreditNotes,
    listOfInvoice,
    count: countCreditNotes,
  });
}

export type CreditNotesRepository = ReturnType<typeof createCreditNotesRepository>;

/** Creates the credit note of a refund of `cents`, which `invoice.refunded_cents` includes already. */
async function createCreditNote(
  { clock, ids, settings }: Context,
  invoice: InvoiceRow,
  cents: number,
  trx: Database,
): Promise<CreditNoteRow> {
  const { organization_id, is_test } = invoice;
  const issuedAt = clock.now();
  const document = { organizationId: organization_id, kind: "credit_note", issuedAt, isTest: is_test } as const;
  const note = await trx
    .insertInto("credit_notes")
    .values({
      id: ids.next("crn"),
      invoice_id: invoice.id,
      organization_id,
      number: await nextDocumentNumber(settings.invoiceNumbers, document, trx),
      currency: invoice.currency,
      tax_cents: refundedTaxCents(invoice, cents),
      total_cents: cents,
      is_test,
      created_at: issuedAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await addRefundReport("refund", invoice, note, issuedAt, trx);
  return note;
}

/**
 * Withdraws the credit notes of refunds of `cents` that failed, the latest first and one of just this amount before all others.
 * `invoice.refunded_cents` is without them already. Issues another note about what a larger one leaves. Refunds from before credit
 * notes have none to withdraw.
 */
async function withdrawCreditNotes(context: Context, invoice: InvoiceRow, cents: number, trx: Database): Promise<void> {
  const notes = await trx
    .selectFrom("credit_notes")
    .selectAll()
    .where("invoice_id", "=", invoice.id)
    .where("withdrawn_at", "is", null)
    .orderBy((eb) => eb("total_cents", "=", cents), "desc")
    .orderBy("created_at", "desc")
    .orderBy("number", "desc")
    .execute();
  let rest = cents;
  const now = context.clock.now();
  for (const { id, total_cents } of notes) {
    if (rest <= 0) break;
    await trx.updateTable("credit_notes").set({ withdrawn_at: now }).where("id", "=", id).execute();
    await addRefundReport("failed_refund", invoice, { id }, now, trx);
    rest -= total_cents;
  }
  if (rest < 0) await createCreditNote(context, invoice, -rest, trx);
}

/**
 * Returns the tax in the last `cents` of the refunded amount. Calculated from the sum of all refunds, so that the parts add up to
 * the tax of the invoice.
 */
export function refundedTaxCents(
  invoice: Pick<InvoiceRow, "tax_cents" | "total_cents" | "refunded_cents" | "currency">,
  cents: number,
): number {
  const { tax_cents, total_cents, refunded_cents, currency } = invoice;
  const taxOf = (amount: number) => proportion(tax_cents, amount, total_cents, stepOf(currency));
  return taxOf(refunded_cents) - taxOf(refunded_cents - cents);
}

function creditNotesOf({ db }: Context, organizationId: string) {
  return db.selectFrom("credit_notes").where("organization_id", "=", organizationId);
}

function findCreditNote(context: Context, organizationId: string, id: string): Promise<CreditNoteRow | undefined> {
  return creditNotesOf(context, organizationId).selectAll().where("id", "=", id).executeTakeFirst();
}

function listCreditNotes(
  context: Context,
  organizationId: string,
  limit: number,
  offset: number,
): Promise<CreditNoteRow[]> {
  return creditNotesOf(context, organizationId)
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("number", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Returns the credit notes of an invoice, oldest first. */
function listOfInvoice({ db }: Context, invoiceId: string): Promise<CreditNoteRow[]> {
  return db
    .selectFrom("credit_notes")
    .selectAll()
    .where("invoice_id", "=", invoiceId)
    .orderBy("created_at")
    .orderBy("number")
    .execute();
}

async function countCreditNotes(context: Context, organizationId: string): Promise<number> {
  const { count } = await creditNotesOf(context, organizationId)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}
