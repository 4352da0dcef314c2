import type { Audit } from "../../platform/core/audit.ts";
import { requirePermission, type SignedInActor } from "../../platform/core/auth/actor.ts";
import { hasPermission, parseRole, type Role } from "../../platform/core/auth/permissions.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { lockUsers } from "../../platform/core/db/locks.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Events } from "../../platform/core/events.ts";
import { findPublicNameProblem, hasWebAddress } from "../../platform/core/texts/public-names.ts";
import type { CallsElsewhere } from "./calls-elsewhere.ts";
import type { ChatPolicyChange, Member, OrganizationsRepository } from "./organizations.repository.ts";

/** What the use cases of organizations and invitations depend on. */
export type OrganizationDeps = {
  db: Database;
  organizationsRepository: OrganizationsRepository;
  audit: Audit;
  events: Events;
  clock: Clock;
  callsElsewhere: Pick<CallsElsewhere, "invalidate">;
  invalidateApiKeys(): void;
  productName: string;
};

/**
 * Returns what is wrong with the name of an organization that invites people, as the end of a sentence. Null if nothing is.
 */
export function organizationNameError(name: string, productName: string): string | null {
  return findPublicNameProblem(name, productName) ?? (hasWebAddress(name) ? "it holds a web address" : null);
}

/** Changes organizations and manages their members. */
export function createOrganizations(deps: OrganizationDeps) {
  return bind(deps, {
    update: updateOrganization,
    changeRole,
    removeMember,
    switchTo,
  });
}

export type OrganizationUseCases = ReturnType<typeof createOrganizations>;

async function lockMember(
  deps: OrganizationDeps,
  organizationId: string,
  userId: string,
  trx: Database,
): Promise<Member> {
  const { organizationsRepository } = deps;
  await organizationsRepository.lock(organizationId, trx);
  const member = await organizationsRepository.findMember(organizationId, userId, trx);
  if (!member) throw errors.organization.memberNotFound();
  return member;
}

async function refuseLastAdmin(
  deps: OrganizationDeps,
  organizationId: string,
  member: Member,
  trx: Database,
): Promise<void> {
  const { organizationsRepository } = deps;
  if (member.role !== "admin" || (await organizationsRepository.hasOtherAdmin(organizationId, member.user_id, trx)))
    return;
  throw errors.organization.lastAdmin("This is the last admin of the organization. Make somebody else an admin first.");
}

/** What changes of an organization. */
type OrganizationChange = { name?: string; callsElsewhere?: boolean | null; chats?: ChatPolicyChange };

/** Renames the organization, and decides whether its calls may go elsewhere and where chats are kept. */
async function updateOrganization(
  { db, organizationsRepository, audit, productName, callsElsewhere: lookup }: OrganizationDeps,
  actor: SignedInActor,
  { name, callsElsewhere, chats }: OrganizationChange,
): Promise<void> {
  const nameError = actor.isAdmin || name === undefined ? null : organizationNameError(name, productName);
  if (nameError !== null) throw errors.invalidRequest(`name is not valid: ${nameError}.`, { param: "name" });
  const { organizationId: target } = actor;
  await db.transaction().execute(async (trx) => {
    if (name !== undefined) {
      await organizationsRepository.rename(target, name, trx);
      await audit.record({ actor, action: "organization.update", target, details: { name } }, trx);
    }
    if (callsElsewhere !== undefined) {
      await organizationsRepository.setCallsElsewhere(target, callsElsewhere, trx);
      const details = { calls_elsewhere: callsElsewhere };
      await audit.record({ actor, action: "organization.calls_elsewhere", target, details }, trx);
    }
    if (chats !== undefined) {
      await organizationsRepository.setChatPolicy(target, chats, trx);
      await audit.record({ actor, action: "organization.chats", target, details: chats }, trx);
    }
  });
  lookup.invalidate();
}

async function changeRole(deps: OrganizationDeps, actor: SignedInActor, userId: string, role: Role): Promise<Member> {
  const { db, organizationsRepository, audit, invalidateApiKeys } = deps;
  const { organizationId } = actor;
  const updated = await db.transaction().execute(async (trx) => {
    const member = await lockMember(deps, organizationId, userId, trx);
    if (role !== "admin") await refuseLastAdmin(deps, organizationId, member, trx);
    await organizationsRepository.setRole(organizationId, userId, role, trx);
    if (!hasPermission(role, "manage_members"))
      await organizationsRepository.withdrawInvitationsBy(organizationId, userId, trx);
    const details = { role, previous_role: member.role };
    await audit.record({ actor, action: "members.update", target: userId, details }, trx);
    return { ...member, role };
  });
  invalidateApiKeys();
  return updated;
}

/** Removes a member: the caller, or another with the permission `manage_members`. */
async function removeMember(deps: OrganizationDeps, actor: SignedInActor, userId: string): Promise<void> {
  const { db, organizationsRepository, audit, events, clock, invalidateApiKeys } = deps;
  const { organizationId } = actor;
  if (userId !== actor.userId) requirePermission(actor, "manage_members");
  await db.transaction().execute(async (trx) => {
    await lockUsers([userId], trx);
    const member = await lockMember(deps, organizationId, userId, trx);
    await refuseLastAdmin(deps, organizationId, member, trx);
    await organizationsRepository.removeMember(organizationId, userId, clock.now(), trx);
    await organizationsRepository.ensureOrganization(userId, clock.now(), trx);
    const data = { user_id: userId, role: parseRole(member.role) };
    await events.record(organizationId, { type: "member.removed", data }, trx);
    await audit.record({ actor, action: "members.delete", target: userId, details: { role: member.role } }, trx);
  });
  invalidateApiKeys();
}

async function switchTo(
  { db, organizationsRepository, audit }: OrganizationDeps,
  actor: SignedInActor,
  organizationId: string,
): Promise<void> {
  const { credential, userId } = actor;
  if (credential.type !== "session") throw errors.invalidRequest("Only a session can switch to another organization.");
  await db.transaction().execute(async (trx) => {
    if (!(await organizationsRepository.findMember(organizationId, userId, trx))) throw errors.organization.notFound();
    await organizationsRepository.switchSession(credential.id, organizationId, trx);
    await audit.record({ actor, action: "organization.switch", target: organizationId }, trx);
  });
}
