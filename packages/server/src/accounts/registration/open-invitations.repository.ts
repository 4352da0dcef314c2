import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";

/** An invitation that can still be used to register, to the platform or to an organization. */
export type OpenInvitation = {
  kind: "platform" | "organization";
  id: string;
  email: string;
  emailLower: string;
  /** Name of the organization and the role in it; null for invitations to the platform. */
  organization: string | null;
  role: string | null;
  /** Name of the user who invited; null if that account was deleted. */
  invitedBy: string | null;
  expiresAt: Date;
};

type PlatformRow = NonNullable<Awaited<ReturnType<ReturnType<typeof platformInvitations>["executeTakeFirst"]>>>;
type OrganizationRow = NonNullable<Awaited<ReturnType<ReturnType<typeof organizationInvitations>["executeTakeFirst"]>>>;

/** Creates the repository of usable invitations to the platform and to organizations. */
export function createOpenInvitationsRepository(db: Database) {
  return {
    ...bind(db, {
      findBySecret,
      findByEmail,
    }),
    consume: consumeInvitation,
  };
}

/** Finds and consumes usable invitations. */
export type OpenInvitationsRepository = ReturnType<typeof createOpenInvitationsRepository>;

function platformInvitations(db: Database, now: Date) {
  return (
    db
      .selectFrom("platform_invitations as invitation")
      .innerJoin("users", "users.id", "invitation.invited_by")
      .select(["invitation.id", "invitation.email", "invitation.email_lower", "invitation.expires_at", "users.name"])
      .where("invitation.expires_at", ">", now)
      // An invitation is usable only while its sender may invite.
      .where("users.is_admin", "=", true)
      .where("users.suspended_at", "is", null)
  );
}

function organizationInvitations(db: Database, now: Date) {
  return db
    .selectFrom("invitations as invitation")
    .innerJoin("organizations", "organizations.id", "invitation.organization_id")
    .leftJoin("users", "users.id", "invitation.invited_by")
    .select(["invitation.id", "invitation.email", "invitation.email_lower", "invitation.expires_at"])
    .select(["invitation.role", "organizations.name as organization", "users.name"])
    .where("invitation.used_at", "is", null)
    .where("invitation.expires_at", ">", now);
}

function toCommonFields(row: PlatformRow | OrganizationRow) {
  return {
    id: row.id,
    email: row.email,
    emailLower: row.email_lower,
    invitedBy: row.name,
    expiresAt: row.expires_at,
  };
}

function toPlatformInvitation(row: PlatformRow): OpenInvitation {
  return {
    kind: "platform",
    organization: null,
    role: null,
    ...toCommonFields(row),
  };
}

function toOrganizationInvitation(row: OrganizationRow): OpenInvitation {
  return {
    kind: "organization",
    organization: row.organization,
    role: row.role,
    ...toCommonFields(row),
  };
}

async function findBySecret(db: Database, secretHash: Buffer, now: Date): Promise<OpenInvitation | null> {
  const platform = await platformInvitations(db, now)
    .where("invitation.secret_hash", "=", secretHash)
    .executeTakeFirst();
  if (platform) return toPlatformInvitation(platform);
  const row = await organizationInvitations(db, now)
    .where("invitation.secret_hash", "=", secretHash)
    .executeTakeFirst();
  return row ? toOrganizationInvitation(row) : null;
}

async function findByEmail(db: Database, email: string, now: Date): Promise<OpenInvitation | null> {
  const emailLower = email.toLowerCase();
  const platform = await platformInvitations(db, now)
    .where("invitation.email_lower", "=", emailLower)
    .executeTakeFirst();
  if (platform) return toPlatformInvitation(platform);
  const row = await organizationInvitations(db, now)
    .where("invitation.email_lower", "=", emailLower)
    .executeTakeFirst();
  return row ? toOrganizationInvitation(row) : null;
}

/** Consumes an invitation to the platform; returns whether it was still there. One to an organization is consumed by accepting it. */
async function consumeInvitation({ kind, id }: OpenInvitation, trx: Database): Promise<boolean> {
  if (kind === "organization") return true;
  const { numDeletedRows } = await trx.deleteFrom("platform_invitations").where("id", "=", id).executeTakeFirst();
  return numDeletedRows === 1n;
}
