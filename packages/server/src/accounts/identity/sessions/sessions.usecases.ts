import type { Audit } from "../../../platform/core/audit.ts";
import { type Actor, impersonatorOf, type SignedInActor } from "../../../platform/core/auth/actor.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { UsersRepository } from "../users/users.repository.ts";

type Deps = { db: Database; usersRepository: UsersRepository; audit: Audit; clock: Clock };

/** Creates the use cases with which users end their own sessions. */
export function createSessionUseCases(deps: Deps) {
  return bind(deps, {
    logout: logout,
    replace: replaceSession,
    revoke: revokeSession,
    revokeOthers,
  });
}

/** Ends sessions. */
export type SessionUseCases = ReturnType<typeof createSessionUseCases>;

/** Revokes the session of the request. Does nothing for other credentials. */
async function logout({ db, usersRepository, audit, clock }: Deps, actor: SignedInActor): Promise<void> {
  const { credential } = actor;
  if (credential.type !== "session") return;
  await db.transaction().execute(async (trx) => {
    await usersRepository.revokeSession(credential.id, clock.now(), trx);
    await audit.record({ actor, action: "auth.logout", target: credential.id }, trx);
  });
}

/** Revokes the session of a request that signs in again. Returns whether it was an impersonation. */
async function replaceSession({ usersRepository, clock }: Deps, actor: Actor): Promise<boolean> {
  if (actor.kind !== "user" || actor.credential.type !== "session") return false;
  await usersRepository.revokeSession(actor.credential.id, clock.now());
  return impersonatorOf(actor) !== null;
}

async function revokeSession(
  { db, usersRepository, audit, clock }: Deps,
  actor: SignedInActor,
  id: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const wasRevoked = await usersRepository.revokeOwnSession(actor.userId, id, clock.now(), trx);
    if (!wasRevoked) throw errors.sessions.notFound();
    await audit.record({ actor, action: "sessions.delete", target: id }, trx);
  });
}

/** Revokes all sessions of the caller except that of the request. */
async function revokeOthers({ db, usersRepository, audit, clock }: Deps, actor: SignedInActor): Promise<void> {
  const { userId, credential } = actor;
  const keptSessionId = credential.type === "session" ? credential.id : null;
  await db.transaction().execute(async (trx) => {
    await usersRepository.revokeOtherSessions(userId, keptSessionId, clock.now(), trx);
    await audit.record({ actor, action: "sessions.delete_others", target: userId }, trx);
  });
}
