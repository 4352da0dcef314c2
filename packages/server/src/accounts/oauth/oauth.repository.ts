import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type {
  OauthCodes,
  OauthDeviceCodes,
  OauthGrants,
  OauthTokens,
} from "../../platform/core/db/schema.generated.ts";
import { DAY_MS } from "../../platform/core/time.ts";

/** A row of `oauth_grants`: what one user allows one application in one organization. */
export type GrantRow = Selectable<OauthGrants>;
/** A row of `oauth_device_codes`: a sign-in that a device has started. */
export type DeviceCodeRow = Selectable<OauthDeviceCodes>;
type NewGrant = Pick<GrantRow, "id" | "user_id" | "organization_id" | "application_id" | "scopes" | "granted_at">;
/** The user, organization and application of a grant. */
export type GrantKey = Pick<GrantRow, "user_id" | "organization_id" | "application_id">;

/** Queries of grants, codes, token families, tokens and device codes. */
export function createOAuthRepository(db: Database) {
  return {
    ...bind(db, {
      listGrants,
      findGrant,
      insertDeviceCode,
      updateDeviceCode,
      claimDeviceCode,
      deleteExpired,
    }),
    upsertGrant,
    deleteGrant,
    isGrantUsable,
    insertCode,
    lockGrantOf,
    lockCode,
    markCodeUsed,
    insertFamily,
    revokeFamily,
    endCredentialsOf,
    insertTokens,
    lockToken,
    updateToken,
    lockDeviceCode,
  };
}

export type OAuthRepository = ReturnType<typeof createOAuthRepository>;

function selectGrants(trx: Database) {
  return trx
    .selectFrom("oauth_grants")
    .innerJoin("applications", "applications.id", "oauth_grants.application_id")
    .innerJoin("organizations", "organizations.id", "oauth_grants.organization_id")
    .selectAll("oauth_grants")
    .select(["applications.name as application_name", "organizations.name as organization_name"]);
}

function listGrants(db: Database, userId: string) {
  return selectGrants(db)
    .where("user_id", "=", userId)
    .orderBy("granted_at", "desc")
    .orderBy("oauth_grants.id")
    .execute();
}

function findGrant(
  db: Database,
  userId: string,
  organizationId: string,
  applicationId: string,
): Promise<GrantRow | undefined> {
  return db
    .selectFrom("oauth_grants")
    .selectAll()
    .where("user_id", "=", userId)
    .where("organization_id", "=", organizationId)
    .where("application_id", "=", applicationId)
    .executeTakeFirst();
}

