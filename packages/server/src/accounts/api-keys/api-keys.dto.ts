import type { components } from "@feather/openapi/schema";
import type { ApiKeyDetails } from "./api-keys.repository.ts";

type ApiKey = components["schemas"]["ApiKey"];

/** Maps a key to the contract's `ApiKey`, without its secret. */
export function toApiKeyDto(row: ApiKeyDetails, now: Date): ApiKey {
  const { organization_id, secret_hash, previous_secret_hash, deleted_at, ...rest } = row;
  const { made_by_application, made_under_grant, ...key } = rest;
  const graceEndDate = key.previous_secret_expires_at;
  return {
    ...key,
    scopes: key.scopes as ApiKey["scopes"],
    priority: key.priority as ApiKey["priority"],
    limit_reset: key.limit_reset as ApiKey["limit_reset"],
    expires_at: key.expires_at?.toISOString() ?? null,
    previous_secret_expires_at: graceEndDate && graceEndDate > now ? graceEndDate.toISOString() : null,
    last_used_at: key.last_used_at?.toISOString() ?? null,
    created_at: key.created_at.toISOString(),
  };
}
