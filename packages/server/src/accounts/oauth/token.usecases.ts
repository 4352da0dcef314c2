import { createHash } from "node:crypto";
import type { components, operations } from "@feather/openapi/schema";
import type { Audit } from "../../platform/core/audit.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { AppError } from "../../platform/core/errors/index.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { createSecret, hashSecret, parseSecretKind, type RandomBytes } from "../../platform/core/secrets/secrets.ts";
import { DAY_S, HOUR_S } from "../../platform/core/time.ts";
import type { ApplicationRow } from "../applications/index.ts";
import { createOAuthError } from "./oauth.errors.ts";
import type { GrantKey, OAuthRepository } from "./oauth.repository.ts";
import { parseRequestedScopes } from "./scopes.ts";

type Token = components["schemas"]["Token"];
/** The body of a request to the token endpoint. */
export type TokenRequest = operations["oauth.token"]["requestBody"]["content"]["application/x-www-form-urlencoded"];
type Deps = {
  db: Database;
  oauthRepository: OAuthRepository;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  random?: RandomBytes;
  /** Clears the cache of API keys, so that keys which an application created end immediately. */
  invalidateApiKeys(): void;
};
type Family = { id: string; scopes: string[]; created_at: Date };

const ACCESS_TOKEN_LIFETIME_S = HOUR_S;
const REFRESH_TOKEN_LIFETIME_S = 30 * DAY_S;
/** Seconds after which a person must sign in again, however often the tokens were renewed. */
const TOKEN_FAMILY_LIFETIME_S = 90 * DAY_S;
/** Seconds added to a device's polling interval each time it polls too early. */
const SLOW_DOWN_INCREMENT_S = 5;
/** How much earlier than its interval a poll may arrive, to allow for network jitter. */
const POLL_TOLERANCE_MS = 500;
const DEVICE_GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code";

/** The token endpoint. Codes and refresh tokens are locked while they are redeemed, so each can be redeemed once. */
export function createTokenUseCases(deps: Deps) {
  return bind(deps, {
    redeem: redeemToken,
    revoke: revokeToken,
  });
}

/** Runs a transaction, commits it, and then throws the error that it returned: a revocation must not be rolled back. */
async function commitOutcome(deps: Deps, run: (trx: Database) => Promise<Token | AppError>): Promise<Token> {
  const { db, invalidateApiKeys } = deps;
  const outcome = await db.transaction().execute(run);
  if (!(outcome instanceof AppError)) return outcome;
  invalidateApiKeys();
  throw outcome;
}

async function issueTokens(
  deps: Deps,
  family: Family,
  application: ApplicationRow,
  trx: Database,
  requestedScopes = family.scopes,
) {
  const { oauthRepository, clock, ids, random } = deps;
  const now = clock.now();
  const scopes = requestedScopes.filter((scope) => application.scopes.includes(scope));
  const [access, refresh] = [createSecret("oat", random), createSecret("ort", random)];
  const familyEndMs = family.created_at.getTime() + TOKEN_FAMILY_LIFETIME_S * 1000;
  const token = (kind: string, secret: string, lifetimeS: number, tokenScopes: string[]) => ({
    id: ids.next("tok"),
    family_id: family.id,
    kind,
    secret_hash: hashSecret(secret),
    scopes: tokenScopes,
    expires_at: new Date(Math.min(now.getTime() + lifetimeS * 1000, familyEndMs)),
  });
  const accessLifetimeS = Math.min(ACCESS_TOKEN_LIFETIME_S, Math.floor((familyEndMs - now.getTime()) / 1000));
  const tokens = [
    token("access", access, accessLifetimeS, scopes),
    token("refresh", refresh, REFRESH_TOKEN_LIFETIME_S, family.scopes),
  ];
  await oauthRepository.insertTokens(tokens, trx);
  const body = { token_type: "Bearer" as const, expires_in: accessLifetimeS, scope: scopes.join(" ") };
  return { access_token: access, refresh_token: refresh, ...body };
}

/** Creates a token family and its first pair of tokens. */
async function startFamily(deps: Deps, grantId: string, scopes: string[], application: ApplicationRow, trx: Database) {
  const { oauthRepository, clock, ids } = deps;
  const family = { id: ids.next("fam"), scopes, created_at: clock.now() };
  await oauthRepository.insertFamily(family.id, grantId, scopes, family.created_at, trx);
  return { family, token: await issueTokens(deps, family, application, trx) };
}

