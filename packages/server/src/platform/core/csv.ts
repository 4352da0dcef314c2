/** A value of a cell: a number is written as it is, null as an empty cell. */
export type CsvCell = string | number | boolean | null;

/** Returns a line of an RFC 4180 file, with its line break. Texts cannot become formulas in spreadsheets. */
export function formatCsvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => (typeof cell === "string" ? escapeCell(cell) : String(cell ?? ""))).join(",")}\r\n`;
}

/** Quotes a text. A prefix keeps spreadsheets from running user-controlled text as a formula. */
function escapeCell(text: string): string {
  const escaped = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}
