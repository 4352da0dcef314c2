import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { lockDelegationColumns } from "../../platform/core/auth/delegation.ts";
import { parseRole, type Role } from "../../platform/core/auth/permissions.ts";
import { refuseLimitedKey } from "../../platform/core/auth/refuse-limited-key.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { lockUsers } from "../../platform/core/db/locks.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { createSecret, hashSecret, type RandomBytes } from "../../platform/core/secrets/secrets.ts";
import { DAY_MS, MINUTE_MS } from "../../platform/core/time.ts";
import type { Mail } from "../../platform/mail/index.ts";
import type { EmailVerificationUseCases } from "../identity/index.ts";
import type { InvitationRow, InvitationsRepository } from "./invitations.repository.ts";
import { organizationInvitationMail } from "./organizations.mails.ts";
import { type OrganizationDeps, organizationNameError } from "./organizations.usecases.ts";

const INVITATION_LIFETIME_MS = 7 * DAY_MS;
const RESEND_INTERVAL_MS = MINUTE_MS;
/** Limits the open invitations of an organization, because each sends mail to a stranger. */
const MAX_OPEN_INVITATIONS = 100;

type Deps = OrganizationDeps & {
  invitationsRepository: InvitationsRepository;
  verification: Pick<EmailVerificationUseCases, "confirmExisting">;
  mail: Mail;
  ids: Ids;
  publicUrl: string;
  deliversMail: boolean;
  random?: RandomBytes;
};

/** Invites people to organizations by mail. */
export function createInvitations(deps: Deps) {
  return bind(deps, {
    create: createInvitation,
    resend: resendInvitation,
    withdraw: withdrawInvitation,
    accept: acceptInvitation,
  });
}

export type InvitationUseCases = ReturnType<typeof createInvitations>;

/** A new invitation. `link` is null if it was sent by mail. */
export type MadeInvitation = { row: InvitationRow; link: string | null };

function expiryFrom(now: Date) {
  return new Date(now.getTime() + INVITATION_LIFETIME_MS);
}

/** Mails the invitation. Returns its link if messages are not sent by mail, otherwise null. */
async function sendInvitationMail(
  deps: Deps,
  organization: string,
  to: string,
  { secret, inviterId }: { secret: string; inviterId: string },
  trx: Database,
): Promise<string | null> {
  const { mail } = deps;
  const link = `${deps.publicUrl}/invitations/${secret}`;
  const values = { organization, email: to, link };
  await mail.send({ template: organizationInvitationMail, values, to, fallback: { userId: inviterId } }, trx);
  return deps.deliversMail ? null : link;
}

/** Throws when the organization's name may mislead readers of the mail. Older names were never checked. */
function refuseMisleadingName(deps: Deps, actor: SignedInActor, name: string): void {
  const nameError = actor.isAdmin ? null : organizationNameError(name, deps.productName);
  if (nameError !== null) throw errors.invitations.organizationName({ nameError });
}

async function refuseDuplicate(deps: Deps, organizationId: string, email: string, trx: Database): Promise<void> {
  const { organizationsRepository, invitationsRepository } = deps;
  if (await organizationsRepository.findMemberByEmail(organizationId, email, trx))
    throw errors.organization.alreadyMember();
  if (await invitationsRepository.findByEmail(organizationId, email, trx))
    throw errors.invitations.alreadyInvited({ param: "email" });
  if ((await invitationsRepository.count(organizationId, trx)) >= MAX_OPEN_INVITATIONS)
    throw errors.invitations.limitReached(`At most ${MAX_OPEN_INVITATIONS} invitations may be open at once.`, {
      details: { limit: MAX_OPEN_INVITATIONS },
    });
}

async function createInvitation(deps: Deps, actor: SignedInActor, email: string, role: Role): Promise<MadeInvitation> {
  const { db, organizationsRepository, invitationsRepository, audit, ids, clock, random } = deps;
  refuseLimitedKey(actor);
  const { organizationId } = actor;
  const secret = createSecret("one", random);
  const now = clock.now();
  return db.transaction().execute(async (trx) => {
    const { made_under_grant } = await lockDelegationColumns(actor, trx);
    const organization = await organizationsRepository.lock(organizationId, trx);
    if (!organization) throw errors.organization.notFound();
    refuseMisleadingName(deps, actor, organization.name);
    await refuseDuplicate(deps, organizationId, email.toLowerCase(), trx);
    const row = await invitationsRepository.create(
      {
        id: ids.next("invite"),
        organization_id: organizationId,
        email,
        email_lower: email.toLowerCase(),
        role,
        secret_hash: hashSecret(secret),
        invited_by: actor.userId,
        made_under_grant,
        created_at: now,
        sent_at: now,
        expires_at: expiryFrom(now),
      },
      trx,
    );
    const link = await sendInvitationMail(deps, organization.name, email, { secret, inviterId: actor.userId }, trx);
    await audit.record({ actor, action: "invitations.create", target: row.id, details: { email, role } }, trx);
    return { row, link };
  });
}

