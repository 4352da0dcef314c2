import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import { MINUTE_MS } from "../../../platform/core/time.ts";
import { wrongPassword } from "../auth.errors.ts";
import type { SignInLog } from "../sign-in-log.ts";
import type { UsersRepository } from "../users/users.repository.ts";
import type { PasswordHasher } from "./passwords.ts";

/** Users without a password reauthenticate by a sign-in within this time. */
const RECENT_SIGN_IN_MS = 15 * MINUTE_MS;

/** The given password and the stored hash, which is null for users who sign in only with a provider. `field` is named in the error. */
export type ReauthenticationProof = {
  hash: string | null;
  password: string | undefined;
  field: "password" | "current_password";
};

type Deps = { passwords: PasswordHasher; db: Database; clock: Clock; signInLog: SignInLog };

/**
 * Creates the check before actions that could take over an account: it requires the password, or a recent sign-in of users
 * without one, so that a leaked key or token is not enough. A wrong password is recorded in the audit log.
 */
export function createReauthenticate({ passwords, db, clock, signInLog }: Deps) {
  return async (actor: SignedInActor, { hash, password, field }: ReauthenticationProof): Promise<void> => {
    const { credential } = actor;
    if (hash !== null) {
      if (await passwords.verify(password ?? "", hash)) return;
      if (password !== undefined) await signInLog.recordFailedReauthentication(actor, "wrong_password");
      throw wrongPassword(field);
    }
    const session =
      credential.type === "session" &&
      (await db.selectFrom("sessions").select("created_at").where("id", "=", credential.id).executeTakeFirst());
    if (!session || clock.now().getTime() - session.created_at.getTime() > RECENT_SIGN_IN_MS)
      throw errors.recentSignInRequired("Sign out and in again, and then do this.", {
        details: { method: "sign_in" },
      });
  };
}

/** Throws `auth.wrong_password` or `recent_sign_in_required` if the actor does not prove their identity. */
export type Reauthenticate = ReturnType<typeof createReauthenticate>;

/** Creates the same check with the stored password of the actor. It returns e-mail and name. */
export function createReauthenticateUser(usersRepository: UsersRepository, reauthenticate: Reauthenticate) {
  return async (actor: SignedInActor, password: string | undefined): Promise<{ email: string; name: string }> => {
    const user = await usersRepository.findWithOrganization(actor.userId);
    if (!user) throw errors.unauthorized();
    await reauthenticate(actor, { hash: user.password_hash, password, field: "password" });
    return { email: user.email, name: user.name };
  };
}

/** Requires reauthentication of the actor and returns their e-mail and name. */
export type ReauthenticateUser = ReturnType<typeof createReauthenticateUser>;
