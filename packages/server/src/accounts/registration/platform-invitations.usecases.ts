import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Page } from "../../platform/core/http/pagination.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { createSecret, hashSecret, type RandomBytes } from "../../platform/core/secrets/secrets.ts";
import { DAY_MS } from "../../platform/core/time.ts";
import type { Mail } from "../../platform/mail/index.ts";
import { emailTaken, type UsersRepository } from "../identity/index.ts";
import type { RegistrationMode } from "./admission.ts";
import { platformInvitationMail } from "./registration.mails.ts";

const INVITATION_TTL_MS = 7 * DAY_MS;
const MAX_INVITATIONS = 1_000;

type Deps = {
  db: Database;
  mode: RegistrationMode;
  usersRepository: UsersRepository;
  mail: Mail;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  publicUrl: string;
  random?: RandomBytes;
};

/** Creates the use cases with which admins invite people to the platform. */
export function createPlatformInvitationUseCases(deps: Deps) {
  return bind(deps, {
    list: listInvitations,
    create: createInvitation,
    withdraw: withdrawInvitation,
  });
}

/** Lists, creates and withdraws invitations to the platform. */
export type PlatformInvitationUseCases = ReturnType<typeof createPlatformInvitationUseCases>;

function withInviter(trx: Database) {
  return trx
    .selectFrom("platform_invitations as invitation")
    .innerJoin("users", "users.id", "invitation.invited_by")
    .select(["invitation.id", "invitation.email", "invitation.expires_at", "invitation.created_at"])
    .select(["users.id as inviter_id", "users.name as inviter_name", "users.email as inviter_email"]);
}

async function refuseAboveLimit(trx: Database): Promise<void> {
  const { count } = await trx
    .selectFrom("platform_invitations")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (count < MAX_INVITATIONS) return;
  const message = `At most ${MAX_INVITATIONS} invitations may be open at once. Withdraw some first.`;
  throw errors.invitations.limitReached(message, { details: { limit: MAX_INVITATIONS } });
}

async function listInvitations({ db }: Deps, { limit, offset }: Page) {
  const [rows, { total }] = await Promise.all([
    withInviter(db)
      .orderBy("invitation.created_at", "desc")
      .orderBy("invitation.id")
      .limit(limit)
      .offset(offset)
      .execute(),
    db
      .selectFrom("platform_invitations")
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

/** Invites an e-mail address and returns the link. Replaces an earlier invitation of the address. */
async function createInvitation(
  { db, mode, usersRepository, mail, audit, clock, ids, publicUrl, random }: Deps,
  actor: SignedInActor,
  email: string,
) {
  if (mode === "off") throw errors.registration.closed();
  if (await usersRepository.findByEmail(email)) throw emailTaken();
  const secret = createSecret("one", random);
  const link = `${publicUrl}/register?${new URLSearchParams({ invitation: secret })}`;
  const now = clock.now();
  const id = ids.next("invite");
  const row = await db.transaction().execute(async (trx) => {
    const emailLower = email.toLowerCase();
    await trx.deleteFrom("platform_invitations").where("email_lower", "=", emailLower).execute();
    await refuseAboveLimit(trx);
    await trx
      .insertInto("platform_invitations")
      .values({
        id,
        email,
        email_lower: emailLower,
        secret_hash: hashSecret(secret),
        invited_by: actor.userId,
        created_at: now,
        expires_at: new Date(now.getTime() + INVITATION_TTL_MS),
      })
      .execute();
    const fallback = { userId: actor.userId };
    await mail.send({ template: platformInvitationMail, values: { link }, to: email, fallback }, trx);
    await audit.record({ actor, action: "platform_invitations.create", target: id, details: { email } }, trx);
    return withInviter(trx).where("invitation.id", "=", id).executeTakeFirstOrThrow();
  });
  return { row, link };
}

async function withdrawInvitation({ db, audit }: Deps, actor: SignedInActor, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await trx.deleteFrom("platform_invitations").where("id", "=", id).returning("email").executeTakeFirst();
    if (!row) throw errors.invitations.notFound();
    const details = { email: row.email };
    await audit.record({ actor, action: "platform_invitations.delete", target: id, details }, trx);
  });
}

/** An invitation to the platform with the admin who sent it. */
export type PlatformInvitationRow = Awaited<ReturnType<PlatformInvitationUseCases["list"]>>["rows"][number];
