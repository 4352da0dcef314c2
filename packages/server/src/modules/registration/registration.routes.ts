import type { components } from "@feather/openapi/schema";
import { signedIn } from "../../http/actor.ts";
import type { AddressLimits } from "../../http/address-limits.ts";
import type { Handlers } from "../../http/bind.ts";
import { pageOf, pagination } from "../../http/pages.ts";
import type { Clock } from "../../shared/clock.ts";
import { hashSecret } from "../../shared/secrets.ts";
import type { OpenInvitations } from "./open-invitations.ts";
import type { PlatformInvitationRow, PlatformInvitations } from "./platform-invitations.ts";
import { invitationEnded } from "./registration.errors.ts";

type Role = components["schemas"]["Invitation"]["role"];
type Deps = {
  openInvitations: OpenInvitations;
  platformInvitations: PlatformInvitations;
  limits: AddressLimits;
  clock: Clock;
};

/** Handlers that read an invitation by its link, and with which admins manage invitations to the platform. */
export function registrationRoutes({ openInvitations, platformInvitations, limits, clock }: Deps): Handlers {
  return {
    "auth.invitation": async ({ path, request, reply }) => {
      await limits.spend("verification", request.ip);
      const found = await openInvitations.findBySecret(hashSecret(path.token), clock.now());
      if (found === null) throw invitationEnded();
      reply.header("cache-control", "no-store");
      return {
        kind: found.kind,
        email: found.email,
        organization: found.organization,
        role: found.role as Role | null,
        invited_by: found.invitedBy,
        expires_at: found.expiresAt.toISOString(),
      };
    },

    "admin.invitations.list": async ({ query }) => {
      const page = pageOf(query);
      const { rows, total } = await platformInvitations.list(page);
      return { items: rows.map(toInvitationDto), pagination: pagination(page, total) };
    },

    "admin.invitations.create": async ({ actor, body, reply }) => {
      const { row, link } = await platformInvitations.create(signedIn(actor), body.email);
      reply.header("cache-control", "no-store");
      return { invitation: toInvitationDto(row), link };
    },

    "admin.invitations.delete": async ({ actor, path }) => {
      await platformInvitations.withdraw(signedIn(actor), path.id);
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
