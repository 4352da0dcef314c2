import type { Database } from "../../db/connect.ts";

const MOST_REQUESTS = 10_000;

/** Everything kept about a user, without anything that opens a door. */
export async function exportAccount(db: Database, userId: string) {
  const [organizations, sessions, api_keys, reviews, linked_accounts, requests, audit_log] = await Promise.all([
    db
      .selectFrom("memberships")
      .innerJoin("organizations", "organizations.id", "organization_id")
      .select(["organization_id", "organizations.name", "role", "memberships.created_at"])
      .where("user_id", "=", userId)
      .execute(),
    db
      .selectFrom("sessions")
      .select(["id", "ip", "user_agent", "created_at", "last_seen_at", "expires_at", "revoked_at"])
      .where("user_id", "=", userId)
      .where("impersonated_by", "is", null)
      .execute(),
    db
      .selectFrom("api_keys")
      .select(["id", "name", "prefix", "last4", "scopes", "created_at", "last_used_at", "deleted_at"])
      .where("created_by", "=", userId)
      .execute(),
    db.selectFrom("reviews").selectAll().where("user_id", "=", userId).execute(),
    db
      .selectFrom("linked_accounts")
      .select(["provider", "subject", "email", "name", "linked_at"])
      .where("user_id", "=", userId)
      .execute(),
    db
      .selectFrom("requests")
      .select(["id", "model_id", "prompt_tokens", "completion_tokens", "started_at"])
      .where("user_id", "=", userId)
      .orderBy("started_at", "desc")
      .limit(MOST_REQUESTS)
      .execute(),
    db
      .selectFrom("audit_log")
      .select(["id", "at", "action", "target", "ip", "details"])
      .where("actor_user_id", "=", userId)
      .where("impersonator_user_id", "is", null)
      .orderBy("sequence")
      .execute(),
  ]);
  return { organizations, sessions, api_keys, reviews, linked_accounts, requests, audit_log };
}
