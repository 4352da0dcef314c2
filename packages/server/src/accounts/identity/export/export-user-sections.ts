import type { Database } from "../../../platform/core/db/connect.ts";
import { redactSecrets } from "../../../platform/mail/index.ts";
import { MODEL_ID, PAGE_SIZE, paginate, type Row, type Section, singlePage } from "./export-sections.ts";

/** Lists the data of the user. */
export function listUserSections(db: Database, userId: string): Section[] {
  return [
    ...listMembershipSections(db, userId),
    ...listReviewSections(db, userId),
    ...listSignInSections(db, userId),
    ...listInvitationSections(db, userId),
    ...listReferralSections(db, userId),
    ...listActivitySections(db, userId),
  ];
}

/** Returns the user's organizations, sessions and API keys. */
function listMembershipSections(db: Database, userId: string): Section[] {
  return [
    {
      name: "organizations",
      rows: singlePage(
        db
          .selectFrom("memberships")
          .innerJoin("organizations", "organizations.id", "organization_id")
          .select(["organization_id", "organizations.name", "role", "memberships.created_at"])
          .where("user_id", "=", userId),
      ),
    },
    {
      name: "sessions",
      rows: singlePage(
        db
          .selectFrom("sessions")
          .select(["id", "ip", "user_agent", "created_at", "last_seen_at", "expires_at", "revoked_at"])
          .where("user_id", "=", userId)
          .where("impersonated_by", "is", null),
      ),
    },
    {
      name: "api_keys",
      rows: singlePage(
        db
          .selectFrom("api_keys")
          .select(["id", "name", "prefix", "last4", "scopes", "created_at", "last_used_at", "deleted_at"])
          .where("created_by", "=", userId),
      ),
    },
  ];
}

/** Returns the user's reviews, votes, reports and favorites. */
function listReviewSections(db: Database, userId: string): Section[] {
  return [
    { name: "reviews", rows: singlePage(db.selectFrom("reviews").selectAll().where("user_id", "=", userId)) },
    {
      name: "review_votes",
      rows: singlePage(db.selectFrom("review_votes").select(["review_id", "created_at"]).where("user_id", "=", userId)),
    },
    {
      name: "review_reports",
      rows: singlePage(
        db
          .selectFrom("review_reports")
          .select(["review_id", "reason", "created_at", "resolved_at"])
          .where("user_id", "=", userId),
      ),
    },
    {
      name: "favorites",
      rows: singlePage(db.selectFrom("favorites").select([MODEL_ID, "created_at"]).where("user_id", "=", userId)),
    },
  ];
}

/**
 * Returns the accounts and passkeys with which the user signs in, and applications that the user has allowed or registered.
 */
function listSignInSections(db: Database, userId: string): Section[] {
  return [
    {
      name: "linked_accounts",
      rows: singlePage(
        db
          .selectFrom("linked_accounts")
          .select(["provider", "subject", "email", "name", "linked_at"])
          .where("user_id", "=", userId),
      ),
    },
    {
      name: "passkeys",
      rows: singlePage(
        db
          .selectFrom("passkeys")
          .select(["id", "name", "backed_up as synced", "created_at", "last_used_at"])
          .where("user_id", "=", userId),
      ),
    },
    {
      name: "allowed_applications",
      rows: singlePage(
        db
          .selectFrom("oauth_grants")
          .select(["application_id", "scopes", "granted_at", "last_used_at"])
          .where("user_id", "=", userId),
      ),
    },
    {
      name: "applications",
      rows: singlePage(
        db
          .selectFrom("applications")
          .select([
            "id",
            "organization_id",
            "name",
            "description",
            "homepage_url",
            "logo_url",
            "redirect_uris",
            "scopes",
            "client_type",
            "device_flow",
            "status",
            "created_at",
          ])
          .where("created_by", "=", userId),
      ),
    },
  ];
}

/** Returns the invitations that the user sent. */
function listInvitationSections(db: Database, userId: string): Section[] {
  return [
    {
      name: "invitations_sent",
      rows: singlePage(
        db
          .selectFrom("invitations")
          .select(["id", "organization_id", "email", "role", "created_at", "sent_at", "expires_at", "used_at"])
          .where("invited_by", "=", userId),
      ),
    },
    {
      name: "invitations_to_the_platform_sent",
      rows: singlePage(
        db
          .selectFrom("platform_invitations")
          .select(["id", "email", "created_at", "expires_at"])
          .where("invited_by", "=", userId),
      ),
    },
  ];
}

