import type { SignedInActor } from "../core/auth/actor.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import { type AppError, errors } from "../core/errors/index.ts";
import type { Job } from "../core/jobs.ts";
import type { RunningCalls } from "./running-calls.ts";

/** Why a caller may no longer make calls; null for one who may. */
type Verdict = (caller: SignedInActor) => AppError | null;

/**
 * Job that aborts running calls whose caller may no longer make them, whichever process ended that: the API key was
 * deleted or disabled or has expired, the session or the grant of an application has ended, the user was suspended or is
 * no longer a member of the organization. Otherwise callers are only checked when a call starts.
 */
export function createEndedCallersJob(db: Database, running: RunningCalls, clock: Clock): Job {
  return {
    name: "end calls of callers who may no longer make them",
    everySeconds: 0.5,
    onEveryReplica: true,
    async run() {
      const calls = running.listWithCaller();
      const idsOf = (type: SignedInActor["credential"]["type"]) => [
        ...new Set(calls.filter(({ caller }) => caller.credential.type === type).map(({ caller }) => toId(caller))),
      ];
      const now = clock.now();
      const [judgeKey, judgeSession, judgeGrant] = await Promise.all([
        readKeys(db, idsOf("key"), now),
        readSessions(db, idsOf("session"), now),
        readGrants(db, idsOf("oauth")),
      ]);
      const judges = { key: judgeKey, session: judgeSession, oauth: judgeGrant, deployment: () => null };
      for (const { caller, abort } of calls) {
        const reason = judges[caller.credential.type](caller);
        if (reason !== null) abort.abort(reason);
      }
    },
  };
}

/** The id of what lets the caller in: an application's access tokens change while its grant lasts. */
function toId({ credential }: SignedInActor): string {
  return credential.type === "oauth" ? credential.delegation.grantId : credential.id;
}

async function readKeys(db: Database, ids: readonly string[], now: Date): Promise<Verdict> {
  if (ids.length === 0) return () => null;
  const rows = await db
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.created_by")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.user_id", "=", "users.id")
        .onRef("memberships.organization_id", "=", "api_keys.organization_id"),
    )
    .leftJoin("applications", "applications.id", "api_keys.made_by_application")
    .select(["api_keys.id", "disabled", "expires_at", "suspended_at"])
    .where("api_keys.id", "in", ids)
    .where("deleted_at", "is", null)
    .where((eb) => eb.or([eb("made_by_application", "is", null), eb("applications.status", "=", "active")]))
    .execute();
  const keys = new Map(rows.map((row) => [row.id, row]));
  return (caller) => {
    const key = keys.get(toId(caller));
    if (key === undefined) return errors.unauthorized("This API key was deleted.");
    if (key.suspended_at !== null) return errors.accountSuspended();
    if (key.disabled) return errors.keyDisabled();
    return key.expires_at !== null && key.expires_at <= now ? errors.keyExpired() : null;
  };
}

async function readSessions(db: Database, ids: readonly string[], now: Date): Promise<Verdict> {
  if (ids.length === 0) return () => null;
  const rows = await db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .innerJoin("memberships", "memberships.user_id", "users.id")
    .leftJoin("sessions as own", "own.id", "sessions.impersonator_session_id")
    .select(["sessions.id", "memberships.organization_id"])
    .where("sessions.id", "in", ids)
    .where("sessions.revoked_at", "is", null)
    .where("sessions.expires_at", ">", now)
    .where("users.suspended_at", "is", null)
    // An impersonation ends with the session of its admin.
    .where("own.revoked_at", "is", null)
    .execute();
  const sessions = new Set(rows.map((row) => `${row.id} ${row.organization_id}`));
  return (caller) => (sessions.has(`${toId(caller)} ${caller.organizationId}`) ? null : errors.sessionEnded());
}

async function readGrants(db: Database, ids: readonly string[]): Promise<Verdict> {
  if (ids.length === 0) return () => null;
  const rows = await db
    .selectFrom("oauth_grants")
    .innerJoin("applications", "applications.id", "oauth_grants.application_id")
    .innerJoin("users", "users.id", "oauth_grants.user_id")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.user_id", "=", "oauth_grants.user_id")
        .onRef("memberships.organization_id", "=", "oauth_grants.organization_id"),
    )
    .select(["oauth_grants.id", "suspended_at"])
    .where("oauth_grants.id", "in", ids)
    .where("applications.status", "=", "active")
    .execute();
  const grants = new Map(rows.map((row) => [row.id, row]));
  return (caller) => {
    const grant = grants.get(toId(caller));
    if (grant === undefined) return errors.unauthorized("What the user allowed this application has ended.");
    return grant.suspended_at === null ? null : errors.accountSuspended();
  };
}
