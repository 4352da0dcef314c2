import { sql } from "kysely";
import type { Database } from "../../db/connect.ts";

/** Models of organizations by the ids that they are called by. */
const MODEL_ID = sql<string>`model_id_of(model_id)`.as("model_id");
const MOST_REQUESTS = 10_000;

/** Everything kept about a user, without anything that opens a door. */
export async function exportAccount(db: Database, userId: string) {
  const [own, billing] = await Promise.all([ofPerson(db, userId), ofBilling(db, userId)]);
  return { ...own, ...billing };
}

async function ofPerson(db: Database, userId: string) {
  const [
    organizations,
    sessions,
    api_keys,
    reviews,
    favorites,
    linked_accounts,
    passkeys,
    allowed_applications,
    requests,
    audit_log,
  ] = await Promise.all([
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
    db.selectFrom("favorites").select([MODEL_ID, "created_at"]).where("user_id", "=", userId).execute(),
    db
      .selectFrom("linked_accounts")
      .select(["provider", "subject", "email", "name", "linked_at"])
      .where("user_id", "=", userId)
      .execute(),
    db
      .selectFrom("passkeys")
      .select(["id", "name", "backed_up as synced", "created_at", "last_used_at"])
      .where("user_id", "=", userId)
      .execute(),
    db
      .selectFrom("oauth_grants")
      .select(["application_id", "scopes", "granted_at", "last_used_at"])
      .where("user_id", "=", userId)
      .execute(),
    db
      .selectFrom("requests")
      .select(["id", MODEL_ID, "prompt_tokens", "completion_tokens", "started_at"])
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
  return {
    organizations,
    sessions,
    api_keys,
    reviews,
    favorites,
    linked_accounts,
    passkeys,
    allowed_applications,
    requests,
    audit_log,
  };
}

/** What was bought, by the organizations whose admin the user is. */
async function ofBilling(db: Database, userId: string) {
  const organizations = () =>
    db.selectFrom("memberships").select("organization_id").where("user_id", "=", userId).where("role", "=", "admin");
  const [invoices, payment_methods] = await Promise.all([
    db
      .selectFrom("invoices")
      .select([
        "organization_id",
        "number",
        "kind",
        "status",
        "lines",
        "total_cents",
        "billed_to",
        "created_at",
        "paid_at",
      ])
      .where("organization_id", "in", organizations())
      .orderBy("created_at")
      .execute(),
    db
      .selectFrom("payment_methods")
      .select(["organization_id", "brand", "last4", "exp_month", "exp_year", "created_at", "deleted_at"])
      .where("organization_id", "in", organizations())
      .execute(),
  ]);
  return { invoices, payment_methods };
}