/** Returns the user's referrals, with what they brought. */
function listReferralSections(db: Database, userId: string): Section[] {
  return [
    {
      name: "referral_codes",
      rows: singlePage(db.selectFrom("referral_codes").select("code").where("user_id", "=", userId)),
    },
    {
      name: "referrals",
      // Referred users are not named, because their data does not belong to the user.
      rows: singlePage(
        db
          .selectFrom("referrals")
          .select((eb) => [
            eb
              .case()
              .when("referrer_user_id", "=", userId)
              .then("you referred somebody")
              .else("somebody referred you")
              .end()
              .as("what"),
            "created_at",
            "first_paid_at",
          ])
          .where((eb) => eb.or([eb("referrer_user_id", "=", userId), eb("referred_user_id", "=", userId)])),
      ),
    },
    {
      name: "referral_rewards",
      rows: singlePage(
        db
          .selectFrom("referral_rewards")
          .select(["id", "method", "amount_nano_usd", "status", "created_at", "release_at", "settled_at"])
          .where("beneficiary_user_id", "=", userId),
      ),
    },
    {
      name: "referral_payouts",
      rows: singlePage(
        db
          .selectFrom("referral_payouts")
          .select(["id", "organization_id", "amount_nano_usd", "is_test", "created_at"])
          .where("user_id", "=", userId),
      ),
    },
  ];
}

/**
 * Returns models that the user has requested or unlocked, mails, requests to models, and the user's part of the audit log.
 */
function listActivitySections(db: Database, userId: string): Section[] {
  return [
    {
      name: "model_requests",
      rows: singlePage(
        db
          .selectFrom("model_requests")
          .select(["model_id", "hub_revision", "organization_id", "created_at"])
          .where("requested_by", "=", userId),
      ),
    },
    {
      name: "model_unlocks",
      rows: singlePage(
        db
          .selectFrom("model_unlocks")
          .select([MODEL_ID, "method", "hub_user", "organization_id", "unlocked_at"])
          .where("unlocked_by", "=", userId),
      ),
    },
    { name: "mails", rows: readMails(db, userId) },
    {
      name: "requests",
      rows: paginate<Row & { id: string; started_at: Date }>((after) => {
        const query = db
          .selectFrom("requests")
          .select(["id", MODEL_ID, "prompt_tokens", "completion_tokens", "started_at"])
          .where("user_id", "=", userId)
          .orderBy("started_at", "desc")
          .orderBy("id", "desc")
          .limit(PAGE_SIZE);
        if (after === null) return query.execute();
        return query
          .where((eb) => eb(eb.refTuple("started_at", "id"), "<", eb.tuple(after.started_at, after.id)))
          .execute();
      }),
    },
    {
      name: "audit_log",
      rows: paginate<Row & { sequence: number }>((after) =>
        db
          .selectFrom("audit_log")
          .select(["sequence", "id", "at", "action", "target", "ip", "details"])
          .where("actor_user_id", "=", userId)
          .where("impersonator_user_id", "is", null)
          .where("sequence", ">", after?.sequence ?? 0)
          .orderBy("sequence")
          .limit(PAGE_SIZE)
          .execute(),
      ),
    },
  ];
}

/** Yields messages to the user, with their secrets removed. */
async function* readMails(db: Database, userId: string): AsyncGenerator<readonly Row[]> {
  const user = await db.selectFrom("users").select("email_lower").where("id", "=", userId).executeTakeFirst();
  if (!user) return;
  const read = (after: { id: string; created_at: Date } | null) => {
    const query = db
      .selectFrom("outbox")
      .select(["id", "kind", "recipient", "subject", "body", "created_at", "sent_at"])
      .where(({ fn }) => fn<string>("lower", ["recipient"]), "=", user.email_lower)
      .orderBy("created_at")
      .orderBy("id")
      .limit(PAGE_SIZE);
    if (after === null) return query.execute();
    return query
      .where((eb) => eb(eb.refTuple("created_at", "id"), ">", eb.tuple(after.created_at, after.id)))
      .execute();
  };
  for await (const page of paginate(read))
    yield page.map((row) => ({ ...row, body: redactSecrets(row.body, "(removed)") }));
}
