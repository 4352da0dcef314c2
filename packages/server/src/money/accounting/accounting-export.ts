import { type CsvCell, formatCsvLine } from "../../platform/core/csv.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { type Month, readCreditNotes, readInvoices, readPayments, readPayouts, readTaxes } from "./accounting-rows.ts";

/**
 * What an export lists, one line each: invoices, payments, refunds (credit notes), sums of tax by rate and country, or payouts of
 * cloud marketplaces and their reversals.
 */
export type AccountingKind = "invoices" | "payments" | "refunds" | "taxes" | "marketplace_payouts";

type Row = Readonly<Record<string, CsvCell>>;

const READERS: Record<AccountingKind, (db: Database, month: Month) => AsyncIterable<readonly Row[]>> = {
  invoices: readInvoices,
  payments: readPayments,
  refunds: readCreditNotes,
  taxes: readTaxes,
  marketplace_payouts: readPayouts,
};

/**
 * Columns of each kind, in their order. Amounts are units of the currency, and those that end in `_usd` US dollars at the rate of the
 * document. Dates are days in UTC.
 */
const COLUMNS: Record<AccountingKind, readonly string[]> = {
  invoices: [
    ...["number", "date", "status", "organization_id", "name", "country", "vat_id"],
    ...["currency", "net", "tax_percent", "tax", "total", "reverse_charge", "refunded"],
    ...["units_per_usd", "net_usd", "tax_usd", "total_usd", "refunded_usd", "paid_date", "is_test"],
    ...["vat_id_state", "vat_id_answered_date", "vat_id_consultation_number"],
  ],
  payments: [
    ...["id", "date", "invoice_number", "organization_id", "currency", "amount", "refunded"],
    ...["units_per_usd", "amount_usd", "refunded_usd", "service", "reference", "is_test"],
  ],
  refunds: [
    ...["number", "date", "invoice_number", "organization_id", "name", "country", "vat_id"],
    ...["currency", "net", "tax_percent", "tax", "total", "reverse_charge"],
    ...["units_per_usd", "net_usd", "tax_usd", "total_usd", "is_test"],
  ],
  taxes: [
    ...["country", "tax_percent", "reverse_charge", "is_test", "currency", "invoiced_net", "invoiced_tax"],
    ...["refunded_net", "refunded_tax", "net", "tax", "net_usd", "tax_usd"],
  ],
  marketplace_payouts: [
    ...["id", "date", "entry", "marketplace", "reference", "amount_usd", "fee_usd", "total_usd"],
    ...["paid_date", "recorded_date", "reversal_reason", "is_test"],
  ],
};

/**
 * Yields the lines of a month as CSV, headed by the names of the columns. Rows are read in pages, so that the memory does not
 * depend on their number.
 */
export async function* exportMonth(db: Database, kind: AccountingKind, month: Month): AsyncGenerator<string> {
  const columns = COLUMNS[kind];
  yield formatCsvLine(columns);
  for await (const rows of READERS[kind](db, month))
    yield rows.map((row) => formatCsvLine(columns.map((name) => row[name] ?? null))).join("");
}
