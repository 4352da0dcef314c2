import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { parseRole } from "../../platform/core/auth/permissions.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { hashSecret } from "../../platform/core/secrets/secrets.ts";
import { MINUTE_MS } from "../../platform/core/time.ts";

const LAST_USED_PRECISION_MS = MINUTE_MS;

/**
 * Returns a function that turns an access token into the actor it acts for. It reads the database on every call, so
 * that a revoked token stops at once, and throws `unauthorized` for tokens that are unknown, expired or revoked.
 */
export function createAccessTokenAuthenticator(db: Database, clock: Clock) {
  const find = (secret: string, now: Date) =>
    db
      .selectFrom("oauth_tokens")
      .innerJoin("oauth_families", "oauth_families.id", "oauth_tokens.family_id")
      .innerJoin("oauth_grants", "oauth_grants.id", "oauth_families.grant_id")
      .innerJoin("applications", "applications.id", "oauth_grants.application_id")
      .innerJoin("users", "users.id", "oauth_grants.user_id")
      .innerJoin("memberships", (join) =>
        join
          .onRef("memberships.user_id", "=", "oauth_grants.user_id")
          .onRef("memberships.organization_id", "=", "oauth_grants.organization_id"),
      )
      .select([
        "oauth_tokens.id",
        "oauth_tokens.scopes",
        "oauth_grants.id as grant_id",
        "oauth_grants.last_used_at",
        "oauth_grants.user_id",
        "oauth_grants.organization_id",
        "oauth_grants.scopes as granted_scopes",
        "applications.id as application_id",
        "applications.scopes as application_scopes",
        "memberships.role",
        "users.email_verified_at",
      ])
      .where("oauth_tokens.secret_hash", "=", hashSecret(secret))
      .where("oauth_tokens.kind", "=", "access")
      .where("oauth_tokens.expires_at", ">", now)
      .where("oauth_tokens.revoked_at", "is", null)
      .where("oauth_families.revoked_at", "is", null)
      .where("applications.status", "=", "active")
      .where("users.suspended_at", "is", null)
      .executeTakeFirst();

  return async (secret: string): Promise<SignedInActor> => {
    const now = clock.now();
    const row = await find(secret, now);
    if (!row)
      throw errors.unauthorized("This access token has ended or was withdrawn. Get a new one by its refresh token.");
    if (row.last_used_at === null || now.getTime() - row.last_used_at.getTime() > LAST_USED_PRECISION_MS)
      await db.updateTable("oauth_grants").set({ last_used_at: now }).where("id", "=", row.grant_id).execute();
    return {
      kind: "user",
      userId: row.user_id,
      organizationId: row.organization_id,
      role: parseRole(row.role),
      isAdmin: false,
      emailVerified: row.email_verified_at !== null,
      scopes: row.scopes.filter(
        (scope) => row.granted_scopes.includes(scope) && row.application_scopes.includes(scope),
      ),
      credential: {
        type: "oauth",
        id: row.id,
        delegation: { applicationId: row.application_id, grantId: row.grant_id },
      },
    };
  };
}