async function resendInvitation(deps: Deps, actor: SignedInActor, id: string): Promise<MadeInvitation> {
  const { db, organizationsRepository, invitationsRepository, audit, clock, random } = deps;
  refuseLimitedKey(actor);
  const secret = createSecret("one", random);
  const now = clock.now();
  return db.transaction().execute(async (trx) => {
    // First the grant and then the invitation, as where a grant ends: the reverse order could deadlock.
    const { made_under_grant } = await lockDelegationColumns(actor, trx);
    const organization = await organizationsRepository.lock(actor.organizationId, trx);
    const row = await invitationsRepository.find(actor.organizationId, id, trx);
    if (!row) throw errors.invitations.notFound();
    refuseMisleadingName(deps, actor, organization?.name ?? "");
    const waitMs = row.sent_at.getTime() + RESEND_INTERVAL_MS - now.getTime();
    if (waitMs > 0) throw resendTooSoon(Math.ceil(waitMs / 1000));
    const renewal = { secret_hash: hashSecret(secret), sent_at: now, expires_at: expiryFrom(now), made_under_grant };
    const renewed = await invitationsRepository.renew(id, renewal, trx);
    const link = await sendInvitationMail(
      deps,
      organization?.name ?? "",
      row.email,
      { secret, inviterId: actor.userId },
      trx,
    );
    await audit.record({ actor, action: "invitations.resend", target: id, details: { email: row.email } }, trx);
    return { row: renewed, link };
  });
}

async function withdrawInvitation(
  { db, invitationsRepository, audit }: Deps,
  actor: SignedInActor,
  id: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await invitationsRepository.find(actor.organizationId, id, trx);
    if (!row) throw errors.invitations.notFound();
    await invitationsRepository.delete(id, trx);
    await audit.record({ actor, action: "invitations.delete", target: id, details: { email: row.email } }, trx);
  });
}

/** Makes the caller a member of the inviting organization, and returns its id. */
async function acceptInvitation(
  { db, organizationsRepository, invitationsRepository, verification, audit, events, clock, invalidateApiKeys }: Deps,
  actor: SignedInActor,
  token: string,
): Promise<string> {
  const sessionId = actor.credential.type === "session" ? actor.credential.id : null;
  const now = clock.now();
  const organizationId = await db.transaction().execute(async (trx) => {
    const hash = hashSecret(token);
    await lockUsers([actor.userId], trx);
    const invitation = await invitationsRepository.findBySecret(hash, now, trx);
    if (!invitation || !(await organizationsRepository.lock(invitation.organization_id, trx)))
      throw errors.invitations.ended();
    const user = await trx
      .selectFrom("users")
      .select("email_lower")
      .where("id", "=", actor.userId)
      .executeTakeFirstOrThrow(() => errors.unauthorized());
    const accepted = await invitationsRepository.markUsed(hash, user.email_lower, now, trx);
    if (!accepted)
      throw (await invitationsRepository.findBySecret(hash, now, trx))
        ? errors.invitations.otherEmail(
            "This invitation was sent to another e-mail. Log in with the account that has it.",
          )
        : errors.invitations.ended();
    const isNew = await organizationsRepository.addMember(
      accepted.organization_id,
      actor.userId,
      parseRole(accepted.role),
      now,
      trx,
    );
    if (!isNew) throw errors.organization.alreadyMember();
    // The link from the mail proves that the address can receive mail.
    await verification.confirmExisting(actor.userId, sessionId, trx);
    if (sessionId !== null) await organizationsRepository.switchSession(sessionId, accepted.organization_id, trx);
    const data = { user_id: actor.userId, role: parseRole(accepted.role) };
    await events.record(accepted.organization_id, { type: "member.added", data }, trx);
    const event = { action: "invitations.accept", target: accepted.id, details: { role: accepted.role } };
    await audit.record({ ...event, actor: { ...actor, organizationId: accepted.organization_id } }, trx);
    return accepted.organization_id;
  });
  invalidateApiKeys();
  return organizationId;
}

function resendTooSoon(seconds: number): AppError {
  return errors.rateLimitExceeded(`It was sent just now. Try again in ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  });
}