/**
 * Handles a code or token that is presented twice and so has leaked. Revokes its family and the credentials that were
 * created with the permission, since whoever had the token may have created them. Returns the error to throw.
 */
async function handleReuse(
  deps: Deps,
  credentialName: string,
  familyId: string | null,
  grant: GrantKey & { grant_id: string },
  trx: Database,
): Promise<AppError> {
  const { oauthRepository, audit, clock } = deps;
  if (familyId !== null) {
    await oauthRepository.revokeFamily(familyId, clock.now(), trx);
    await oauthRepository.endCredentialsOf(grant.grant_id, clock.now(), trx);
  }
  const { user_id, organization_id, application_id } = grant;
  const owner = { userId: user_id, organizationId: organization_id };
  await audit.record(
    { ...owner, action: "oauth.reuse_detected", target: application_id, details: { what: credentialName } },
    trx,
  );
  return createOAuthError(
    "invalid_grant",
    `The ${credentialName} was used before. All tokens that came from it, and keys that the application made, have ended.`,
  );
}

function redeemCode(deps: Deps, application: ApplicationRow, request: TokenRequest) {
  return commitOutcome(deps, async (trx) => {
    const secretHash = hashSecret(requireParameter(request, "code"));
    await deps.oauthRepository.lockGrantOf("oauth_codes", secretHash, trx);
    const row = await deps.oauthRepository.lockCode(secretHash, trx);
    if (!row || row.application_id !== application.id)
      return createOAuthError("invalid_grant", "The code is not known, or was made for another application.");
    if (row.used_at !== null) return handleReuse(deps, "code", row.family_id, row, trx);
    const invalidReason =
      row.expires_at <= deps.clock.now()
        ? "The code has expired."
        : row.redirect_uri !== request.redirect_uri
          ? "redirect_uri is not the one that the code was sent to."
          : (validateCodeVerifier(row.code_challenge, request.code_verifier) ??
            ((await deps.oauthRepository.isGrantUsable(row.grant_id, trx))
              ? null
              : "The user's account is closed to this application."));
    if (invalidReason !== null) {
      await deps.oauthRepository.markCodeUsed(secretHash, null, deps.clock.now(), trx); // a second guess is not possible
      return createOAuthError("invalid_grant", invalidReason);
    }
    const { family, token } = await startFamily(deps, row.grant_id, row.scopes, application, trx);
    await deps.oauthRepository.markCodeUsed(secretHash, family.id, deps.clock.now(), trx);
    return token;
  });
}

function redeemRefreshToken(deps: Deps, application: ApplicationRow, request: TokenRequest) {
  return commitOutcome(deps, async (trx) => {
    const secretHash = hashSecret(requireParameter(request, "refresh_token"));
    await deps.oauthRepository.lockGrantOf("oauth_tokens", secretHash, trx);
    const row = await deps.oauthRepository.lockToken(secretHash, trx);
    if (row?.kind !== "refresh" || row.application_id !== application.id)
      return createOAuthError("invalid_grant", "The refresh token is not known, or belongs to another application.");
    if (row.used_at !== null) return handleReuse(deps, "refresh token", row.family_id, row, trx);
    const familyEndMs = row.family_created_at.getTime() + TOKEN_FAMILY_LIFETIME_S * 1000;
    const now = deps.clock.now();
    const isEnded = row.expires_at <= now || familyEndMs <= now.getTime() || row.family_revoked_at !== null;
    if (isEnded || !(await deps.oauthRepository.isGrantUsable(row.grant_id, trx)))
      return createOAuthError("invalid_grant", "The refresh token has ended. The user must sign in again.");
    const scopes = parseRequestedScopes(request.scope, row.family_scopes);
    if (scopes === null)
      return createOAuthError("invalid_scope", "A refresh token gives no scopes that it lacks itself.");
    await deps.oauthRepository.updateToken(row.id, { used_at: deps.clock.now() }, trx);
    const family = { id: row.family_id, scopes: row.family_scopes, created_at: row.family_created_at };
    return issueTokens(deps, family, application, trx, scopes);
  });
}

