import { sql } from "kysely";
import type { Audit } from "../../../platform/core/audit.ts";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import { parseRole } from "../../../platform/core/auth/permissions.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { isUniqueViolation } from "../../../platform/core/db/errors.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { Events } from "../../../platform/core/events.ts";
import type { Language } from "../../../platform/core/languages/languages.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import { emailTaken, usernameTaken } from "../auth.errors.ts";
import type { Reauthenticate } from "../passwords/reauthentication.ts";
import type { UsersRepository } from "../users/users.repository.ts";
import { accountDeletedMail } from "./account.mails.ts";
import type { EmailVerificationUseCases } from "./email-verification.usecases.ts";

/** The changed fields of a profile. A new e-mail address needs the current password. */
export type ProfileChange = {
  name?: string | undefined;
  username?: string | undefined;
  email?: string | undefined;
  language?: Language | null | undefined;
  current_password?: string | undefined;
};

/** Prepares the deletion of an organization, such as by ending its subscription and its deployments. */
export type EndOrganization = (organizationId: string, trx: Database) => Promise<void>;

type Deps = {
  db: Database;
  usersRepository: UsersRepository;
  verification: EmailVerificationUseCases;
  mail: Mail;
  audit: Audit;
  events: Events;
  clock: Clock;
  reauthenticate: Reauthenticate;
  invalidateApiKeys(): void;
  endOrganization: EndOrganization;
  /** Removes a user's data from rows that are kept: messages in the outbox, and usage. */
  anonymizeUser(person: { userId: string; addresses: readonly string[] }, trx: Database): Promise<void>;
};

/** Creates the use cases of users with their own account. */
export function createAccountUseCases(deps: Deps) {
  return bind(deps, {
    update: updateAccount,
    delete: deleteAccount,
  });
}

export type AccountUseCases = ReturnType<typeof createAccountUseCases>;

async function getUser(deps: Deps, userId: string) {
  const { usersRepository } = deps;
  const user = await usersRepository.findWithOrganization(userId);
  if (!user) throw errors.unauthorized();
  return user;
}

/** Returns the new address to confirm, null to cancel a pending one, or undefined if the request has no e-mail. */
async function resolvePendingEmail(
  deps: Deps,
  actor: SignedInActor,
  email: string | undefined,
  password: string | undefined,
) {
  const { verification, reauthenticate } = deps;
  if (email === undefined) return undefined;
  const { userId } = actor;
  const user = await getUser(deps, userId);
  if (email === user.email) return null;
  await reauthenticate(actor, { hash: user.password_hash, password, field: "current_password" });
  // With a mail server, the owner of the address gets a message instead, so the caller does not learn whether it has an
  // account.
  if (!verification.required && (await verification.isTaken(email, userId))) throw emailTaken();
  await verification.refuseBeforeDelay(userId);
  return email;
}

/** Locks the user and, for an admin, all admins, so that two deletions at once cannot remove the last one. */
async function refuseLastAdmin(userId: string, trx: Database): Promise<void> {
  const wasAdmin = await isAdmin(userId, trx);
  const locked = await trx
    .selectFrom("users")
    .select(["id", "is_admin"])
    .where((eb) => (wasAdmin ? eb.or([eb("id", "=", userId), eb("is_admin", "=", true)]) : eb("id", "=", userId)))
    .orderBy("id")
    .forUpdate()
    .execute();
  const user = locked.find(({ id }) => id === userId);
  if (!user) throw errors.unauthorized();
  if (user.is_admin && !wasAdmin)
    throw errors.changedMeanwhile("You became an admin just now. Look at your account again.");
  if (user.is_admin && !locked.some(({ id, is_admin }) => is_admin && id !== userId))
    throw errors.users.lastAdmin("You are the last admin of this platform. Make somebody else one first.");
}

async function isAdmin(userId: string, trx: Database): Promise<boolean> {
  const row = await trx.selectFrom("users").select("is_admin").where("id", "=", userId).executeTakeFirst();
  return row?.is_admin === true;
}

