import { sql } from "kysely";
import type { CsvCell } from "../../platform/core/csv.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { billedToSchema } from "../billing/index.ts";
import { type CurrencyRate, decimalsOf, toNano, unitsPerUsdOf } from "../currencies/index.ts";

/** A calendar month in UTC: its first moment and that of the next one. */
export type Month = { start: Date; end: Date };

type Row = Record<string, CsvCell>;
/** The date and the id of the last row that was read. */
type Position = { date: Date; id: string };

const PAGE_SIZE = 500;
const CENT_NANO = 10_000_000n;
const HALF_CENT_NANO = 5_000_000n;

/** Yields the invoices that were issued in a month, as pages of cells. */
export function readInvoices(db: Database, month: Month): AsyncGenerator<Row[]> {
  return readPages(month, async ({ date, id }) => {
    const rows = await db
      .selectFrom("invoices")
      .selectAll()
      .where(sql<boolean>`(created_at, id) > (${date}, ${id})`)
      .where("created_at", "<", month.end)
      .orderBy("created_at")
      .orderBy("id")
      .limit(PAGE_SIZE)
      .execute();
    return rows.map((row) => ({
      position: { date: row.created_at, id: row.id },
      cells: {
        number: row.number,
        date: toDay(row.created_at),
        status: row.status,
        ...toBuyerCells(row),
        ...toAmountCells(row, row),
        tax_percent: toNumber(row.tax_percent),
        reverse_charge: row.reverse_charge,
        refunded: toUnits(row.refunded_cents, row.currency),
        refunded_usd: toUsd(row.refunded_cents, row),
        paid_date: row.paid_at && toDay(row.paid_at),
        is_test: row.is_test,
        vat_id_state: row.vat_id_state,
        vat_id_answered_date: row.vat_id_answered_at && toDay(row.vat_id_answered_at),
        vat_id_consultation_number: row.vat_id_consultation_number,
      },
    }));
  });
}

/** Yields the payments that succeeded in a month, as pages of cells. */
export function readPayments(db: Database, month: Month): AsyncGenerator<Row[]> {
  return readPages(month, async ({ date, id }) => {
    const rows = await db
      .selectFrom("payments")
      .leftJoin("invoices", "invoices.id", "payments.invoice_id")
      .selectAll("payments")
      .select("invoices.number")
      .where("payments.status", "=", "succeeded")
      .where(sql<boolean>`(payments.settled_at, payments.id) > (${date}, ${id})`)
      .where("payments.settled_at", "<", month.end)
      .orderBy("payments.settled_at")
      .orderBy("payments.id")
      .limit(PAGE_SIZE)
      .execute();
    return rows.map((row) => ({
      position: { date: row.settled_at ?? month.start, id: row.id },
      cells: {
        id: row.id,
        date: toDay(row.settled_at ?? month.start),
        invoice_number: row.number,
        organization_id: row.organization_id,
        currency: row.currency,
        units_per_usd: Number(unitsPerUsdOf(row)),
        amount: toUnits(row.amount_cents, row.currency),
        refunded: toUnits(row.refunded_cents, row.currency),
        amount_usd: toUsd(row.amount_cents, row),
        refunded_usd: toUsd(row.refunded_cents, row),
        service: row.driver,
        reference: row.reference,
        is_test: row.is_test,
      },
    }));
  });
}