function redeemDeviceCode(deps: Deps, application: ApplicationRow, request: TokenRequest) {
  return commitOutcome(deps, async (trx) => {
    const secretHash = hashSecret(requireParameter(request, "device_code"));
    const now = deps.clock.now();
    await deps.oauthRepository.lockGrantOf("oauth_device_codes", secretHash, trx);
    const row = await deps.oauthRepository.lockDeviceCode(secretHash, trx);
    if (!row || row.application_id !== application.id)
      return createOAuthError("invalid_grant", "The device code is not known, or was made for another application.");
    if (row.used_at !== null) return createOAuthError("invalid_grant", "The device code was used before.");
    if (row.expires_at <= now) return createOAuthError("expired_token", "The device code has expired. Begin again.");
    if (
      row.last_polled_at &&
      now.getTime() - row.last_polled_at.getTime() < row.interval_s * 1000 - POLL_TOLERANCE_MS
    ) {
      await deps.oauthRepository.updateDeviceCode(
        secretHash,
        { interval_s: row.interval_s + SLOW_DOWN_INCREMENT_S, last_polled_at: now },
        trx,
      );
      return createOAuthError("slow_down", `Ask every ${row.interval_s + SLOW_DOWN_INCREMENT_S} seconds.`);
    }
    await deps.oauthRepository.updateDeviceCode(secretHash, { last_polled_at: now }, trx);
    if (row.status === "denied") return createOAuthError("access_denied", "The user does not allow it.");
    if (row.status === "pending" || row.grant_id === null)
      return createOAuthError("authorization_pending", "Nobody has decided yet.");
    await deps.oauthRepository.updateDeviceCode(secretHash, { used_at: now }, trx);
    if (!(await deps.oauthRepository.isGrantUsable(row.grant_id, trx)))
      return createOAuthError("invalid_grant", "The user's account is closed to this application.");
    return (await startFamily(deps, row.grant_id, row.scopes, application, trx)).token;
  });
}

async function redeemToken(deps: Deps, application: ApplicationRow, request: TokenRequest): Promise<Token> {
  switch (request.grant_type) {
    case "authorization_code":
      return redeemCode(deps, application, request);
    case "refresh_token":
      return redeemRefreshToken(deps, application, request);
    case DEVICE_GRANT_TYPE:
      return redeemDeviceCode(deps, application, request);
    default:
      throw createOAuthError("unsupported_grant_type", "This grant_type is not supported.");
  }
}

/** RFC 7009. Revoking a refresh token revokes its family. Tokens of other applications are ignored. */
async function revokeToken(
  { db, oauthRepository, audit, clock }: Deps,
  application: ApplicationRow,
  secret: string,
): Promise<void> {
  if (parseSecretKind(secret) === null) return;
  await db.transaction().execute(async (trx) => {
    await oauthRepository.lockGrantOf("oauth_tokens", hashSecret(secret), trx);
    const row = await oauthRepository.lockToken(hashSecret(secret), trx);
    if (!row || row.application_id !== application.id) return;
    if (row.kind === "refresh") await oauthRepository.revokeFamily(row.family_id, clock.now(), trx);
    else await oauthRepository.updateToken(row.id, { revoked_at: clock.now() }, trx);
    const owner = { userId: row.user_id, organizationId: row.organization_id };
    await audit.record({ ...owner, action: "oauth.revoke", target: application.id, details: { kind: row.kind } }, trx);
  });
}

function requireParameter(request: TokenRequest, name: "code" | "refresh_token" | "device_code"): string {
  const value = request[name];
  if (value === undefined || value === "") throw createOAuthError("invalid_request", `${name} is required.`);
  return value;
}

/**
 * Returns why the PKCE verifier is invalid, or null. A verifier for a code requested without a challenge means that the
 * authorization request was tampered with.
 */
function validateCodeVerifier(challenge: string | null, verifier: string | undefined): string | null {
  if (challenge === null) return verifier === undefined ? null : "The code was asked for without a code_challenge.";
  if (verifier === undefined) return "code_verifier is missing.";
  const isWellFormed = /^[A-Za-z0-9._~-]{43,128}$/.test(verifier);
  const matches = createHash("sha256").update(verifier).digest("base64url") === challenge;
  return isWellFormed && matches ? null : "code_verifier does not belong to the code_challenge.";
}
