import type { ApiKey } from "@feather/sdk";
import type { CsvCell } from "#/lib/csv.ts";

/** The columns of keys in a file, which has no secrets. */
export const KEY_FILE_COLUMNS: Readonly<Record<string, (key: ApiKey) => CsvCell>> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  key: ({ prefix, last4 }) => `${prefix}…${last4}`,
  created_by: ({ created_by }) => created_by,
  created_by_name: ({ created_by_name }) => created_by_name,
  scopes: ({ scopes }) => scopes.join(" "),
  allowed_models: ({ allowed_models }) => allowed_models.join(" "),
  disabled: ({ disabled }) => String(disabled),
  expires_at: ({ expires_at }) => expires_at,
  last_used_at: ({ last_used_at }) => last_used_at,
  created_at: ({ created_at }) => created_at,
  spent_nano_usd: ({ spent_nano_usd }) => spent_nano_usd,
  spend_limit_nano_usd: ({ spend_limit_nano_usd }) => spend_limit_nano_usd,
};
