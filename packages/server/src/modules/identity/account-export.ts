import { sql } from "kysely";
import type { Database } from "../../core/db/connect.ts";
import { creditsAccount } from "../credits/credits.repository.ts";
import { redactSecrets } from "../mail/message-secrets.ts";

/** Public id of a model: private models are stored under another one. */
const MODEL_ID = sql<string>`model_id_of(model_id)`.as("model_id");

type Row = Readonly<Record<string, unknown>>;
/** One kind of stored data, page by page. */
type Section = { name: string; rows: AsyncIterable<readonly Row[]> };

const PAGE_SIZE = 1_000;

/**
 * Yields everything stored about a user, except secrets, as the text of one JSON object that begins with the fields of
 * `head`. Reads a page at a time, so that memory stays bounded.
 */
export async function* exportAccount(db: Database, userId: string, head: object): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1);
  for (const { name, rows } of [...listUserSections(db, userId), ...listOrganizationSections(db, userId)]) {
    yield `,${JSON.stringify(name)}:[`;
    let isFirst = true;
    for await (const page of rows)
      for (const row of page) {
        yield `${isFirst ? "" : ","}${JSON.stringify(row)}`;
        isFirst = false;
      }
    yield "]";
  }
  yield "}";
}

/** Yields the result of a query as one page. */
async function* singlePage(query: { execute(): Promise<readonly Row[]> }): AsyncGenerator<readonly Row[]> {
  yield await query.execute();
}

/** Yields pages until one is not full. `read` gets the last row of the previous page. */
async function* paginate<R extends Row>(
  read: (after: R | null) => Promise<readonly R[]>,
): AsyncGenerator<readonly R[]> {
  let last: R | null = null;
  do {
    const page: readonly R[] = await read(last);
    yield page;
    last = page.length < PAGE_SIZE ? null : (page.at(-1) ?? null);
  } while (last !== null);
}

function listUserSections(db: Database, userId: string): Section[] {
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
    {
      name: "referral_codes",
      rows: singlePage(db.selectFrom("referral_codes").select("code").where("user_id", "=", userId)),
    },
    {
      name: "referrals",
      // Referred users are not named: their data is not the user's.
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

/** Lists the data of organizations that the user is an admin of. */
function listOrganizationSections(db: Database, userId: string): Section[] {
  const organizations = () =>
    db.selectFrom("memberships").select("organization_id").where("user_id", "=", userId).where("role", "=", "admin");
  return [
    {
      name: "subscriptions",
      rows: singlePage(
        db
          .selectFrom("subscriptions")
          .select([
            "id",
            "organization_id",
            "plan_id",
            "quantity",
            "status",
            "price_cents",
            "billing_interval",
            "current_period_start_date",
            "current_period_end_date",
            "trial_end_date",
            "coupon_code",
            "created_at",
            "ended_at",
          ])
          .where("organization_id", "in", organizations())
          .orderBy("created_at"),
      ),
    },
    {
      name: "invoices",
      rows: singlePage(
        db
          .selectFrom("invoices")
          .select([
            "organization_id",
            "number",
            "kind",
            "status",
            "lines",
            "total_cents",
            "refunded_cents",
            "billed_to",
            "created_at",
            "paid_at",
          ])
          .where("organization_id", "in", organizations())
          .orderBy("created_at"),
      ),
    },
    {
      name: "payment_methods",
      rows: singlePage(
        db
          .selectFrom("payment_methods")
          .select(["organization_id", "brand", "last4", "exp_month", "exp_year", "created_at", "deleted_at"])
          .where("organization_id", "in", organizations()),
      ),
    },
    {
      name: "coupons",
      rows: singlePage(
        db
          .selectFrom("coupon_redemptions")
          .select(["organization_id", "coupon_code", "redeemed_at"])
          .where("organization_id", "in", organizations()),
      ),
    },
    {
      name: "marketplace_accounts",
      rows: singlePage(
        db
          .selectFrom("marketplace_accounts")
          .select(["id", "organization_id", "provider", "customer_id", "product", "status", "created_at"])
          .where("organization_id", "in", organizations()),
      ),
    },
    {
      name: "private_models",
      rows: singlePage(
        db
          .selectFrom("private_models")
          .select(["organization_id", MODEL_ID, "name", "revision", "created_at", "updated_at"])
          .where("organization_id", "in", organizations()),
      ),
    },
    {
      name: "deployments",
      rows: singlePage(
        db
          .selectFrom("deployments")
          .select([
            "id",
            "organization_id",
            "name",
            MODEL_ID,
            "revision",
            "provider_id",
            "region",
            "instance_type",
            "min_replicas",
            "max_replicas",
            "engine_args",
            "visibility",
            "state",
            "created_at",
            "updated_at",
          ])
          .where("organization_id", "in", organizations()),
      ),
    },
    { name: "credit_transactions", rows: readCreditTransactions(db, organizations) },
  ];
}

/** Yields credit transactions of organizations in the order of their posting. */
async function* readCreditTransactions(
  db: Database,
  organizations: () => { execute(): Promise<{ organization_id: string }[]> },
): AsyncGenerator<readonly Row[]> {
  const accounts = (await organizations().execute()).map(({ organization_id }) => creditsAccount(organization_id));
  if (accounts.length === 0) return;
  yield* paginate<Row & { sequence: number }>((after) =>
    db
      .selectFrom("ledger_entries")
      .innerJoin("ledger_transactions", "ledger_transactions.id", "ledger_entries.transaction_id")
      .select([
        "ledger_entries.sequence",
        "ledger_transactions.id",
        "organization_id",
        "kind",
        "amount_nano_usd",
        "description",
        "request_id",
        "created_at",
      ])
      .where("account", "in", accounts)
      .where("ledger_entries.sequence", ">", after?.sequence ?? 0)
      .orderBy("ledger_entries.sequence")
      .limit(PAGE_SIZE)
      .execute(),
  );
}
