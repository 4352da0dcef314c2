import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { GrantedSession } from "../../http/session-cookie.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import { hashSecret, newSecret, type RandomBytes } from "../../shared/secrets.ts";
import type { Audit } from "../audit/audit.ts";
import type { Visitor } from "../identity/identity.usecases.ts";
import { verifyPassword } from "../identity/passwords.ts";
import type { SignInLog } from "../identity/sign-in-log.ts";
import { noSuchUser } from "./people.usecases.ts";

const MINUTE = 60_000;
const LONGEST = 30 * MINUTE;
/** After an older sign-in the admin has to give the password. */
const RECENT_LOGIN = 15 * MINUTE;

type Deps = { db: Database; audit: Audit; signInLog: SignInLog; clock: Clock; ids: Ids; random?: RandomBytes };
type Wish = { userId: string; reason: string; password: string | undefined };

/** Creates the use cases with which admins act as other users. */
export function createImpersonation({ db, audit, signInLog, clock, ids, random }: Deps) {
  const sessionRow = (id: string) =>
    db.selectFrom("sessions").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

  async function proveIdentity(admin: SignedIn, loggedInAt: Date, password: string | undefined): Promise<void> {
    if (password === undefined && clock.now().getTime() - loggedInAt.getTime() <= RECENT_LOGIN) return;
    if (password === undefined)
      throw new AppError(403, "reauthentication_required", "Your login is too long ago. Send your password too.", {
        param: "password",
      });
    const { password_hash } = await db
      .selectFrom("users")
      .select("password_hash")
      .where("id", "=", admin.userId)
      .executeTakeFirstOrThrow();
    if (await verifyPassword(password, password_hash)) return;
    await signInLog.reauthenticationFailed(admin, "wrong_password");
    throw new AppError(403, "wrong_password", "The password is wrong.", { param: "password" });
  }

  async function refuseTarget(admin: SignedIn, userId: string): Promise<void> {
    if (userId === admin.userId) throw new AppError(409, "impersonation.yourself", "You are this user already.");
    const target = await db
      .selectFrom("users")
      .select(["is_admin", "suspended_at", "approval_requested_at"])
      .where("id", "=", userId)
      .executeTakeFirst();
    if (!target) throw noSuchUser();
    if (target.is_admin)
      throw new AppError(409, "impersonation.admin", "Nobody can act as another admin of the platform.");
    if (target.approval_requested_at)
      throw new AppError(409, "impersonation.pending", "This account waits for approval. Let it in first.");
    if (target.suspended_at) throw new AppError(409, "impersonation.suspended", "This account is suspended.");
  }

  return {
    /**
     * Creates a session of the user for the admin. It lasts at most 30 minutes, and not longer than the admin's own. Throws
     * 403 if the admin has to reauthenticate, and 409 for users that nobody may act as.
     */
    async start(admin: SignedIn, wish: Wish, visitor: Visitor): Promise<GrantedSession> {
      const own = await sessionRow(admin.credential.id);
      await proveIdentity(admin, own.created_at, wish.password);
      await refuseTarget(admin, wish.userId);
      const secret = newSecret("ses", random);
      const now = clock.now();
      const expiresAt = new Date(Math.min(now.getTime() + LONGEST, own.expires_at.getTime()));
      const id = ids.next("ses");
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto("sessions")
          .values({
            id,
            secret_hash: hashSecret(secret),
            user_id: wish.userId,
            impersonated_by: admin.userId,
            impersonator_session_id: own.id,
            ip: visitor.ip,
            user_agent: visitor.userAgent?.slice(0, 300) ?? null,
            created_at: now,
            last_seen_at: now,
            expires_at: expiresAt,
          })
          .execute();
        const details = { reason: wish.reason.trim(), session: id };
        await audit.record({ actor: admin, action: "impersonation.start", target: wish.userId, details }, trx);
      });
      return { userId: wish.userId, secret, expiresAt };
    },

    /**
     * Ends the session of the user. In a browser, whose cookie held that session, the admin's own session gets a new secret
     * and is returned. Returns null for other clients, or if the admin's session has ended.
     */
    async stop(actor: SignedIn, browser: boolean): Promise<GrantedSession | null> {
      const { impersonator_session_id: ownId } = await sessionRow(actor.credential.id);
      if (ownId === null)
        throw new AppError(409, "impersonation.not_active", "You do not act as somebody else just now.");
      const secret = newSecret("ses", random);
      const now = clock.now();
      return db.transaction().execute(async (trx) => {
        await trx.updateTable("sessions").set({ revoked_at: now }).where("id", "=", actor.credential.id).execute();
        const own = browser
          ? await trx
              .updateTable("sessions")
              .set({ secret_hash: hashSecret(secret), last_seen_at: now })
              .where("id", "=", ownId)
              .where("revoked_at", "is", null)
              .where("expires_at", ">", now)
              .returningAll()
              .executeTakeFirst()
          : undefined;
        await audit.record({ actor, action: "impersonation.stop", target: actor.userId }, trx);
        return own ? { userId: own.user_id, secret, expiresAt: own.expires_at } : null;
      });
    },
  };
}

/** Starts and stops acting as another user. */
export type Impersonation = ReturnType<typeof createImpersonation>;
