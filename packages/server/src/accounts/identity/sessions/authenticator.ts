import { hash } from "node:crypto";
import { SCOPES } from "@feather/openapi/scopes";
import type { Delegation, KeyLimits, SignedInActor } from "../../../platform/core/auth/actor.ts";
import { DeniedCredentialError } from "../../../platform/core/auth/denied-credential.ts";
import { parseRole } from "../../../platform/core/auth/permissions.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import { type CacheOptions, createCache } from "../../../platform/core/replicas/cache.ts";
import type { Replicas } from "../../../platform/core/replicas/replicas.ts";
import { hashSecret, parseSecretKind } from "../../../platform/core/secrets/secrets.ts";
import { MINUTE_MS } from "../../../platform/core/time.ts";
import type { ApiKeysRepository } from "../../api-keys/index.ts";
import type { SecondFactorPolicy } from "../users/second-factor-policy.ts";
import type { UsersRepository } from "../users/users.repository.ts";
import { SESSION_IDLE_TIMEOUT_MS } from "./auth.usecases.ts";

/**
 * Changes by this process take effect immediately, those that other processes announce on arrival, and all others within a
 * second. For keys of applications, that includes changes of their grants, with which they end.
 */
const KEY_CACHE: CacheOptions = {
  max: 10_000,
  ttlMs: 1_000,
  tables: ["api_keys", "users", "memberships", "applications"],
};

type Deps = {
  usersRepository: UsersRepository;
  apiKeysRepository: ApiKeysRepository;
  clock: Clock;
  replicas: Replicas;
  lacksSecondFactor: SecondFactorPolicy;
  /** Authenticates an OAuth access token. Throws 401 if it is invalid. */
  authenticateAccessToken(secret: string): Promise<SignedInActor>;
};
type CachedKey = { actor: SignedInActor; expiresAt: Date | null; disabled: boolean };

type Context = ReturnType<typeof createContext>;

/** Creates the authentication by secrets. Malformed secrets are rejected by their checksum before any query. */
export function createAuthenticator(deps: Deps) {
  const context = createContext(deps);
  return {
    ...bind(context, {
      authenticate: authenticate,
    }),
    /** Clears the cache of API keys after one was changed. */
    invalidateApiKeys: context.keyCache.clear,
  };
}

/** Authenticates sessions, API keys and access tokens. */
export type Authenticator = ReturnType<typeof createAuthenticator>;

/** Returns the dependencies with what is derived from them. */
function createContext(deps: Deps) {
  const keyCache = createKeyCache(deps.replicas);
  return { ...deps, keyCache };
}

async function authenticateSession(context: Context, secret: string): Promise<SignedInActor> {
  const { usersRepository, clock, lacksSecondFactor } = context;
  const row = await usersRepository.findSession(hashSecret(secret));
  const now = clock.now();
  if (!row || row.revoked_at || row.suspended_at || row.approval_requested_at || row.expires_at <= now)
    throw errors.sessionEnded();
  if (now.getTime() - row.last_seen_at.getTime() > SESSION_IDLE_TIMEOUT_MS) throw errors.sessionEnded();
  if (now.getTime() - row.last_seen_at.getTime() > MINUTE_MS) await usersRepository.touchSession(row.id, now);
  return {
    kind: "user",
    userId: row.user_id,
    organizationId: row.organization_id,
    role: parseRole(row.role),
    isAdmin: row.is_admin && row.impersonated_by === null,
    emailVerified: row.email_verified_at !== null,
    lacksSecondFactor: row.impersonated_by === null && lacksSecondFactor(row),
    scopes: SCOPES,
    credential: { type: "session", id: row.id, impersonatedBy: row.impersonated_by },
  };
}

