import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, unauthorized } from "../../shared/errors.ts";
import { wrongPassword } from "./identity.errors.ts";
import type { IdentityRepository } from "./identity.repository.ts";
import { verifyPassword } from "./passwords.ts";
import type { SignInLog } from "./sign-in-log.ts";

/** Users without a password reauthenticate by a sign-in within this time. */
const RECENT = 15 * 60_000;

/** The given password and the stored hash, which is null for users who sign in only with a provider. `field` is named in the error. */
export type Offered = { hash: string | null; password: string | undefined; field: "password" | "current_password" };

/**
 * Creates the check before actions that could take over an account: it requires the password, or a recent sign-in of users
 * without one, so that a leaked key or token is not enough. A wrong password is recorded in the audit log.
 */
export function createProof({ db, clock, signInLog }: { db: Database; clock: Clock; signInLog: SignInLog }) {
  return async (actor: SignedIn, { hash, password, field }: Offered): Promise<void> => {
    const { credential } = actor;
    if (hash !== null) {
      if (await verifyPassword(password ?? "", hash)) return;
      if (password !== undefined) await signInLog.reauthenticationFailed(actor, "wrong_password");
      throw wrongPassword(field);
    }
    const session =
      credential.type === "session" &&
      (await db.selectFrom("sessions").select("created_at").where("id", "=", credential.id).executeTakeFirst());
    if (!session || clock.now().getTime() - session.created_at.getTime() > RECENT)
      throw new AppError(403, "recent_sign_in_required", "Sign out and in again, and then do this.");
  };
}

/** Throws `wrong_password` or `recent_sign_in_required` if the actor does not prove their identity. */
export type Proof = ReturnType<typeof createProof>;

/** Creates the same check with the stored password of the actor. It returns e-mail and name. */
export function createReauthenticate(identities: IdentityRepository, prove: Proof) {
  return async (actor: SignedIn, password: string | undefined): Promise<{ email: string; name: string }> => {
    const user = await identities.findWithOrganization(actor.userId);
    if (!user) throw unauthorized();
    await prove(actor, { hash: user.password_hash, password, field: "password" });
    return { email: user.email, name: user.name };
  };
}

/** Requires reauthentication of the actor and returns their e-mail and name. */
export type Reauthenticate = ReturnType<typeof createReauthenticate>;