/** Yields the credit notes that were issued in a month, as pages of cells. */
export function readCreditNotes(db: Database, month: Month): AsyncGenerator<Row[]> {
  return readPages(month, async ({ date, id }) => {
    const rows = await db
      .selectFrom("credit_notes")
      .innerJoin("invoices", "invoices.id", "credit_notes.invoice_id")
      .selectAll("credit_notes")
      .select(["invoices.number as invoice_number", "billed_to", "tax_percent", "reverse_charge", "minor_per_usd"])
      .where(sql<boolean>`(credit_notes.created_at, credit_notes.id) > (${date}, ${id})`)
      .where("credit_notes.created_at", "<", month.end)
      .orderBy("credit_notes.created_at")
      .orderBy("credit_notes.id")
      .limit(PAGE_SIZE)
      .execute();
    return rows.map((row) => ({
      position: { date: row.created_at, id: row.id },
      cells: {
        number: row.number,
        date: toDay(row.created_at),
        invoice_number: row.invoice_number,
        ...toBuyerCells(row),
        ...toAmountCells(row, row),
        tax_percent: toNumber(row.tax_percent),
        reverse_charge: row.reverse_charge,
        withdrawn_date: row.withdrawn_at && toDay(row.withdrawn_at),
        is_test: row.is_test,
      },
    }));
  });
}

/** Yields one page with the sums of a month by country, rate, reverse charge and currency: invoiced, refunded, and the difference. */
export async function* readTaxes(db: Database, { start, end }: Month): AsyncGenerator<Row[]> {
  const { rows } = await sql<{
    country: string | null;
    tax_percent: string | null;
    reverse_charge: boolean;
    is_test: boolean;
    currency: string;
    net_usd: string;
    tax_usd: string;
    invoiced_net: string;
    invoiced_tax: string;
    refunded_net: string;
    refunded_tax: string;
  }>`
    with documents as (
      select billed_to ->> 'country' as country, tax_percent, reverse_charge, is_test, currency, minor_per_usd,
        total_cents - tax_cents as invoiced_net, tax_cents as invoiced_tax, 0 as refunded_net, 0 as refunded_tax
      from invoices where created_at >= ${start} and created_at < ${end}
      union all
      select billed_to ->> 'country', tax_percent, reverse_charge, credit_notes.is_test, invoices.currency, minor_per_usd,
        0, 0, credit_notes.total_cents - credit_notes.tax_cents, credit_notes.tax_cents
      from credit_notes join invoices on invoices.id = credit_notes.invoice_id
      where credit_notes.created_at >= ${start} and credit_notes.created_at < ${end}
      union all
      -- A note that is withdrawn counts no more from then on; the month in which it was issued stays as it was exported.
      select billed_to ->> 'country', tax_percent, reverse_charge, credit_notes.is_test, invoices.currency, minor_per_usd,
        0, 0, credit_notes.tax_cents - credit_notes.total_cents, -credit_notes.tax_cents
      from credit_notes join invoices on invoices.id = credit_notes.invoice_id
      where credit_notes.withdrawn_at >= ${start} and credit_notes.withdrawn_at < ${end}
    )
    select country, tax_percent, reverse_charge, is_test, currency, sum(invoiced_net) as invoiced_net,
      sum(invoiced_tax) as invoiced_tax, sum(refunded_net) as refunded_net, sum(refunded_tax) as refunded_tax,
      round(sum((invoiced_net - refunded_net) / minor_per_usd), 2) as net_usd,
      round(sum((invoiced_tax - refunded_tax) / minor_per_usd), 2) as tax_usd
    from documents group by 1, 2, 3, 4, 5 order by 4, 1 nulls first, 2 nulls first, 3, 5`.execute(db);
  yield rows.map((row) => ({
    country: row.country,
    tax_percent: toNumber(row.tax_percent),
    reverse_charge: row.reverse_charge,
    is_test: row.is_test,
    currency: row.currency,
    invoiced_net: toUnits(Number(row.invoiced_net), row.currency),
    invoiced_tax: toUnits(Number(row.invoiced_tax), row.currency),
    refunded_net: toUnits(Number(row.refunded_net), row.currency),
    refunded_tax: toUnits(Number(row.refunded_tax), row.currency),
    net: toUnits(Number(row.invoiced_net) - Number(row.refunded_net), row.currency),
    tax: toUnits(Number(row.invoiced_tax) - Number(row.refunded_tax), row.currency),
    net_usd: Number(row.net_usd),
    tax_usd: Number(row.tax_usd),
  }));
}