async function refuseIfIndispensable(userId: string, trx: Database): Promise<void> {
  await refuseLastAdmin(userId, trx);
  const ownOrganizations = () => trx.selectFrom("memberships").select("organization_id").where("user_id", "=", userId);
  // Every change of members locks the organization, so that two members cannot leave at the same time.
  await trx
    .selectFrom("organizations")
    .select("id")
    .where("id", "in", ownOrganizations())
    .orderBy("id")
    .forUpdate()
    .execute();
  const { rows } = await sql<{ name: string }>`
      select o.name from organizations o
      where o.id in (select organization_id from memberships where user_id = ${userId} and role = 'admin')
        and exists (select 1 from memberships m where m.organization_id = o.id and m.user_id <> ${userId})
        and not exists (
          select 1 from memberships m where m.organization_id = o.id and m.user_id <> ${userId} and m.role = 'admin')
      limit 1`.execute(trx);
  if (rows[0])
    throw errors.organization.lastAdmin(
      `You are the last admin of ${rows[0].name}. Make another member its admin first.`,
    );
}

async function findSoleMemberOrganizations(userId: string, trx: Database): Promise<string[]> {
  const rows = await trx
    .selectFrom("memberships")
    .select("organization_id as id")
    .groupBy("organization_id")
    .having((eb) => eb(eb.fn.countAll(), "=", 1))
    .having((eb) => eb(eb.fn.max("user_id"), "=", userId))
    .execute();
  return rows.map(({ id }) => id);
}

/** Changes the profile in one transaction. A new e-mail takes effect when the link sent to it is opened. */
async function updateAccount(
  deps: Deps,
  actor: SignedInActor,
  { name, username, email, language, current_password }: ProfileChange,
): Promise<void> {
  const { db, verification, audit, clock } = deps;
  const { userId } = actor;
  const pendingEmail = await resolvePendingEmail(deps, actor, email, current_password);
  const changes = {
    ...(name !== undefined && { name: name.trim() }),
    ...(username !== undefined && { username }),
    ...(language !== undefined && { language }),
    ...(pendingEmail !== undefined && { pending_email: pendingEmail }),
  };
  if (Object.keys(changes).length === 0) return;
  try {
    await db.transaction().execute(async (trx) => {
      const set = { ...changes, updated_at: clock.now() };
      await trx.updateTable("users").set(set).where("id", "=", userId).execute();
      if (pendingEmail) await verification.sendToNewAddress(userId, pendingEmail, trx);
      await audit.record(
        { actor, action: "account.update", target: userId, details: { fields: Object.keys(changes) } },
        trx,
      );
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw usernameTaken();
    throw error;
  }
}

/** Deletes the account and its own organizations. Payments and audit log are kept. Throws 409 for the last admin. */
async function deleteAccount(deps: Deps, actor: SignedInActor, password: string | undefined): Promise<void> {
  const { db, verification, mail, audit, events, reauthenticate, invalidateApiKeys, endOrganization, anonymizeUser } =
    deps;
  const { userId } = actor;
  const user = await getUser(deps, userId);
  await reauthenticate(actor, { hash: user.password_hash, password, field: "password" });
  await db.transaction().execute(async (trx) => {
    await refuseIfIndispensable(userId, trx);
    for (const id of await findSoleMemberOrganizations(userId, trx)) {
      await endOrganization(id, trx);
      await trx.deleteFrom("organizations").where("id", "=", id).execute();
    }
    for (const { organization_id, role } of await listMemberships(userId, trx)) {
      const data = { user_id: userId, role: parseRole(role) };
      await events.record(organization_id, { type: "member.removed", data }, trx);
    }
    await trx.deleteFrom("users").where("id", "=", userId).execute();
    const addresses = [user.email, ...(user.pending_email === null ? [] : [user.pending_email])];
    await anonymizeUser({ userId, addresses }, trx);
    // Without a mail server the message would stay in the outbox, with the address that was just removed from it.
    const message = { template: accountDeletedMail, values: {}, to: user.email, fallback: { language: user.language } };
    if (verification.required) await mail.send(message, trx);
    await audit.record({ actor, action: "account.delete", target: userId }, trx);
  });
  invalidateApiKeys();
}

function listMemberships(userId: string, trx: Database) {
  return trx
    .selectFrom("memberships")
    .select(["organization_id", "role"])
    .where("user_id", "=", userId)
    .orderBy("organization_id")
    .execute();
}
