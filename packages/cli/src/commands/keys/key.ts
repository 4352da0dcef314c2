import type { ApiKey } from "@feather/sdk";

/** Fields that `--json` accepts. */
export const KEY_FIELDS = [
  "id",
  "name",
  "prefix",
  "last4",
  "scopes",
  "allowed_models",
  "ip_allowlist",
  "max_concurrency",
  "priority",
  "spend_limit_nano_usd",
  "limit_reset",
  "spent_nano_usd",
  "expires_at",
  "disabled",
  "created_by",
  "created_by_name",
  "created_by_application",
  "last_used_at",
  "previous_secret_expires_at",
  "created_at",
] as const satisfies readonly (keyof ApiKey)[];

/** Returns the first and last characters of a key's secret: `rc_wrFf…xIRT`. */
export const maskSecret = (key: ApiKey, unicode: boolean) => `${key.prefix}${unicode ? "…" : ".."}${key.last4}`;