/** Yields the payouts of marketplaces that were paid in a month, and reversals of payouts that were made in it, below zero. */
export async function* readPayouts(db: Database, { start, end }: Month): AsyncGenerator<Row[]> {
  const entries = await sql<{
    id: string;
    date: string;
    entry: "payout" | "reversal";
    provider: string;
    reference: string;
    amount_cents: number;
    fee_cents: number;
    paid_on: string;
    created_at: Date;
    reversal_reason: string | null;
    is_test: boolean;
  }>`
    with entries as (
      select 'payout' as entry, paid_on as date, 1 as sign, null as reason, * from marketplace_payouts
      where paid_on >= ${toDay(start)}::date and paid_on < ${toDay(end)}::date
      union all
      select 'reversal', (reversed_at at time zone 'UTC')::date, -1, reversal_reason, * from marketplace_payouts
      where reversed_at >= ${start} and reversed_at < ${end}
    )
    select id, date, entry, provider, reference, sign * amount_cents as amount_cents, sign * fee_cents as fee_cents, paid_on,
      created_at, reason as reversal_reason, is_test
    from entries order by date, id, entry`.execute(db);
  yield entries.rows.map(({ id, date, entry, provider, reference, amount_cents, fee_cents, ...row }) => ({
    ...{ id, date, entry, reference, marketplace: provider },
    amount_usd: toUnits(amount_cents, "USD"),
    fee_usd: toUnits(fee_cents, "USD"),
    total_usd: toUnits(amount_cents + fee_cents, "USD"),
    paid_date: row.paid_on,
    recorded_date: toDay(row.created_at),
    reversal_reason: row.reversal_reason,
    is_test: row.is_test,
  }));
}

/** Yields the cells of page after page, each read from the last position on. */
async function* readPages(
  { start }: Month,
  readPage: (after: Position) => Promise<{ position: Position; cells: Row }[]>,
): AsyncGenerator<Row[]> {
  // No id is empty, so all rows of the first moment come after it.
  let after: Position | undefined = { date: start, id: "" };
  while (after !== undefined) {
    const rows: { position: Position; cells: Row }[] = await readPage(after);
    if (rows.length > 0) yield rows.map(({ cells }) => cells);
    after = rows.length < PAGE_SIZE ? undefined : rows.at(-1)?.position;
  }
}

function toBuyerCells({ organization_id, billed_to }: { organization_id: string; billed_to: unknown }): Row {
  const { name, email, country = null, vat_id = null } = billedToSchema.parse(billed_to);
  return { organization_id, name: name || email, country, vat_id };
}

/** The amounts in the currency of the document and in US dollars at its rate, to the cent. */
function toAmountCells(
  { total_cents, tax_cents }: { total_cents: number; tax_cents: number },
  rate: CurrencyRate,
): Row {
  const [tax_usd, total_usd] = [toUsd(tax_cents, rate), toUsd(total_cents, rate)];
  return {
    currency: rate.currency,
    units_per_usd: Number(unitsPerUsdOf(rate)),
    net: toUnits(total_cents - tax_cents, rate.currency),
    tax: toUnits(tax_cents, rate.currency),
    total: toUnits(total_cents, rate.currency),
    // The rest of the total, so that the rounded amounts add up.
    net_usd: Math.round((total_usd - tax_usd) * 100) / 100,
    tax_usd,
    total_usd,
  };
}

/** Converts minor units to US dollars, rounded to the cent. */
function toUsd(minor: number, rate: CurrencyRate): number {
  return Number((toNano(minor, rate) + (minor < 0 ? -HALF_CENT_NANO : HALF_CENT_NANO)) / CENT_NANO) / 100;
}

/** Converts minor units to units of the currency. */
function toUnits(minor: number, currency: string): number {
  return Number(`${minor}e-${decimalsOf(currency)}`);
}

function toNumber(text: string | null): number | null {
  return text === null ? null : Number(text);
}

function toDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}
