import type { Database } from "../db/connect.ts";

/**
 * Returns the query of tokens and links of deployments that have not expired. One that was created with an API key is valid
 * only as long as the key.
 */
export function selectValidDeploymentTokens(db: Database, now: Date) {
  return db
    .selectFrom("deployment_tokens")
    .leftJoin("api_keys", "api_keys.id", "deployment_tokens.made_by_key")
    .where((eb) =>
      eb.or([eb("deployment_tokens.expires_at", "is", null), eb("deployment_tokens.expires_at", ">", now)]),
    )
    .where((eb) =>
      eb.or([
        eb("made_by_key", "is", null),
        eb.and([
          eb("api_keys.deleted_at", "is", null),
          eb("api_keys.disabled", "=", false),
          eb.or([eb("api_keys.expires_at", "is", null), eb("api_keys.expires_at", ">", now)]),
        ]),
      ]),
    );
}
