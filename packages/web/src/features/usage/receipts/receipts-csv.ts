import type { Receipt } from "@feather/sdk";
import { toCsv } from "#/lib/csv.ts";

const COLUMNS = [
  "id",
  "started_at",
  "queued_ms",
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
  "own_key",
  "cost_nano_usd",
] as const satisfies readonly (keyof Receipt)[];

/** Returns receipts as CSV. */
export function toReceiptsCsv(receipts: readonly Receipt[]): string {
  return toCsv(
    COLUMNS,
    receipts.map((receipt) => COLUMNS.map((column) => toCell(receipt[column]))),
  );
}

const toCell = (value: Receipt[(typeof COLUMNS)[number]]) => (typeof value === "boolean" ? String(value) : value);
