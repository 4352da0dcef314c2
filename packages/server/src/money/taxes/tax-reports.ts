import { type Selectable, sql } from "kysely";
import type { Logger } from "pino";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { CreditNotes, Invoices, TaxReports as TaxReportsTable } from "../../platform/core/db/schema.generated.ts";
import { type TaxReportOutcome, type TaxService, taxCalculationSchema } from "../payment-services/index.ts";

type TaxReportRow = Selectable<TaxReportsTable>;
type InvoiceRow = Selectable<Invoices>;
type CreditNoteRow = Selectable<CreditNotes>;
type Deps = {
  db: Database;
  log: Pick<Logger, "error">;
  service: TaxService;
  /** Reports that are sent in one run. */
  batchSize?: number;
};

const BATCH_SIZE = 100;
/** Refusals that are listed for the operator. */
const LISTED = 10;

/** Notes that the tax of a paid invoice is to be reported, if a tax service calculated it. */
export async function addSaleReport(invoice: InvoiceRow, now: Date, trx: Database): Promise<void> {
  if (invoice.tax_calculation === null) return;
  const report = { id: invoice.id, kind: "sale", invoice_id: invoice.id, created_at: now };
  await trx.insertInto("tax_reports").values(report).execute();
}

/** Notes that the tax in a refund is to be taken back, or that it is owed after all since the refund failed. */
export async function addRefundReport(
  kind: "refund" | "failed_refund",
  invoice: InvoiceRow,
  { id }: Pick<CreditNoteRow, "id">,
  now: Date,
  trx: Database,
): Promise<void> {
  if (invoice.tax_calculation === null) return;
  await trx
    .insertInto("tax_reports")
    .values({
      id: kind === "refund" ? id : `${id}:failed`,
      kind,
      invoice_id: invoice.id,
      credit_note_id: id,
      created_at: now,
    })
    .execute();
}

/** Reports taxes to the service that calculated them. */
export function createTaxReports(deps: Deps) {
  return bind(deps, { run: sendReports, describeRefused });
}

/** Sends what was not reported yet. What fails is sent again with the next run, after what failed less often. */
async function sendReports(deps: Deps): Promise<void> {
  const { db, log, batchSize = BATCH_SIZE } = deps;
  const due = await db
    .selectFrom("tax_reports")
    .selectAll()
    .where("reference", "is", null)
    .where("refusal", "is", null)
    .orderBy("attempts")
    .orderBy("created_at")
    .limit(batchSize)
    .execute();
  for (const report of due) {
    const row = db.updateTable("tax_reports").where("id", "=", report.id);
    try {
      const outcome = await sendReport(deps, report);
      if (outcome !== null && "refused" in outcome)
        log.error({ id: report.id, code: outcome.refused }, "a tax report was refused for good");
      await row.set(toChange(outcome)).execute();
    } catch (error) {
      log.error({ err: error, id: report.id }, "a tax could not be reported");
      await row.set(toChange(null)).execute();
    }
  }
}

/** A report that waits counts as tried, too: otherwise those that wait would always be first, before those they wait for. */
function toChange(outcome: TaxReportOutcome | null) {
  if (outcome === null) return { attempts: sql<number>`attempts + 1` };
  return "refused" in outcome ? { refusal: outcome.refused } : { reference: outcome.reference };
}

/** Sends one report. Returns null while the report that it refers to is not sent. */
async function sendReport(deps: Deps, report: TaxReportRow): Promise<TaxReportOutcome | null> {
  const { db, service } = deps;
  const { id, kind, invoice_id, credit_note_id } = report;
  const invoice = await db.selectFrom("invoices").selectAll().where("id", "=", invoice_id).executeTakeFirstOrThrow();
  const { reference: calculation } = taxCalculationSchema.parse(invoice.tax_calculation);
  if (kind === "sale") return service.report({ id, calculation });
  const earlier = await findReport(deps, kind === "refund" ? invoice_id : (credit_note_id ?? ""));
  if (earlier.refusal !== null) return { refused: "earlier_report_refused" };
  if (earlier.reference === null) return null;
  if (kind === "failed_refund") return service.undo({ id, takenBack: earlier.reference });
  const { total_cents: cents } = await db
    .selectFrom("credit_notes")
    .select("total_cents")
    .where("id", "=", credit_note_id)
    .executeTakeFirstOrThrow();
  return service.takeBack({ id, sale: earlier.reference, cents, currency: invoice.currency });
}

function findReport({ db }: Deps, id: string): Promise<TaxReportRow> {
  return db.selectFrom("tax_reports").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/** Returns what the operator has to correct at the service by hand, in words; null if nothing. */
async function describeRefused({ db }: Deps): Promise<string | null> {
  const rows = await db
    .selectFrom("tax_reports")
    .innerJoin("invoices", "invoices.id", "tax_reports.invoice_id")
    .leftJoin("credit_notes", "credit_notes.id", "tax_reports.credit_note_id")
    .select(["invoices.number", "credit_notes.number as note_number", "refusal"])
    .where("refusal", "is not", null)
    .orderBy("tax_reports.created_at", "desc")
    .limit(LISTED)
    .execute();
  if (rows.length === 0) return null;
  const list = rows.map(({ number, note_number, refusal }) => `${note_number ?? number} (${refusal})`).join(", ");
  return `Stripe refused tax reports for good; correct the tax of these documents at Stripe by hand: ${list}.`;
}
