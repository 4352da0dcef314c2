/** A value of a CSV cell; null and undefined become an empty cell. */
export type CsvCell = string | number | Date | null | undefined;

/** Returns rows as CSV (RFC 4180) with a header line. */
export function toCsv(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(toCsvCell).join(",")}\r\n`).join("");
}

/** Quotes a cell. Text that starts like a formula gets a leading apostrophe, so that no spreadsheet evaluates it. */
function toCsvCell(value: CsvCell): string {
  const text = value instanceof Date ? value.toISOString() : (value?.toString() ?? "");
  const escaped = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}
