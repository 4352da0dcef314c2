import type { Receipt } from "./queries.ts";

const COLUMNS = [
  "id",
  "started_at",
  "model",
  "kind",
  "outcome",
  "prompt_tokens",
  "completion_tokens",
  "cached_tokens",
  "first_byte_ms",
  "duration_ms",
  "units",
  "api_key_id",
  "cost_nano_usd",
] as const satisfies readonly (keyof Receipt)[];

/** Receipts as RFC 4180 text, with a line of names. */
export function receiptsAsCsv(receipts: readonly Receipt[]): string {
  const rows = receipts.map((receipt) => COLUMNS.map((column) => cell(receipt[column])));
  return [COLUMNS, ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}

/** A text that begins like a formula must not become one in a spreadsheet. */
function cell(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : value === null ? "" : String(value);
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
