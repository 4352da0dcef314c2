import type { components } from "@feather/openapi/schema";
import { requireSignedIn } from "../../core/auth/actor.ts";
import type { Clock } from "../../core/clock.ts";
import { errors } from "../../core/errors/index.ts";
import { hashSecret } from "../../core/secrets.ts";
import type { Handlers } from "../../http/bind.ts";
import { parsePage, toPagination } from "../../http/pagination.ts";
import type { RateLimiter } from "../../http/rate-limits.ts";
import type { OpenInvitationsRepository } from "./open-invitations.repository.ts";
import type { PlatformInvitationRow, PlatformInvitationUseCases } from "./platform-invitations.usecases.ts";

type Role = components["schemas"]["Invitation"]["role"];
type Deps = {
  openInvitationsRepository: OpenInvitationsRepository;
  platformInvitations: PlatformInvitationUseCases;
  limits: RateLimiter;
  clock: Clock;
};

/** Handlers that read an invitation by its link, and with which admins manage invitations to the platform. */
export function createRegistrationRoutes({
  openInvitationsRepository,
  platformInvitations,
  limits,
  clock,
}: Deps): Handlers {
  return {
    "auth.invitation": async ({ path, request, reply }) => {
      await limits.consume("verification", request.ip);
      const invitation = await openInvitationsRepository.findBySecret(hashSecret(path.token), clock.now());
      if (invitation === null) throw errors.invitations.ended();
      reply.header("cache-control", "no-store");
      return {
        kind: invitation.kind,
        email: invitation.email,
        organization: invitation.organization,
        role: invitation.role as Role | null,
        invited_by: invitation.invitedBy,
        expires_at: invitation.expiresAt.toISOString(),
      };
    },

    "admin.invitations.list": async ({ query }) => {
      const page = parsePage(query);
      const { rows, total } = await platformInvitations.list(page);
      return { items: rows.map(toInvitationDto), pagination: toPagination(page, total) };
    },

    "admin.invitations.create": async ({ actor, body, reply }) => {
      const { row, link } = await platformInvitations.create(requireSignedIn(actor), body.email);
      reply.header("cache-control", "no-store");
      return { invitation: toInvitationDto(row), link };
    },

    "admin.invitations.delete": async ({ actor, path }) => {
      await platformInvitations.withdraw(requireSignedIn(actor), path.id);
      return undefined;
    },
  };
}

function toInvitationDto(row: PlatformInvitationRow): components["schemas"]["PlatformInvitation"] {
  return {
    id: row.id,
    email: row.email,
    invited_by: { id: row.inviter_id, name: row.inviter_name, email: row.inviter_email },
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
