export type Cell = string | number | Date | null | undefined;

/** Rows as RFC 4180 text, with a line of names. */
export function asCsv(names: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [names, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** A text that begins like a formula must not become one in a spreadsheet. */
function cell(value: Cell): string {
  const text = value instanceof Date ? value.toISOString() : (value?.toString() ?? "");
  const harmless = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
