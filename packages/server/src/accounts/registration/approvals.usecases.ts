import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { HOUR_MS } from "../../platform/core/time.ts";
import type { Mail } from "../../platform/mail/index.ts";

/** Minimum time between two messages to the admins about new accounts. */
const NOTIFY_INTERVAL_MS = HOUR_MS;

type Deps = { db: Database; mail: Mail; audit: Audit; clock: Clock; publicUrl: string; productName: string };

/** Creates the use cases for accounts that wait for approval. */
export function createApprovalUseCases(deps: Deps) {
  return bind(deps, {
    notifyAdmins,
    approve: approveAccount,
    refuse: refuseAccount,
  });
}

/** Approves and refuses waiting accounts. */
export type ApprovalUseCases = ReturnType<typeof createApprovalUseCases>;

async function wasNotifiedRecently(deps: Deps, trx: Database): Promise<boolean> {
  const { clock } = deps;
  const since = new Date(clock.now().getTime() - NOTIFY_INTERVAL_MS);
  const row = await trx
    .selectFrom("outbox")
    .select("id")
    .where("kind", "=", "approval_requested")
    .where("created_at", ">", since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Mails the admins that an account waits, at most once an hour. */
async function notifyAdmins(deps: Deps, email: string, trx: Database): Promise<void> {
  const { mail, publicUrl, productName } = deps;
  if (await wasNotifiedRecently(deps, trx)) return;
  const admins = await trx
    .selectFrom("users")
    .select("email")
    .where("is_admin", "=", true)
    .where("suspended_at", "is", null)
    .execute();
  const text = `${email} has made an account and waits to be let in. See who waits: ${publicUrl}/admin/users?status=pending\n\nYou get at most one such message an hour.`;
  const subject = `An account waits for approval at ${productName}`;
  for (const admin of admins) await mail.send({ kind: "approval_requested", to: admin.email, subject, text }, trx);
}

/** Approves an account. Throws `users.not_pending` if it does not wait. */
function approveAccount(
  { db, mail, audit, clock, publicUrl, productName }: Deps,
  actor: SignedInActor,
  id: string,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const user = await trx
      .updateTable("users")
      .set({ approval_requested_at: null, updated_at: clock.now() })
      .where("id", "=", id)
      .where("approval_requested_at", "is not", null)
      .returning("email")
      .executeTakeFirst();
    if (!user) throw errors.users.notPending();
    const text = `Your account at ${productName} was approved. Log in: ${publicUrl}/login`;
    const subject = `Your account at ${productName} was approved`;
    await mail.send({ kind: "account_approved", to: user.email, subject, text }, trx);
    await audit.record({ actor, action: "users.approve", target: id }, trx);
  });
}

/** Deletes a waiting account and its organization. Throws `users.not_pending` if it does not wait. */
function refuseAccount(
  { db, mail, audit, productName }: Deps,
  actor: SignedInActor,
  id: string,
  reason: string | null,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const user = await trx
      .selectFrom("users")
      .select("email")
      .where("id", "=", id)
      .where("approval_requested_at", "is not", null)
      .forUpdate()
      .executeTakeFirst();
    if (!user) throw errors.users.notPending();
    // A waiting account cannot have joined another organization, because nobody can sign in to it.
    const ownOrganizations = trx.selectFrom("memberships").select("organization_id").where("user_id", "=", id);
    await trx.deleteFrom("organizations").where("id", "in", ownOrganizations).execute();
    await trx.deleteFrom("users").where("id", "=", id).execute();
    const text = `Your request for an account at ${productName} was refused, and what you entered was deleted.${reason === null ? "" : `\n\nReason: ${reason}`}`;
    const subject = `Your request for an account at ${productName} was refused`;
    await mail.send({ kind: "account_refused", to: user.email, subject, text }, trx);
    await audit.record({ actor, action: "users.refuse", target: id, details: { reason } }, trx);
  });
}
