/** A value of a CSV cell; null and undefined become an empty cell. */
export type Cell = string | number | Date | null | undefined;

/** Returns rows as CSV (RFC 4180) with a header line. */
export function asCsv(names: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [names, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** Quotes a cell. Text that starts like a formula gets a leading apostrophe, so that no spreadsheet evaluates it. */
function cell(value: Cell): string {
  const text = value instanceof Date ? value.toISOString() : (value?.toString() ?? "");
  const harmless = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