/** Inserts a grant, or adds its scopes to the existing one. */
function upsertGrant(grant: NewGrant, trx: Database): Promise<GrantRow> {
  return trx
    .insertInto("oauth_grants")
    .values(grant)
    .onConflict((conflict) =>
      conflict.columns(["user_id", "organization_id", "application_id"]).doUpdateSet({
        scopes: sql<
          string[]
        >`array(select distinct unnest(oauth_grants.scopes || excluded.scopes) as scope order by scope)`,
        granted_at: grant.granted_at,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Deletes a grant; the database deletes its codes and tokens with it. Undefined where the user has no such grant.
 */
function deleteGrant(userId: string, id: string, trx: Database): Promise<GrantRow | undefined> {
  return trx
    .deleteFrom("oauth_grants")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returningAll()
    .executeTakeFirst();
}

/** Returns whether the grant's user is not suspended and still a member of the organization. */
async function isGrantUsable(grantId: string, trx: Database): Promise<boolean> {
  const row = await trx
    .selectFrom("oauth_grants")
    .innerJoin("users", "users.id", "oauth_grants.user_id")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.user_id", "=", "oauth_grants.user_id")
        .onRef("memberships.organization_id", "=", "oauth_grants.organization_id"),
    )
    .select("oauth_grants.id")
    .where("oauth_grants.id", "=", grantId)
    .where("users.suspended_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

function insertCode(code: Insertable<OauthCodes>, trx: Database) {
  return trx.insertInto("oauth_codes").values(code).execute();
}

/**
 * Locks the grant behind a code or token until the transaction ends. Must run before the code or token itself is
 * locked: deleting a grant locks in that order, and the reverse order would deadlock.
 */
async function lockGrantOf(
  table: "oauth_codes" | "oauth_tokens" | "oauth_device_codes",
  secretHash: Buffer,
  trx: Database,
) {
  const grantId =
    table === "oauth_tokens"
      ? trx
          .selectFrom("oauth_tokens")
          .innerJoin("oauth_families", "oauth_families.id", "oauth_tokens.family_id")
          .select("grant_id")
          .where("secret_hash", "=", secretHash)
      : trx.selectFrom(table).select("grant_id").where("secret_hash", "=", secretHash);
  await trx.selectFrom("oauth_grants").select("id").where("id", "=", grantId).forKeyShare().execute();
}

/** Returns a code with the user, organization and application of its grant, locked until the transaction ends. */
function lockCode(secretHash: Buffer, trx: Database) {
  return trx
    .selectFrom("oauth_codes")
    .innerJoin("oauth_grants", "oauth_grants.id", "oauth_codes.grant_id")
    .selectAll("oauth_codes")
    .select(["user_id", "organization_id", "application_id"])
    .where("secret_hash", "=", secretHash)
    .forNoKeyUpdate("oauth_codes")
    .executeTakeFirst();
}

function markCodeUsed(secretHash: Buffer, familyId: string | null, now: Date, trx: Database) {
  return trx
    .updateTable("oauth_codes")
    .set({ used_at: now, family_id: familyId })
    .where("secret_hash", "=", secretHash)
    .execute();
}

function insertFamily(id: string, grantId: string, scopes: string[], now: Date, trx: Database) {
  return trx.insertInto("oauth_families").values({ id, grant_id: grantId, scopes, created_at: now }).execute();
}

function revokeFamily(id: string, now: Date, trx: Database) {
  return trx
    .updateTable("oauth_families")
    .set({ revoked_at: now })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .execute();
}

/**
 * Ends the API keys that were made under a grant, switches off the applications whose secrets became known under it,
 * disables the webhook endpoints that were made or changed under it, and withdraws the open invitations sent under it.
 * Deleting a grant does the same.
 */
async function endCredentialsOf(grantId: string, now: Date, trx: Database): Promise<void> {
  await trx
    .updateTable("api_keys")
    .set({ deleted_at: now })
    .where("made_under_grant", "=", grantId)
    .where("deleted_at", "is", null)
    .execute();
  await trx.deleteFrom("deployment_tokens").where("made_under_grant", "=", grantId).execute();
  await sql`select switch_off_applications_of_grant(${grantId})`.execute(trx);
  await sql`select end_webhooks_and_invitations_of_grant(${grantId})`.execute(trx);
}

function insertTokens(tokens: Insertable<OauthTokens>[], trx: Database) {
  return trx.insertInto("oauth_tokens").values(tokens).execute();
}

/** Returns a token with its family and grant, locked until the transaction ends. */
function lockToken(secretHash: Buffer, trx: Database) {
  return trx
    .selectFrom("oauth_tokens")
    .innerJoin("oauth_families", "oauth_families.id", "oauth_tokens.family_id")
    .innerJoin("oauth_grants", "oauth_grants.id", "oauth_families.grant_id")
    .selectAll("oauth_tokens")
    .select([
      "oauth_families.grant_id",
      "oauth_families.scopes as family_scopes",
      "oauth_families.created_at as family_created_at",
      "oauth_families.revoked_at as family_revoked_at",
      "user_id",
      "organization_id",
      "application_id",
    ])
    .where("secret_hash", "=", secretHash)
    .forNoKeyUpdate("oauth_tokens")
    .executeTakeFirst();
}

function updateToken(id: string, change: Updateable<OauthTokens>, trx: Database) {
  return trx.updateTable("oauth_tokens").set(change).where("id", "=", id).execute();
}

/** Inserts a device code. Returns false where another pending code has the same user code. */
async function insertDeviceCode(db: Database, code: Insertable<OauthDeviceCodes>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("oauth_device_codes")
    .values(code)
    .onConflict((conflict) => conflict.column("user_code").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

function lockDeviceCode(secretHash: Buffer, trx: Database): Promise<DeviceCodeRow | undefined> {
  return trx
    .selectFrom("oauth_device_codes")
    .selectAll()
    .where("secret_hash", "=", secretHash)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

function updateDeviceCode(db: Database, secretHash: Buffer, change: Updateable<OauthDeviceCodes>, trx: Database = db) {
  return trx.updateTable("oauth_device_codes").set(change).where("secret_hash", "=", secretHash).execute();
}

/**
 * Binds a pending code to the user who opens it. Undefined when it is unknown, expired, decided or another user's.
 */
function claimDeviceCode(
  db: Database,
  userCode: string,
  userId: string,
  change: Updateable<OauthDeviceCodes>,
  now: Date,
  trx: Database = db,
): Promise<DeviceCodeRow | undefined> {
  return trx
    .updateTable("oauth_device_codes")
    .set({ ...change, user_id: userId })
    .where("user_code", "=", userCode)
    .where("status", "=", "pending")
    .where("expires_at", ">", now)
    .where((eb) => eb.or([eb("user_id", "is", null), eb("user_id", "=", userId)]))
    .returningAll()
    .executeTakeFirst();
}

/**
 * Deletes expired codes and tokens. Used refresh tokens stay until they expire, so that their reuse is detected.
 */
async function deleteExpired(db: Database, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - DAY_MS);
  await db.deleteFrom("oauth_device_codes").where("expires_at", "<", dayAgo).execute();
  await db.deleteFrom("oauth_tokens").where("expires_at", "<", dayAgo).execute();
  await db
    .deleteFrom("oauth_codes")
    .where("expires_at", "<", new Date(now.getTime() - 31 * DAY_MS))
    .execute();
  await db
    .deleteFrom("oauth_families")
    .where("created_at", "<", dayAgo)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom("oauth_tokens").select("id").whereRef("oauth_tokens.family_id", "=", "oauth_families.id"),
        ),
      ),
    )
    .execute();
}
