import { ROLES } from "@feather/openapi/permissions";
import type { components } from "@feather/openapi/schema";
import { impersonatorOf, type SignedInActor } from "../../platform/core/auth/actor.ts";
import { permissionsOf } from "../../platform/core/auth/permissions.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { ToUserDto } from "../identity/index.ts";
import type { CallsElsewhere } from "./calls-elsewhere.ts";
import type { InvitationRow, InvitationsRepository } from "./invitations.repository.ts";
import type { InvitationUseCases, MadeInvitation } from "./invitations.usecases.ts";
import type { ChatPolicyChange, Member, OrganizationsRepository } from "./organizations.repository.ts";
import type { OrganizationUseCases } from "./organizations.usecases.ts";

type Organization = components["schemas"]["Organization"];
type OrganizationMember = components["schemas"]["OrganizationMember"];
type Invitation = components["schemas"]["Invitation"];
type OrganizationUpdate = components["schemas"]["OrganizationUpdate"];

type Deps = {
  organizations: OrganizationUseCases;
  organizationsRepository: OrganizationsRepository;
  invitations: InvitationUseCases;
  invitationsRepository: InvitationsRepository;
  callsElsewhere: Pick<CallsElsewhere, "isAllowedByDefault">;
  toUserDto: ToUserDto;
};
type OrganizationRow = {
  id: string;
  name: string;
  role: string;
  calls_elsewhere: boolean | null;
  chat_storage: string;
  chat_retention_days: number | null;
  chat_links: boolean;
  created_at: Date;
};

/** Routes of organizations, their members and invitations. */
export function organizationRoutes(deps: Deps): Handlers {
  const { organizations, organizationsRepository, invitations, invitationsRepository, callsElsewhere, toUserDto } =
    deps;

  const toDto = (row: OrganizationRow) => toOrganizationDto(row, callsElsewhere.isAllowedByDefault);

  async function getOwnOrganization({ organizationId, userId }: SignedInActor): Promise<Organization> {
    const row = await organizationsRepository.find(organizationId, userId);
    if (!row) throw errors.notFound();
    return toDto(row);
  }

  const toCurrentUserDto = (actor: SignedInActor, organizationId: string) =>
    toUserDto(actor.userId, {
      organizationId: actor.credential.type === "session" ? organizationId : actor.organizationId,
      impersonatedBy: impersonatorOf(actor),
    });

  return {
    "organization.get": ({ actor }) => getOwnOrganization(actor),

    "organization.update": async ({ actor, body }) => {
      await organizations.update(actor, {
        ...(body.name !== undefined && { name: body.name.trim().replaceAll(/\s+/g, " ") }),
        ...(body.calls_elsewhere !== undefined && { callsElsewhere: body.calls_elsewhere }),
        ...toChatPolicyChange(body),
      });
      return getOwnOrganization(actor);
    },

    "organization.roles": async () => ({ items: ROLES.map((role) => ({ role, permissions: permissionsOf(role) })) }),

    "organization.list": async ({ actor }) => ({
      items: (await organizationsRepository.listByUser(actor.userId)).map(toDto),
    }),

    "organization.switch": async ({ actor, body }) => {
      const user = actor;
      await organizations.switchTo(user, body.organization_id);
      return toCurrentUserDto(user, body.organization_id);
    },

    "organization.members.list": async ({ actor }) => ({
      items: (await organizationsRepository.listMembers(actor.organizationId)).map(toMemberDto),
    }),

    "organization.members.update": async ({ actor, path, body }) =>
      toMemberDto(await organizations.changeRole(actor, path.userId, body.role)),

    "organization.members.delete": async ({ actor, path }) => {
      await organizations.removeMember(actor, path.userId);
      return undefined;
    },

    "organization.invitations.list": async ({ actor }) => ({
      items: (await invitationsRepository.list(actor.organizationId)).map(toInvitationDto),
    }),

    "organization.invitations.create": async ({ actor, body }) =>
      toMadeInvitationDto(await invitations.create(actor, body.email, body.role)),

    "organization.invitations.resend": async ({ actor, path }) =>
      toMadeInvitationDto(await invitations.resend(actor, path.id)),

    "organization.invitations.delete": async ({ actor, path }) => {
      await invitations.withdraw(actor, path.id);
      return undefined;
    },

    "organization.invitations.accept": async ({ actor, path }) => {
      const user = actor;
      return toCurrentUserDto(user, await invitations.accept(user, path.token));
    },
  };
}

function toChatPolicyChange(body: OrganizationUpdate): { chats?: ChatPolicyChange } {
  const { chat_storage, chat_retention_days, chat_links } = body;
  if (chat_storage === undefined && chat_retention_days === undefined && chat_links === undefined) return {};
  return {
    chats: {
      ...(chat_storage !== undefined && { chat_storage }),
      ...(chat_retention_days !== undefined && { chat_retention_days }),
      ...(chat_links !== undefined && { chat_links }),
    },
  };
}

function toOrganizationDto(row: OrganizationRow, isAllowedByDefault: boolean): Organization {
  return {
    id: row.id,
    name: row.name,
    role: row.role as Organization["role"],
    calls_elsewhere: row.calls_elsewhere ?? isAllowedByDefault,
    chat_storage: row.chat_storage as Organization["chat_storage"],
    chat_retention_days: row.chat_retention_days,
    chat_links: row.chat_links,
    created_at: row.created_at.toISOString(),
  };
}

function toMemberDto({ user_id, name, email, role, joined_at }: Member): OrganizationMember {
  return { user_id, name, email, role: role as OrganizationMember["role"], joined_at: joined_at.toISOString() };
}

const toMadeInvitationDto = ({ row, link }: MadeInvitation): Invitation => ({ ...toInvitationDto(row), link });

function toInvitationDto(row: InvitationRow): Invitation {
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
