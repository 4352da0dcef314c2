import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { HOUR_MS } from "../../platform/core/time.ts";
import type { Mail } from "../../platform/mail/index.ts";
import { accountApprovedMail, accountRefusedMail, approvalRequestedMail } from "./registration.mails.ts";

/** Minimum time between two messages to the admins about new accounts. */
const NOTIFY_INTERVAL_MS = HOUR_MS;

type Deps = { db: Database; mail: Mail; audit: Audit; clock: Clock };

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
  if (await wasNotifiedRecently(deps, trx)) return;
  const admins = await trx
    .selectFrom("users")
    .select("email")
    .where("is_admin", "=", true)
    .where("suspended_at", "is", null)
    .execute();
  for (const admin of admins)
    await deps.mail.send({ template: approvalRequestedMail, values: { email }, to: admin.email }, trx);
}

/** Approves an account. Throws `users.not_pending` if it does not wait. */
function approveAccount({ db, mail, audit, clock }: Deps, actor: SignedInActor, id: string): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const user = await trx
      .updateTable("users")
      .set({ approval_requested_at: null, updated_at: clock.now() })
      .where("id", "=", id)
      .where("approval_requested_at", "is not", null)
      .returning("email")
      .executeTakeFirst();
    if (!user) throw errors.users.notPending();
    await mail.send({ template: accountApprovedMail, values: {}, to: user.email }, trx);
    await audit.record({ actor, action: "users.approve", target: id }, trx);
  });
}

/** Deletes a waiting account and its organization. Throws `users.not_pending` if it does not wait. */
function refuseAccount(
  { db, mail, audit }: Deps,
  actor: SignedInActor,
  id: string,
  reason: string | null,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const user = await trx
      .selectFrom("users")
      .select(["email", "language"])
      .where("id", "=", id)
      .where("approval_requested_at", "is not", null)
      .forUpdate()
      .executeTakeFirst();
    if (!user) throw errors.users.notPending();
    // A waiting account cannot have joined another organization, because nobody can sign in to it.
    const ownOrganizations = trx.selectFrom("memberships").select("organization_id").where("user_id", "=", id);
    await trx.deleteFrom("organizations").where("id", "in", ownOrganizations).execute();
    await trx.deleteFrom("users").where("id", "=", id).execute();
    const { email: to, language } = user;
    await mail.send({ template: accountRefusedMail, values: { reason }, to, fallback: { language } }, trx);
    await audit.record({ actor, action: "users.refuse", target: id, details: { reason } }, trx);
  });
}
