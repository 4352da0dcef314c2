import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { selectValidDeploymentTokens } from "../../platform/core/auth/valid-deployment-tokens.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { Job } from "../../platform/core/jobs.ts";
import type { RunningCall, RunningCalls } from "./running-calls.ts";

/** A running call of a caller with an account. */
type CallerCall = ReturnType<RunningCalls["listWithCaller"]>[number];
/** Returns why the caller of a call may no longer make calls; null if they may. */
type Verdict = (call: CallerCall) => AppError | null;

/**
 * Creates the job that aborts running calls whose callers may no longer make them, whichever process has changed that: the
 * API key was deleted or disabled or has expired, its secret or the token of a deployment was replaced, the session, access
 * token or grant has ended, the user was suspended or has left the organization. Without the job, callers would be checked
 * only when a call starts. The expiry of an access token ends no call, since its application can get another one.
 */
export function createEndedCallersJob(db: Database, running: RunningCalls, clock: Clock): Job {
  return {
    name: "end calls of callers who may no longer make them",
    everySeconds: 0.5,
    onEveryReplica: true,
    async run() {
      const now = clock.now();
      await Promise.all([
        endCallsOfCallers(db, running.listWithCaller(), now),
        endCallsOfTokens(
          db,
          running.list().filter(({ caller }) => caller === null),
          now,
        ),
      ]);
    },
  };
}

async function endCallsOfCallers(db: Database, calls: readonly CallerCall[], now: Date): Promise<void> {
  const listCallers = (type: SignedInActor["credential"]["type"]) =>
    calls.map(({ caller }) => caller).filter(({ credential }) => credential.type === type);
  const idsOf = (type: SignedInActor["credential"]["type"]) => [
    ...new Set(listCallers(type).map(({ credential }) => credential.id)),
  ];
  const [judgeKey, judgeSession, judgeGrant] = await Promise.all([
    readKeys(db, idsOf("key"), now),
    readSessions(db, idsOf("session"), now),
    readGrants(db, listCallers("oauth")),
  ]);
  const judges = {
    key: judgeKey,
    session: judgeSession,
    oauth: judgeGrant,
    deployment: () => null,
    collection: () => null,
  };
  for (const call of calls) {
    const reason = judges[call.caller.credential.type](call);
    if (reason !== null) call.abort.abort(reason);
  }
}

/** Aborts calls to deployments whose token was replaced or has ended. Calls without a token are not affected. */
async function endCallsOfTokens(db: Database, calls: readonly RunningCall[], now: Date): Promise<void> {
  const withToken = calls.flatMap((call) => {
    const secret = call.secret();
    return secret?.kind === "dpt" ? [{ hash: secret.hash, abort: call.abort }] : [];
  });
  if (withToken.length === 0) return;
  const hashes = withToken.map(({ hash }) => hash);
  const rows = await selectValidDeploymentTokens(db, now)
    .select("deployment_tokens.secret_hash")
    .where("deployment_tokens.secret_hash", "in", hashes)
    .execute();
  const valid = new Set(rows.map(({ secret_hash }) => secret_hash.toString("hex")));
  for (const { hash, abort } of withToken)
    if (!valid.has(hash.toString("hex"))) abort.abort(errors.unauthorized("This token was replaced or has ended."));
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
    .select(["api_keys.secret_hash", "api_keys.previous_secret_hash", "api_keys.previous_secret_expires_at"])
    .where("api_keys.id", "in", ids)
    .where("deleted_at", "is", null)
    .where((eb) => eb.or([eb("made_by_application", "is", null), eb("applications.status", "=", "active")]))
    .execute();
  const keys = new Map(rows.map((row) => [row.id, row]));
  return ({ caller, secret }) => {
    const key = keys.get(caller.credential.id);
    if (key === undefined) return errors.unauthorized("This API key was deleted.");
    if (key.suspended_at !== null) return errors.accountSuspended();
    if (key.disabled) return errors.keyDisabled();
    if (key.expires_at !== null && key.expires_at <= now) return errors.keyExpired();
    const used = secret();
    return used === null || isSecretOf(key, used.hash, now) ? null : errors.keyExpired();
  };
}

type KeySecrets = {
  secret_hash: Buffer;
  previous_secret_hash: Buffer | null;
  previous_secret_expires_at: Date | null;
};

/** Returns whether a secret belongs to a key at present. A replaced secret does until its grace period ends. */
function isSecretOf(key: KeySecrets, hash: Buffer, now: Date): boolean {
  if (key.secret_hash.equals(hash)) return true;
  const { previous_secret_hash: previous, previous_secret_expires_at: end } = key;
  return previous?.equals(hash) === true && end !== null && end > now;
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
  return ({ caller: { credential, organizationId } }) =>
    sessions.has(`${credential.id} ${organizationId}`) ? null : errors.sessionEnded();
}

async function readGrants(db: Database, callers: readonly SignedInActor[]): Promise<Verdict> {
  if (callers.length === 0) return () => null;
  const [grants, withdrawn] = await Promise.all([
    listGrants(db, [...new Set(callers.map(grantIdOf))]),
    listWithdrawnTokens(db, [...new Set(callers.map(({ credential }) => credential.id))]),
  ]);
  return ({ caller }) => {
    const grant = grants.get(grantIdOf(caller));
    if (grant === undefined) return errors.unauthorized("What the user allowed this application has ended.");
    if (grant.suspended_at !== null) return errors.accountSuspended();
    return withdrawn.has(caller.credential.id) ? errors.unauthorized("This access token was withdrawn.") : null;
  };
}

function grantIdOf({ credential }: SignedInActor): string {
  return credential.type === "oauth" ? credential.delegation.grantId : "";
}

/** Returns the grants that have not ended, by id, and whether their users are suspended. */
async function listGrants(db: Database, ids: readonly string[]) {
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
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the ids of those access tokens that were revoked, alone or with all tokens of the same authorization. */
async function listWithdrawnTokens(db: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("oauth_tokens")
    .innerJoin("oauth_families", "oauth_families.id", "oauth_tokens.family_id")
    .select("oauth_tokens.id")
    .where("oauth_tokens.id", "in", ids)
    .where((eb) =>
      eb.or([eb("oauth_tokens.revoked_at", "is not", null), eb("oauth_families.revoked_at", "is not", null)]),
    )
    .execute();
  return new Set(rows.map(({ id }) => id));
}
