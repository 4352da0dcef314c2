import { sanitizeLine } from "./sanitize.ts";
import type { Column } from "./table.ts";

/** Rows as CSV (RFC 4180) with a head, exact values, and nothing in it that a spreadsheet would compute. */
export function csvText<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const head = columns.map(({ header }) => header.toLowerCase().replace(/\W+/g, "_"));
  const body = rows.map((row) => columns.map((column) => inert(sanitizeLine(column.plain?.(row) ?? column.cell(row)))));
  return [head, ...body].map((cells) => cells.map(quoted).join(",")).join("\r\n");
}

/** Spreadsheets take text that begins like this for a formula; numbers do no harm. */
const inert = (cell: string): string => (/^[=+\-@]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell);

const quoted = (cell: string): string => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
