import { sql } from "kysely";
import type { Role } from "../../platform/core/auth/permissions.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";

/** A member of an organization. */
export type Member = { user_id: string; name: string; email: string; role: string; joined_at: Date };

const ORGANIZATION_COLUMNS = [
  "organizations.id",
  "name",
  "role",
  "calls_elsewhere",
  "chat_storage",
  "chat_retention_days",
  "chat_links",
  "organizations.created_at",
] as const;

type Context = { db: Database; ids: Ids };

/** Reads and writes organizations and their members. */
export function createOrganizationsRepository(db: Database, ids: Ids) {
  const context: Context = { db, ids };
  return {
    ...bind(context, {
      find: findOrganization,
      listByUser,
      listMembers,
      ensureOrganization,
    }),
    rename: renameOrganization,
    setCallsElsewhere,
    setChatPolicy,
    lock: lockOrganization,
    findMember,
    findMemberByEmail,
    hasOtherAdmin,
    setRole,
    addMember,
    removeMember,
    withdrawInvitationsBy,
    switchSession,
  };
}

export type OrganizationsRepository = ReturnType<typeof createOrganizationsRepository>;

function members(trx: Database, organizationId: string) {
  return trx
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["users.id as user_id", "name", "email", "role", "memberships.created_at as joined_at"])
    .where("organization_id", "=", organizationId);
}

function findOrganization({ db }: Context, id: string, userId: string) {
  return db
    .selectFrom("organizations")
    .innerJoin("memberships", "memberships.organization_id", "organizations.id")
    .select(ORGANIZATION_COLUMNS)
    .where("organizations.id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** Returns the organizations of a user, in the order in which they joined. */
function listByUser({ db }: Context, userId: string) {
  return db
    .selectFrom("organizations")
    .innerJoin("memberships", "memberships.organization_id", "organizations.id")
    .select(ORGANIZATION_COLUMNS)
    .where("user_id", "=", userId)
    .orderBy("memberships.created_at")
    .orderBy("memberships.position")
    .execute();
}

function renameOrganization(id: string, name: string, trx: Database) {
  return trx.updateTable("organizations").set({ name }).where("id", "=", id).execute();
}

/** Stores whether calls may go elsewhere; null for the operator's setting. */
function setCallsElsewhere(id: string, callsElsewhere: boolean | null, trx: Database) {
  return trx.updateTable("organizations").set({ calls_elsewhere: callsElsewhere }).where("id", "=", id).execute();
}

/** What an organization decides about its members' chats. */
export type ChatPolicyChange = {
  chat_storage?: "server" | "browser" | "off";
  chat_retention_days?: number | null;
  chat_links?: boolean;
};

function setChatPolicy(id: string, change: ChatPolicyChange, trx: Database) {
  return trx.updateTable("organizations").set(change).where("id", "=", id).execute();
}

/** Locks the organization until the transaction ends, so that members change one at a time. */
function lockOrganization(id: string, trx: Database) {
  return trx
    .selectFrom("organizations")
    .select(["id", "name"])
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

function listMembers({ db }: Context, organizationId: string): Promise<Member[]> {
  return members(db, organizationId).orderBy("memberships.created_at").orderBy("users.id").execute();
}

function findMember(organizationId: string, userId: string, trx: Database): Promise<Member | undefined> {
  return members(trx, organizationId).where("users.id", "=", userId).executeTakeFirst();
}

function findMemberByEmail(organizationId: string, emailLower: string, trx: Database): Promise<Member | undefined> {
  return members(trx, organizationId).where("email_lower", "=", emailLower).executeTakeFirst();
}

async function hasOtherAdmin(organizationId: string, userId: string, trx: Database): Promise<boolean> {
  const other = await members(trx, organizationId)
    .where("role", "=", "admin")
    .where("users.id", "!=", userId)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

function setRole(organizationId: string, userId: string, role: Role, trx: Database) {
  return trx
    .updateTable("memberships")
    .set({ role })
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .execute();
}

/** Adds a member. Returns false when the user is one already. */
async function addMember(
  organizationId: string,
  userId: string,
  role: Role,
  now: Date,
  trx: Database,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("memberships")
    .values({ organization_id: organizationId, user_id: userId, role, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * Removes a member with their API keys, grants of applications, open invitations and the organization of their
 * sessions.
 */
async function removeMember(organizationId: string, userId: string, now: Date, trx: Database): Promise<void> {
  await trx
    .deleteFrom("memberships")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .execute();
  await trx
    .updateTable("api_keys")
    .set({ deleted_at: now })
    .where("organization_id", "=", organizationId)
    .where("created_by", "=", userId)
    .where("deleted_at", "is", null)
    .execute();
  await trx
    .deleteFrom("oauth_grants")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .execute();
  await trx
    .updateTable("sessions")
    .set({ organization_id: null })
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .execute();
  await withdrawInvitationsBy(organizationId, userId, trx);
}

function withdrawInvitationsBy(organizationId: string, userId: string, trx: Database) {
  return trx
    .deleteFrom("invitations")
    .where("organization_id", "=", organizationId)
    .where("invited_by", "=", userId)
    .where("used_at", "is", null)
    .execute();
}

/** Creates an organization for a user who is in none, because every user needs one. */
async function ensureOrganization({ ids }: Context, userId: string, now: Date, trx: Database): Promise<void> {
  // Locks the user: two concurrent removals from their last two organizations would each see the other membership.
  await sql`select id from users where id = ${userId} for no key update`.execute(trx);
  const membership = await trx
    .selectFrom("memberships")
    .select("user_id")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (membership) return;
  const { name } = await trx.selectFrom("users").select("name").where("id", "=", userId).executeTakeFirstOrThrow();
  const id = ids.next("org");
  await trx.insertInto("organizations").values({ id, name, created_at: now }).execute();
  await addMember(id, userId, "admin", now, trx);
}

/** Makes a session act for this organization. */
async function switchSession(sessionId: string, organizationId: string, trx: Database): Promise<void> {
  await trx.updateTable("sessions").set({ organization_id: organizationId }).where("id", "=", sessionId).execute();
}
