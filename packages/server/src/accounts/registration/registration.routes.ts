import type { components } from "@feather/openapi/schema";
import type { Clock } from "../../platform/core/clock.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { parsePage, toPagination } from "../../platform/core/http/pagination.ts";
import type { RateLimiter } from "../../platform/core/http/rate-limits.ts";
import { hashSecret } from "../../platform/core/secrets/secrets.ts";
import { createCompleteSignIn, type RegistrationStates, toClientInfo } from "../identity/index.ts";
import type { OpenInvitationsRepository } from "./open-invitations.repository.ts";
import type { PlatformInvitationRow, PlatformInvitationUseCases } from "./platform-invitations.usecases.ts";
import type { RegistrationUseCases } from "./registration.usecases.ts";

type Role = components["schemas"]["Invitation"]["role"];
type Deps = Parameters<typeof createCompleteSignIn>[0] & {
  registration: RegistrationUseCases;
  states: RegistrationStates;
  openInvitationsRepository: OpenInvitationsRepository;
  platformInvitations: PlatformInvitationUseCases;
  limits: RateLimiter;
  clock: Clock;
};

/**
 * Handlers of registration, of an invitation that is read by its link, and with which admins manage invitations to the
 * platform.
 */
export function createRegistrationRoutes(deps: Deps): Handlers {
  const { registration, states, openInvitationsRepository, platformInvitations, limits, clock } = deps;
  const completeSignIn = createCompleteSignIn(deps);
  return {
    "auth.register": async ({ body, request, reply }) => {
      await limits.consume("register", request.ip);
      const registrationRequest = { email: body.email, password: body.password, invitation: body.invitation ?? null };
      const result = await registration.register(
        registrationRequest,
        states.read(body.state),
        toClientInfo(request),
        (error) => request.log.error({ err: error }, "a registration was not completed"),
      );
      if ("session" in result) return completeSignIn(reply, result.session);
      return reply.code(202).header("cache-control", "no-store").send(result);
    },

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
      const { row, link } = await platformInvitations.create(actor, body.email);
      reply.header("cache-control", "no-store");
      return { invitation: toInvitationDto(row), link };
    },

    "admin.invitations.delete": async ({ actor, path }) => {
      await platformInvitations.withdraw(actor, path.id);
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
