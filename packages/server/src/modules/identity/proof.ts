import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, unauthorized } from "../../shared/errors.ts";
import { wrongPassword } from "./identity.errors.ts";
import type { IdentityRepository } from "./identity.repository.ts";
import { verifyPassword } from "./passwords.ts";
import type { SignInLog } from "./sign-in-log.ts";

/** Who has no password proves who they are by having signed in this lately. */
const RECENT = 15 * 60_000;

/** What was sent as proof, and the hash it is held against: null for who signs in with a provider alone. */
export type Offered = { hash: string | null; password: string | undefined; field: "password" | "current_password" };

/**
 * Asks for more than a credential before what could take an account over: the password, or a recent sign-in where there
 * is none. A key or token that leaked is not enough. A wrong password is written into the audit log.
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

export type Proof = ReturnType<typeof createProof>;

/** Returns the caller's account, if the caller proves to be its owner. */
export function createReauthenticate(identities: IdentityRepository, prove: Proof) {
  return async (actor: SignedIn, password: string | undefined): Promise<{ email: string; name: string }> => {
    const user = await identities.findWithOrganization(actor.userId);
    if (!user) throw unauthorized();
    await prove(actor, { hash: user.password_hash, password, field: "password" });
    return { email: user.email, name: user.name };
  };
}

export type Reauthenticate = ReturnType<typeof createReauthenticate>;
