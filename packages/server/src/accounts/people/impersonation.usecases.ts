import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { SessionGrant } from "../../platform/core/http/session-cookie.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { createSecret, hashSecret, type RandomBytes } from "../../platform/core/secrets/secrets.ts";
import { MINUTE_MS } from "../../platform/core/time.ts";
import type { ClientInfo, PasswordHasher, SignInLog } from "../identity/index.ts";

const MAX_DURATION_MS = 30 * MINUTE_MS;
/** If the admin signed in longer ago than this, they have to enter the password. */
const RECENT_SIGN_IN_MS = 15 * MINUTE_MS;

type Deps = {
  passwords: PasswordHasher;
  db: Database;
  audit: Audit;
  signInLog: SignInLog;
  clock: Clock;
  ids: Ids;
  random?: RandomBytes;
};
type ImpersonationRequest = { userId: string; reason: string; password: string | undefined };

/** Creates the use cases with which admins act as other users. */
export function createImpersonationUseCases(deps: Deps) {
  return bind(deps, {
    start: startImpersonation,
    stop: stopImpersonation,
  });
}

/** Starts and stops acting as another user. */
export type ImpersonationUseCases = ReturnType<typeof createImpersonationUseCases>;

function getSession({ db }: Deps, id: string) {
  return db.selectFrom("sessions").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

async function reauthenticate(
  deps: Deps,
  admin: SignedInActor,
  signedInAt: Date,
  password: string | undefined,
): Promise<void> {
  const { passwords, db, signInLog, clock } = deps;
  if (password === undefined && clock.now().getTime() - signedInAt.getTime() <= RECENT_SIGN_IN_MS) return;
  if (password === undefined)
    throw errors.recentSignInRequired("You logged in a while ago. Enter your password to confirm that it is you.", {
      param: "password",
      details: { method: "password" },
    });
  const { password_hash } = await db
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", admin.userId)
    .executeTakeFirstOrThrow();
  if (await passwords.verify(password, password_hash)) return;
  await signInLog.recordFailedReauthentication(admin, "wrong_password");
  throw errors.auth.wrongPassword("The password is wrong.", { status: 403, param: "password" });
}

async function refuseInvalidTarget(deps: Deps, admin: SignedInActor, userId: string): Promise<void> {
  const { db } = deps;
  if (userId === admin.userId) throw errors.impersonation.yourself();
  const target = await db
    .selectFrom("users")
    .select(["is_admin", "suspended_at", "approval_requested_at"])
    .where("id", "=", userId)
    .executeTakeFirst();
  if (!target) throw errors.users.notFound();
  if (target.is_admin) throw errors.impersonation.admin();
  if (target.approval_requested_at) throw errors.impersonation.pending();
  if (target.suspended_at) throw errors.impersonation.suspended();
}

/**
 * Creates a session of the user for the admin. It lasts at most 30 minutes, and not longer than the admin's own. Throws
 * 403 if the admin has to reauthenticate, and 409 for users that nobody may act as.
 */
async function startImpersonation(
  deps: Deps,
  admin: SignedInActor,
  request: ImpersonationRequest,
  clientInfo: ClientInfo,
): Promise<SessionGrant> {
  const { db, audit, clock, ids, random } = deps;
  const ownSession = await getSession(deps, admin.credential.id);
  await reauthenticate(deps, admin, ownSession.created_at, request.password);
  await refuseInvalidTarget(deps, admin, request.userId);
  const secret = createSecret("ses", random);
  const now = clock.now();
  const expiresAt = new Date(Math.min(now.getTime() + MAX_DURATION_MS, ownSession.expires_at.getTime()));
  const id = ids.next("ses");
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto("sessions")
      .values({
        id,
        secret_hash: hashSecret(secret),
        user_id: request.userId,
        impersonated_by: admin.userId,
        impersonator_session_id: ownSession.id,
        ip: clientInfo.ip,
        user_agent: clientInfo.userAgent?.slice(0, 300) ?? null,
        created_at: now,
        last_seen_at: now,
        expires_at: expiresAt,
      })
      .execute();
    const details = { reason: request.reason.trim(), session: id };
    await audit.record({ actor: admin, action: "impersonation.start", target: request.userId, details }, trx);
  });
  return { userId: request.userId, secret, expiresAt };
}

/**
 * Ends the session of the user. In a browser, whose cookie held that session, the admin's own session gets a new secret
 * and is returned. Returns null for other clients, or if the admin's session has ended.
 */
async function stopImpersonation(deps: Deps, actor: SignedInActor, isBrowser: boolean): Promise<SessionGrant | null> {
  const { db, audit, clock, random } = deps;
  const { impersonator_session_id: ownSessionId } = await getSession(deps, actor.credential.id);
  if (ownSessionId === null) throw errors.impersonation.notActive();
  const secret = createSecret("ses", random);
  const now = clock.now();
  return db.transaction().execute(async (trx) => {
    await trx.updateTable("sessions").set({ revoked_at: now }).where("id", "=", actor.credential.id).execute();
    const ownSession = isBrowser
      ? await trx
          .updateTable("sessions")
          .set({ secret_hash: hashSecret(secret), last_seen_at: now })
          .where("id", "=", ownSessionId)
          .where("revoked_at", "is", null)
          .where("expires_at", ">", now)
          .returningAll()
          .executeTakeFirst()
      : undefined;
    await audit.record({ actor, action: "impersonation.stop", target: actor.userId }, trx);
    return ownSession ? { userId: ownSession.user_id, secret, expiresAt: ownSession.expires_at } : null;
  });
}
