import { sql } from "kysely";
import { ADMIN_PLAN_ID } from "../../../money/plans/index.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { isUniqueViolation } from "../../../platform/core/db/errors.ts";
import { type Ids, randomIds } from "../../../platform/core/ids.ts";
import type { Language } from "../../../platform/core/languages/languages.ts";

/** SQL condition for queries on `users`: whether the user has a passkey. */
export const HAS_PASSKEY = sql<boolean>`exists (select 1 from passkeys where passkeys.user_id = users.id)`;

/** A user to create, with the user's own organization. */
export type NewAccount = {
  createdAt: Date;
  email: string;
  username: string;
  name: string;
  passwordHash: string | null;
  isAdmin: boolean;
  verifiedAt: Date | null;
  /** Whether `verifiedAt` is set without proof, because there is no mail server. */
  emailAssumed?: boolean;
  /** Whether sign-in is impossible until the address is confirmed. */
  awaitsConfirmation?: boolean;
  /** When the account started to wait for approval by an admin. */
  approvalRequestedAt?: Date | null;
  /** The language of the site and of mails; null or absent until a sign-in tells it. */
  language?: Language | null;
};

const USERNAME_CONSTRAINT = "users_username_key";

type Context = { db: Database; ids: Ids };

/** Creates the repository of users and their sessions. */
export function createUsersRepository(db: Database, ids: Ids = randomIds) {
  const context: Context = { db, ids };
  return bind(context, {
    findByEmail,
    findWithOrganization,
    hasAdmin,
    create: createUser,
    createSession,
    saveFirstLanguage,
    findSession,
    touchSession,
    revokeSession,
    listSessions,
    revokeOwnSession,
    revokeOtherSessions,
    rotateSession,
  });
}

export type UsersRepository = ReturnType<typeof createUsersRepository>;

function findByEmail({ db }: Context, email: string) {
  return db.selectFrom("users").selectAll().where("email_lower", "=", email.toLowerCase()).executeTakeFirst();
}

/** Returns the user with the given organization, otherwise with the one of their oldest membership. */
function findWithOrganization({ db }: Context, userId: string, organizationId: string | null = null) {
  return db
    .selectFrom("users")
    .innerJoin("memberships", "memberships.user_id", "users.id")
    .innerJoin("organizations", "organizations.id", "memberships.organization_id")
    .selectAll("users")
    .select([
      "organizations.id as organization_id",
      "organizations.name as organization_name",
      "memberships.role",
      HAS_PASSKEY.as("has_passkey"),
      sql<string[]>`array(select provider from linked_accounts where user_id = users.id order by provider)`.as(
        "providers",
      ),
    ])
    .where("users.id", "=", userId)
    .orderBy(sql`memberships.organization_id is not distinct from ${organizationId}`, "desc")
    .orderBy("memberships.created_at")
    .orderBy("memberships.position")
    .executeTakeFirst();
}

async function hasAdmin({ db }: Context, trx: Database = db): Promise<boolean> {
  return (
    (await trx.selectFrom("users").select("id").where("is_admin", "=", true).limit(1).executeTakeFirst()) !== undefined
  );
}

/**
 * Creates user, organization and membership in one transaction, which begins with `claim`. If `claim` throws, nothing is
 * created. Returns null if the e-mail address is taken.
 */
async function createUser(
  context: Context,
  account: NewAccount,
  claim?: (trx: Database) => Promise<void>,
  attemptsLeft = 20,
): Promise<{ userId: string; organizationId: string } | null> {
  const { db, ids } = context;
  const userId = ids.next("usr");
  const organizationId = ids.next("org");
  const { createdAt, email, name, passwordHash, isAdmin, verifiedAt } = account;
  try {
    await db.transaction().execute(async (trx) => {
      await claim?.(trx);
      const username = await findFreeUsername(trx, account.username);
      await trx.insertInto("organizations").values({ id: organizationId, name, created_at: createdAt }).execute();
      await trx
        .insertInto("users")
        .values({
          id: userId,
          email,
          email_lower: email.toLowerCase(),
          username,
          name,
          password_hash: passwordHash,
          is_admin: isAdmin,
          email_verified_at: verifiedAt,
          email_assumed: account.emailAssumed ?? false,
          awaiting_confirmation: account.awaitsConfirmation ?? false,
          approval_requested_at: account.approvalRequestedAt ?? null,
          language: account.language ?? null,
          created_at: createdAt,
          updated_at: createdAt,
        })
        .execute();
      await trx
        .insertInto("memberships")
        .values({ organization_id: organizationId, user_id: userId, role: "admin", created_at: createdAt })
        .execute();
      if (isAdmin)
        await trx
          .insertInto("subscriptions")
          .values({
            id: ids.next("sub"),
            organization_id: organizationId,
            plan_id: ADMIN_PLAN_ID,
            status: "active",
            current_period_start_date: createdAt,
            created_at: createdAt,
          })
          .execute();
    });
    return { userId, organizationId };
  } catch (error) {
    // The username was taken between the query and the insert.
    if (isUniqueViolation(error, USERNAME_CONSTRAINT) && attemptsLeft > 1)
      return createUser(context, account, claim, attemptsLeft - 1);
    if (isUniqueViolation(error) && !isUniqueViolation(error, USERNAME_CONSTRAINT)) return null;
    throw error;
  }
}

