import type { Database } from "../../db/connect.ts";
import { lockUsers } from "../../db/locks.ts";
import type { SignedIn } from "../../http/actor.ts";
import { type Role, roleFrom } from "../../http/permissions.ts";
import { AppError, notFound, unauthorized } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import { hashSecret, newSecret, type RandomBytes } from "../../shared/secrets.ts";
import { refuseLimitedKey } from "../api-keys/key-limits.ts";
import type { Mail } from "../mail/mail.ts";
import type { InvitationRow, InvitationsRepository } from "./invitations.repository.ts";
import { type OrganizationDeps, organizationNameFault } from "./organizations.usecases.ts";

const LIFETIME = 7 * 86_400_000;
const RESEND_AFTER = 60_000;
/** Limits the open invitations of an organization, because each sends mail to a stranger. */
const MOST_OPEN = 100;

type Deps = OrganizationDeps & {
  invitations: InvitationsRepository;
  mail: Mail;
  ids: Ids;
  publicUrl: string;
  random?: RandomBytes;
};

/** Invites people to organizations by mail. */
export function createInvitations(deps: Deps) {
  const { db, organizations, invitations, audit, mail, ids, clock, random, forgetKeys } = deps;
  const endOf = (now: Date) => new Date(now.getTime() + LIFETIME);

  async function sendLink(organization: string, to: string, secret: string, trx: Database): Promise<void> {
    const text = [
      `You are invited to join ${organization} on ${deps.productName}.`,
      `Accept with the account of ${to}: ${deps.publicUrl}/invitations/${secret}`,
      "The link works once, for seven days. If you expected no invitation, ignore this message.",
    ].join("\n\n");
    await mail.send({ kind: "invitation", to, subject: `Join ${organization} on ${deps.productName}`, text }, trx);
  }

  /** Throws when the organization's name may mislead readers of the mail. Older names were never checked. */
  function refuseNameInMail(actor: SignedIn, name: string): void {
    const fault = actor.isAdmin ? null : organizationNameFault(name, deps.productName);
    if (fault !== null)
      throw new AppError(
        409,
        "invitations.organization_name",
        `Nobody can be invited under the name of your organization: ${fault}. Rename it first.`,
      );
  }

  async function refuseDouble(organizationId: string, email: string, trx: Database): Promise<void> {
    if (await organizations.findMemberByEmail(organizationId, email, trx)) throw alreadyMember();
    if (await invitations.findByEmail(organizationId, email, trx))
      throw new AppError(
        409,
        "invitations.already_invited",
        "There is an invitation for this e-mail already. Send it again, or withdraw it first.",
        { param: "email" },
      );
    if ((await invitations.count(organizationId, trx)) >= MOST_OPEN)
      throw new AppError(409, "invitations.limit_reached", `At most ${MOST_OPEN} invitations may be open at once.`, {
        details: { limit: MOST_OPEN },
      });
  }

  return {
    async create(actor: SignedIn, email: string, role: Role): Promise<InvitationRow> {
      refuseLimitedKey(actor);
      const { organizationId } = actor;
      const secret = newSecret("one", random);
      const now = clock.now();
      return db.transaction().execute(async (trx) => {
        const organization = await organizations.lock(organizationId, trx);
        if (!organization) throw notFound("You are in no organization with this id.", "organization.not_found");
        refuseNameInMail(actor, organization.name);
        await refuseDouble(organizationId, email.toLowerCase(), trx);
        const row = await invitations.create(
          {
            id: ids.next("invite"),
            organization_id: organizationId,
            email,
            email_lower: email.toLowerCase(),
            role,
            secret_hash: hashSecret(secret),
            invited_by: actor.userId,
            created_at: now,
            sent_at: now,
            expires_at: endOf(now),
          },
          trx,
        );
        await sendLink(organization.name, email, secret, trx);
        await audit.record({ actor, action: "invitations.create", target: row.id, details: { email, role } }, trx);
        return row;
      });
    },

    async resend(actor: SignedIn, id: string): Promise<InvitationRow> {
      refuseLimitedKey(actor);
      const secret = newSecret("one", random);
      const now = clock.now();
      return db.transaction().execute(async (trx) => {
        const organization = await organizations.lock(actor.organizationId, trx);
        const row = await invitations.find(actor.organizationId, id, trx);
        if (!row) throw noSuchInvitation();
        refuseNameInMail(actor, organization?.name ?? "");
        const wait = row.sent_at.getTime() + RESEND_AFTER - now.getTime();
        if (wait > 0) throw tooSoon(Math.ceil(wait / 1000));
        const renewed = await invitations.renew(id, hashSecret(secret), now, endOf(now), trx);
        await sendLink(organization?.name ?? "", row.email, secret, trx);
        await audit.record({ actor, action: "invitations.resend", target: id, details: { email: row.email } }, trx);
        return renewed;
      });
    },

    async withdraw(actor: SignedIn, id: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const row = await invitations.find(actor.organizationId, id, trx);
        if (!row) throw noSuchInvitation();
        await invitations.delete(id, trx);
        await audit.record({ actor, action: "invitations.delete", target: id, details: { email: row.email } }, trx);
      });
    },

    /** Makes the caller a member of the inviting organization, and returns its id. */
    async accept(actor: SignedIn, token: string): Promise<string> {
      const now = clock.now();
      const organizationId = await db.transaction().execute(async (trx) => {
        const hash = hashSecret(token);
        await lockUsers([actor.userId], trx);
        const invitation = await invitations.findBySecret(hash, now, trx);
        if (!invitation || !(await organizations.lock(invitation.organization_id, trx))) throw linkEnded();
        const user = await trx
          .selectFrom("users")
          .select("email_lower")
          .where("id", "=", actor.userId)
          .executeTakeFirstOrThrow(() => unauthorized());
        const used = await invitations.use(hash, user.email_lower, now, trx);
        if (!used) throw (await invitations.findBySecret(hash, now, trx)) ? otherEmail() : linkEnded();
        const isNew = await organizations.addMember(used.organization_id, actor.userId, roleFrom(used.role), now, trx);
        if (!isNew) throw alreadyMember();
        await confirmEmail(actor.userId, now, trx);
        if (actor.credential.type === "session")
          await organizations.switchSession(actor.credential.id, used.organization_id, trx);
        const act = { action: "invitations.accept", target: used.id, details: { role: used.role } };
        await audit.record({ ...act, actor: { ...actor, organizationId: used.organization_id } }, trx);
        return used.organization_id;
      });
      forgetKeys();
      return organizationId;
    },
  };
}

export type InvitationUseCases = ReturnType<typeof createInvitations>;

/** Confirms the e-mail address: the link from the mail proves that it can receive mail. */
function confirmEmail(userId: string, now: Date, trx: Database) {
  return trx
    .updateTable("users")
    .set({ email_verified_at: now })
    .where("id", "=", userId)
    .where("email_verified_at", "is", null)
    .execute();
}

function noSuchInvitation(): AppError {
  return notFound("There is no invitation with this id.", "invitations.not_found");
}

function linkEnded(): AppError {
  return notFound("This invitation was used, withdrawn, or has ended. Ask for a new one.", "invitations.ended");
}

function otherEmail(): AppError {
  return new AppError(
    403,
    "invitations.other_email",
    "This invitation was sent to another e-mail. Log in with the account that has it.",
  );
}

function alreadyMember(): AppError {
  return new AppError(409, "organization.already_member", "This account is a member of the organization already.");
}

function tooSoon(seconds: number): AppError {
  return new AppError(429, "rate_limit_exceeded", `It was sent just now. Try again in ${seconds} seconds.`, {
    headers: { "retry-after": String(seconds) },
  });
}
