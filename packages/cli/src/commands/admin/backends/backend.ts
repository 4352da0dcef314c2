import type { Backend } from "@feather/sdk";

/** Fields that `--json` accepts. */
export const BACKEND_FIELDS = [
  "id",
  "name",
  "base_url",
  "models",
  "weight",
  "enabled",
  "source",
  "has_api_key",
  "state",
  "in_flight",
  "last_error",
  "checked_at",
] as const satisfies readonly (keyof Backend)[];