function createSession(
  { db }: Context,
  session: {
    id: string;
    secretHash: Buffer;
    userId: string;
    expiresAt: Date;
    ip: string;
    userAgent: string | undefined;
    now: Date;
  },
) {
  return db
    .insertInto("sessions")
    .values({
      id: session.id,
      secret_hash: session.secretHash,
      user_id: session.userId,
      expires_at: session.expiresAt,
      ip: session.ip,
      user_agent: session.userAgent?.slice(0, 300) ?? null,
      created_at: session.now,
      last_seen_at: session.now,
    })
    .execute();
}

/** Saves the language of a user who has none yet. */
function saveFirstLanguage({ db }: Context, userId: string, language: Language) {
  return db.updateTable("users").set({ language }).where("id", "=", userId).where("language", "is", null).execute();
}

function findSession({ db }: Context, secretHash: Buffer) {
  return (
    db
      .selectFrom("sessions")
      .innerJoin("users", "users.id", "sessions.user_id")
      .innerJoin("memberships", "memberships.user_id", "users.id")
      .leftJoin("sessions as own", "own.id", "sessions.impersonator_session_id")
      .leftJoin("users as impersonator", "impersonator.id", "sessions.impersonated_by")
      .select([
        "sessions.id",
        "sessions.user_id",
        "sessions.expires_at",
        "sessions.last_seen_at",
        "sessions.revoked_at",
        "sessions.impersonated_by",
        "users.is_admin",
        "users.suspended_at",
        "users.approval_requested_at",
        "users.totp_enabled_at",
        HAS_PASSKEY.as("has_passkey"),
        "users.email_verified_at",
        "memberships.organization_id",
        "memberships.role",
      ])
      .where("sessions.secret_hash", "=", secretHash)
      // An impersonation ends with the session and the rights of its admin.
      .where((eb) =>
        eb.or([
          eb("sessions.impersonated_by", "is", null),
          eb.and([
            eb("own.revoked_at", "is", null),
            eb("impersonator.suspended_at", "is", null),
            eb("impersonator.is_admin", "=", true),
            eb("users.is_admin", "=", false),
          ]),
        ]),
      )
      .orderBy(sql`memberships.organization_id is not distinct from sessions.organization_id`, "desc")
      .orderBy("memberships.created_at")
      .orderBy("memberships.position")
      .executeTakeFirst()
  );
}

function touchSession({ db }: Context, id: string, now: Date) {
  return db.updateTable("sessions").set({ last_seen_at: now }).where("id", "=", id).execute();
}

function revokeSession({ db }: Context, id: string, now: Date, trx: Database = db) {
  return trx
    .updateTable("sessions")
    .set({ revoked_at: now })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .execute();
}

/** Returns the user's usable sessions, without those of admins who act as them. */
function listSessions({ db }: Context, userId: string, now: Date, idleSince: Date) {
  return db
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", userId)
    .where("impersonated_by", "is", null)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .where("last_seen_at", ">", idleSince)
    .orderBy("last_seen_at", "desc")
    .execute();
}

/** Revokes one session of a user. Returns whether there was one. */
async function revokeOwnSession(
  { db }: Context,
  userId: string,
  id: string,
  now: Date,
  trx: Database = db,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("sessions")
    .set({ revoked_at: now })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("impersonated_by", "is", null)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Revokes all sessions of a user except one, including those of admins who impersonate the user. */
function revokeOtherSessions(
  { db }: Context,
  userId: string,
  keptSessionId: string | null,
  now: Date,
  trx: Database = db,
) {
  return trx
    .updateTable("sessions")
    .set({ revoked_at: now })
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .$if(keptSessionId !== null, (query) => query.where("id", "!=", keptSessionId))
    .execute();
}

/** Gives a session another secret, so that a leaked one becomes invalid. Returns when the session ends. */
function rotateSession({ db }: Context, id: string, secretHash: Buffer) {
  return db
    .updateTable("sessions")
    .set({ secret_hash: secretHash })
    .where("id", "=", id)
    .returning("expires_at")
    .executeTakeFirstOrThrow();
}

/** Returns the desired username, or the first free one with a number appended. */
async function findFreeUsername(db: Database, desired: string): Promise<string> {
  const { rows } = await sql<{
    username: string;
  }>`select username from users where username = ${desired} or username ~ ${`^${desired}[0-9]+$`}`.execute(db);
  const taken = new Set(rows.map((row) => row.username));
  if (!taken.has(desired)) return desired;
  for (let number = 2; ; number++) if (!taken.has(`${desired}${number}`)) return `${desired}${number}`;
}
