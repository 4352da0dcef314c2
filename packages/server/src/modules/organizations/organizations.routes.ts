import type { components } from "@feather/openapi/schema";
import { impersonatorOf, type SignedIn, signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { permissionsOf, ROLES } from "../../http/permissions.ts";
import { notFound } from "../../shared/errors.ts";
import type { UserPresenter } from "../identity/user.present.ts";
import type { InvitationRow, InvitationsRepository } from "./invitations.repository.ts";
import type { InvitationUseCases } from "./invitations.usecases.ts";
import type { Member, OrganizationsRepository } from "./organizations.repository.ts";
import type { Organizations } from "./organizations.usecases.ts";

type Organization = components["schemas"]["Organization"];
type OrganizationMember = components["schemas"]["OrganizationMember"];
type Invitation = components["schemas"]["Invitation"];

type Deps = {
  organizations: Organizations;
  organizationsRepository: OrganizationsRepository;
  invitations: InvitationUseCases;
  invitationsRepository: InvitationsRepository;
  presentUser: UserPresenter;
};

/** Routes of organizations, their members and invitations. */
export function organizationRoutes(deps: Deps): Handlers {
  const { organizations, organizationsRepository, invitations, invitationsRepository, presentUser } = deps;

  async function own({ organizationId, userId }: SignedIn): Promise<Organization> {
    const row = await organizationsRepository.find(organizationId, userId);
    if (!row) throw notFound();
    return presentOrganization(row);
  }

  const presentActor = (actor: SignedIn, organizationId: string) =>
    presentUser(actor.userId, {
      organizationId: actor.credential.type === "session" ? organizationId : actor.organizationId,
      impersonatedBy: impersonatorOf(actor),
    });

  return {
    "organization.get": ({ actor }) => own(signedIn(actor)),

    "organization.update": async ({ actor, body }) => {
      const user = signedIn(actor);
      await organizations.rename(user, body.name.trim().replaceAll(/\s+/g, " "));
      return own(user);
    },

    "organization.roles": async () => ({
      items: ROLES.map((role) => ({ role, permissions: permissionsOf(role) })),
    }),

    "organization.list": async ({ actor }) => ({
      items: (await organizationsRepository.listOf(signedIn(actor).userId)).map(presentOrganization),
    }),

    "organization.switch": async ({ actor, body }) => {
      const user = signedIn(actor);
      await organizations.switchTo(user, body.organization_id);
      return presentActor(user, body.organization_id);
    },

    "organization.members.list": async ({ actor }) => ({
      items: (await organizationsRepository.listMembers(signedIn(actor).organizationId)).map(presentMember),
    }),

    "organization.members.update": async ({ actor, path, body }) =>
      presentMember(await organizations.changeRole(signedIn(actor), path.userId, body.role)),

    "organization.members.delete": async ({ actor, path }) => {
      await organizations.remove(signedIn(actor), path.userId);
      return undefined;
    },

    "organization.invitations.list": async ({ actor }) => ({
      items: (await invitationsRepository.list(signedIn(actor).organizationId)).map(presentInvitation),
    }),

    "organization.invitations.create": async ({ actor, body }) =>
      presentInvitation(await invitations.create(signedIn(actor), body.email, body.role)),

    "organization.invitations.resend": async ({ actor, path }) =>
      presentInvitation(await invitations.resend(signedIn(actor), path.id)),

    "organization.invitations.delete": async ({ actor, path }) => {
      await invitations.withdraw(signedIn(actor), path.id);
      return undefined;
    },

    "organization.invitations.accept": async ({ actor, path }) => {
      const user = signedIn(actor);
      return presentActor(user, await invitations.accept(user, path.token));
    },
  };
}

function presentOrganization(row: { id: string; name: string; role: string; created_at: Date }): Organization {
  return {
    id: row.id,
    name: row.name,
    role: row.role as Organization["role"],
    created_at: row.created_at.toISOString(),
  };
}

function presentMember({ user_id, name, email, role, joined_at }: Member): OrganizationMember {
  return { user_id, name, email, role: role as OrganizationMember["role"], joined_at: joined_at.toISOString() };
}

function presentInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role as Invitation["role"],
    invited_by: row.invited_by,
    sent_at: row.sent_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
