import type { Database } from "../../db/connect.ts";
import { lockUsers } from "../../db/locks.ts";
import type { SignedIn } from "../../http/actor.ts";
import { allows, type Role } from "../../http/permissions.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, invalidRequest, notFound } from "../../shared/errors.ts";
import { hasWebAddress, publicNameFault } from "../../shared/public-names.ts";
import type { Audit } from "../audit/audit.ts";
import type { Member, OrganizationsRepository } from "./organizations.repository.ts";

/** What the use cases of organizations and invitations depend on. */
export type OrganizationDeps = {
  db: Database;
  organizations: OrganizationsRepository;
  audit: Audit;
  clock: Clock;
  forgetKeys(): void;
  productName: string;
};

/** Why nobody can be invited under this name, as the end of a sentence; null when it is fine. */
export function organizationNameFault(name: string, productName: string): string | null {
  return publicNameFault(name, productName) ?? (hasWebAddress(name) ? "it holds a web address" : null);
}

/** Renames organizations and manages their members. */
export function createOrganizations({ db, organizations, audit, clock, forgetKeys, productName }: OrganizationDeps) {
  async function memberOf(organizationId: string, userId: string, trx: Database): Promise<Member> {
    await organizations.lock(organizationId, trx);
    const member = await organizations.findMember(organizationId, userId, trx);
    if (!member) throw notFound("There is no member with this id.", "organization.member_not_found");
    return member;
  }

  async function keepAnAdmin(organizationId: string, member: Member, trx: Database): Promise<void> {
    if (member.role !== "admin" || (await organizations.hasOtherAdmin(organizationId, member.user_id, trx))) return;
    throw new AppError(
      409,
      "organization.last_admin",
      "This is the last admin of the organization. Make somebody else an admin first.",
    );
  }

  return {
    async rename(actor: SignedIn, name: string): Promise<void> {
      const fault = actor.isAdmin ? null : organizationNameFault(name, productName);
      if (fault !== null) throw invalidRequest(`name is not valid: ${fault}.`, { param: "name" });
      await db.transaction().execute(async (trx) => {
        await organizations.rename(actor.organizationId, name, trx);
        await audit.record(
          { actor, action: "organization.update", target: actor.organizationId, details: { name } },
          trx,
        );
      });
    },

    async changeRole(actor: SignedIn, userId: string, role: Role): Promise<Member> {
      const { organizationId } = actor;
      const changed = await db.transaction().execute(async (trx) => {
        const member = await memberOf(organizationId, userId, trx);
        if (role !== "admin") await keepAnAdmin(organizationId, member, trx);
        await organizations.setRole(organizationId, userId, role, trx);
        if (!allows(role, "manage_members")) await organizations.withdrawInvitationsBy(organizationId, userId, trx);
        const details = { role, previous_role: member.role };
        await audit.record({ actor, action: "members.update", target: userId, details }, trx);
        return { ...member, role };
      });
      forgetKeys();
      return changed;
    },

    /** Removes a member: the caller, or another with the permission `manage_members`. */
    async remove(actor: SignedIn, userId: string): Promise<void> {
      const { organizationId } = actor;
      if (userId !== actor.userId && !allows(actor.role, "manage_members"))
        throw new AppError(
          403,
          "organization_permission_denied",
          `Your role in this organization (${actor.role}) lacks the permission manage_members. Ask one of its admins.`,
          { details: { permission: "manage_members", role: actor.role } },
        );
      await db.transaction().execute(async (trx) => {
        await lockUsers([userId], trx);
        const member = await memberOf(organizationId, userId, trx);
        await keepAnAdmin(organizationId, member, trx);
        await organizations.removeMember(organizationId, userId, clock.now(), trx);
        await organizations.ensureOne(userId, clock.now(), trx);
        await audit.record({ actor, action: "members.delete", target: userId, details: { role: member.role } }, trx);
      });
      forgetKeys();
    },

    async switchTo(actor: SignedIn, organizationId: string): Promise<void> {
      const { credential, userId } = actor;
      if (credential.type !== "session") throw invalidRequest("Only a session can switch to another organization.");
      await db.transaction().execute(async (trx) => {
        if (!(await organizations.findMember(organizationId, userId, trx)))
          throw notFound("You are in no organization with this id.", "organization.not_found");
        await organizations.switchSession(credential.id, organizationId, trx);
        await audit.record({ actor, action: "organization.switch", target: organizationId }, trx);
      });
    },
  };
}

export type Organizations = ReturnType<typeof createOrganizations>;
