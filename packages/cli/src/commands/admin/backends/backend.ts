import type { Schemas } from "@feather/sdk";

export type Backend = Schemas["Backend"];

/** Fields that `--json` takes. */
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
