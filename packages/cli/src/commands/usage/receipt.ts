import type { Receipt } from "@feather/sdk";

/** Fields that `--json` accepts. */
export const RECEIPT_FIELDS = [
  "id",
  "model",
  "model_class",
  "deployment_id",
  "kind",
  "outcome",
  "status",
  "error_code",
  "streamed",
  "prompt_tokens",
  "completion_tokens",
  "cached_tokens",
  "estimated",
  "units",
  "api_key_id",
  "billing_mode",
  "cost_status",
  "cost_nano_usd",
  "price",
  "started_at",
  "queued_ms",
  "first_byte_ms",
  "duration_ms",
] as const satisfies readonly (keyof Receipt)[];

/** Returns the outcome of a request: `completed`, `failed (model_unavailable)`. */
export const formatResult = ({ outcome, error_code: code }: Receipt): string =>
  code === null ? outcome : `${outcome} (${code})`;
