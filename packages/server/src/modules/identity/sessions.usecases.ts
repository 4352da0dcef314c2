import { type Actor, impersonatorOf, type SignedInActor } from "../../core/auth/actor.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import { errors } from "../../core/errors/index.ts";
import type { Audit } from "../audit/audit.ts";
import type { UsersRepository } from "./users.repository.ts";

type Deps = { db: Database; usersRepository: UsersRepository; audit: Audit; clock: Clock };

/** Creates the use cases with which users end their own sessions. */
export function createSessionUseCases({ db, usersRepository, audit, clock }: Deps) {
  return {
    /** Revokes the session of the request. Does nothing for other credentials. */
    async logout(actor: SignedInActor): Promise<void> {
      const { credential } = actor;
      if (credential.type !== "session") return;
      await db.transaction().execute(async (trx) => {
        await usersRepository.revokeSession(credential.id, clock.now(), trx);
        await audit.record({ actor, action: "auth.logout", target: credential.id }, trx);
      });
    },

    /** Revokes the session of a request that signs in again. Returns whether it was an impersonation. */
    async replace(actor: Actor): Promise<boolean> {
      if (actor.kind !== "user" || actor.credential.type !== "session") return false;
      await usersRepository.revokeSession(actor.credential.id, clock.now());
      return impersonatorOf(actor) !== null;
    },

    async revoke(actor: SignedInActor, id: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const wasRevoked = await usersRepository.revokeOwnSession(actor.userId, id, clock.now(), trx);
        if (!wasRevoked) throw errors.sessions.notFound();
        await audit.record({ actor, action: "sessions.delete", target: id }, trx);
      });
    },

    /** Revokes all sessions of the caller except that of the request. */
    async revokeOthers(actor: SignedInActor): Promise<void> {
      const { userId, credential } = actor;
      const keptSessionId = credential.type === "session" ? credential.id : null;
      await db.transaction().execute(async (trx) => {
        await usersRepository.revokeOtherSessions(userId, keptSessionId, clock.now(), trx);
        await audit.record({ actor, action: "sessions.delete_others", target: userId }, trx);
      });
    },
  };
}

/** Ends sessions. */
export type SessionUseCases = ReturnType<typeof createSessionUseCases>;
