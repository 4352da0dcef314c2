import { sanitizeLine } from "./sanitize.ts";
import type { Column } from "./table.ts";

/** Returns rows as CSV (RFC 4180) with a header, exact values, and formulas escaped. */
export function formatCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const head = columns.map(({ header }) => header.toLowerCase().replace(/\W+/g, "_"));
  const body = rows.map((row) =>
    columns.map((column) => escapeFormula(sanitizeLine(column.plain?.(row) ?? column.cell(row)))),
  );
  return [head, ...body].map((cells) => cells.map(quote).join(",")).join("\r\n");
}

/** Spreadsheets interpret text that begins with these characters as a formula; numbers are safe. */
const escapeFormula = (cell: string): string =>
  /^[=+\-@]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell;

const quote = (cell: string): string => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
