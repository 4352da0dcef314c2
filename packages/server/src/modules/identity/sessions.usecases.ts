import type { Database } from "../../db/connect.ts";
import { type Actor, impersonatorOf, type SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { notFound } from "../../shared/errors.ts";
import type { Audit } from "../audit/audit.ts";
import type { IdentityRepository } from "./identity.repository.ts";

type Deps = { db: Database; identity: IdentityRepository; audit: Audit; clock: Clock };

/** How people end their own sessions. */
export function createSessions({ db, identity, audit, clock }: Deps) {
  return {
    /** Ends the session that the caller came with; of other credentials nothing is ended. */
    async logout(actor: SignedIn): Promise<void> {
      const { credential } = actor;
      if (credential.type !== "session") return;
      await db.transaction().execute(async (trx) => {
        await identity.revokeSession(credential.id, clock.now(), trx);
        await audit.record({ actor, action: "auth.logout", target: credential.id }, trx);
      });
    },

    /** Ends the session of somebody who signs in again and gets another. Returns whether they acted as somebody else. */
    async replace(actor: Actor): Promise<boolean> {
      if (actor.kind !== "user" || actor.credential.type !== "session") return false;
      await identity.revokeSession(actor.credential.id, clock.now());
      return impersonatorOf(actor) !== null;
    },

    async end(actor: SignedIn, id: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const ended = await identity.revokeOwnSession(actor.userId, id, clock.now(), trx);
        if (!ended) throw notFound("There is no session with this id.", "sessions.not_found");
        await audit.record({ actor, action: "sessions.delete", target: id }, trx);
      });
    },

    /** Ends every session of the caller but the one they came with. */
    async endOthers(actor: SignedIn): Promise<void> {
      const { userId, credential } = actor;
      const kept = credential.type === "session" ? credential.id : null;
      await db.transaction().execute(async (trx) => {
        await identity.revokeOtherSessions(userId, kept, clock.now(), trx);
        await audit.record({ actor, action: "sessions.delete_others", target: userId }, trx);
      });
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;