async function loadKey(context: Context, secretHash: Buffer): Promise<CachedKey | "unknown"> {
  const { apiKeysRepository, clock } = context;
  const row = await apiKeysRepository.findBySecret(secretHash);
  if (!row || row.suspended_at) return "unknown";
  const limits: KeyLimits = {
    allowedModels: row.allowed_models,
    ipAllowlist: row.ip_allowlist,
    maxConcurrency: row.max_concurrency,
    isBatch: row.priority === "batch",
    spendLimitNano: row.spend_limit_nano_usd === null ? null : BigInt(row.spend_limit_nano_usd),
    limitReset: row.limit_reset as KeyLimits["limitReset"],
    expires: row.expires_at !== null,
  };
  const actor: SignedInActor = {
    kind: "user",
    userId: row.created_by,
    organizationId: row.organization_id,
    role: parseRole(row.role),
    isAdmin: row.is_admin && row.scopes.includes("admin"),
    emailVerified: row.email_verified_at !== null,
    scopes: row.scopes,
    credential: { type: "key", id: row.id, limits, delegation: toDelegation(row) },
  };
  void apiKeysRepository.markUsed(row.id, clock.now()).catch(() => {}); // the call must neither wait for it nor fail with it
  return { actor, expiresAt: toExpiry(row), disabled: row.disabled };
}

async function authenticateKey(context: Context, secret: string): Promise<SignedInActor> {
  const { clock, keyCache } = context;
  const key = await keyCache.read(hashSecret(secret), (secretHash) => loadKey(context, secretHash));
  if (key === "unknown") throw errors.unauthorized("This API key is not known here. It may have been deleted.");
  if (key.disabled) throw new DeniedCredentialError(errors.keyDisabled(), key.actor);
  if (key.expiresAt && key.expiresAt <= clock.now()) throw new DeniedCredentialError(errors.keyExpired(), key.actor);
  return key.actor;
}

/** Returns the holder of an API key that is cached and valid; null for any other secret. */
function findCachedKey({ clock, keyCache }: Context, secret: string): SignedInActor | null {
  const key = keyCache.find(secret);
  if (key === undefined || key === "unknown" || key.disabled) return null;
  return key.expiresAt && key.expiresAt <= clock.now() ? null : key.actor;
}

async function authenticate(context: Context, secret: string): Promise<SignedInActor> {
  const cachedKey = findCachedKey(context, secret); // most calls; cheaper than the checksum of the secret
  if (cachedKey !== null) return cachedKey;
  const { authenticateAccessToken } = context;
  const kind = parseSecretKind(secret);
  if (kind === "ses") return authenticateSession(context, secret);
  if (kind === "rc") return authenticateKey(context, secret);
  if (kind === "oat") return authenticateAccessToken(secret);
  throw errors.unauthorized("This is not a key or token of this platform. Check that it was copied whole.");
}

/** Creates the cache of API keys by the hash of their secret. */
function createKeyCache(replicas: Replicas) {
  const cache = createCache<CachedKey | "unknown">(replicas, KEY_CACHE);
  return {
    find: (secret: string): CachedKey | "unknown" | undefined => cache.find(hash("sha256", secret, "base64")),
    read: (secretHash: Buffer, load: (secretHash: Buffer) => Promise<CachedKey | "unknown">) =>
      cache.read(secretHash.toString("base64"), () => load(secretHash)),
    clear: cache.clear,
  };
}

/** Returns the application that created the key, and its grant; null for a key created by a user. */
function toDelegation(row: { made_by_application: string | null; made_under_grant: string | null }): Delegation | null {
  const { made_by_application: applicationId, made_under_grant: grantId } = row;
  return applicationId === null || grantId === null ? null : { applicationId, grantId };
}

/** Returns when the secret expires. A secret from before a rotation expires earlier than its key. */
function toExpiry({
  expires_at,
  secret_ends_at,
}: {
  expires_at: Date | null;
  secret_ends_at: Date | null;
}): Date | null {
  if (expires_at === null || secret_ends_at === null) return expires_at ?? secret_ends_at;
  return expires_at < secret_ends_at ? expires_at : secret_ends_at;
}
