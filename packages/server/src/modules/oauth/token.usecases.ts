import { createHash } from "node:crypto";
import type { components, operations } from "@feather/openapi/schema";
import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import { hashSecret, newSecret, type RandomBytes, secretKind } from "../../shared/secrets.ts";
import type { ApplicationRow } from "../applications/applications.repository.ts";
import type { Audit } from "../audit/audit.ts";
import { oauthError } from "./oauth.errors.ts";
import type { Granted, OAuthRepository } from "./oauth.repository.ts";
import { askedScopes } from "./scopes.ts";

type Token = components["schemas"]["Token"];
/** The body of a request to the token endpoint. */
export type TokenRequest = operations["oauth.token"]["requestBody"]["content"]["application/x-www-form-urlencoded"];
type Deps = {
  db: Database;
  rows: OAuthRepository;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  random?: RandomBytes;
};
type Family = { id: string; scopes: string[]; created_at: Date };

const ACCESS_LIFE = 3_600;
const REFRESH_LIFE = 30 * 86_400;
/** Seconds after which a person must sign in again, however often the tokens were renewed. */
const FAMILY_LIFE = 90 * 86_400;
/** Seconds added to a device's polling interval each time it polls too early. */
const SLOWER = 5;
/** How much earlier than its interval a poll may arrive, to allow for network jitter. */
const TOLERANCE_MS = 500;
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** The token endpoint. Codes and refresh tokens are locked while they are redeemed, so each can be redeemed once. */
export function createTokens({ db, rows, audit, clock, ids, random }: Deps) {
  /**
   * Runs a transaction and throws the error it returns after the commit: a revocation must not be rolled back with it.
   */
  async function settle(run: (trx: Database) => Promise<Token | AppError>): Promise<Token> {
    const outcome = await db.transaction().execute(run);
    if (outcome instanceof AppError) throw outcome;
    return outcome;
  }

  async function issue(family: Family, application: ApplicationRow, trx: Database, asked = family.scopes) {
    const now = clock.now();
    const scopes = asked.filter((scope) => application.scopes.includes(scope));
    const [access, refresh] = [newSecret("oat", random), newSecret("ort", random)];
    const familyEnd = family.created_at.getTime() + FAMILY_LIFE * 1000;
    const token = (kind: string, secret: string, life: number, of: string[]) => ({
      id: ids.next("tok"),
      family_id: family.id,
      kind,
      secret_hash: hashSecret(secret),
      scopes: of,
      expires_at: new Date(Math.min(now.getTime() + life * 1000, familyEnd)),
    });
    const accessLife = Math.min(ACCESS_LIFE, Math.floor((familyEnd - now.getTime()) / 1000));
    const both = [token("access", access, accessLife, scopes), token("refresh", refresh, REFRESH_LIFE, family.scopes)];
    await rows.insertTokens(both, trx);
    const body = { token_type: "Bearer", expires_in: accessLife, scope: scopes.join(" ") };
    return { access_token: access, refresh_token: refresh, ...body };
  }

  /** Creates a token family and its first pair of tokens. */
  async function begin(grantId: string, scopes: string[], application: ApplicationRow, trx: Database) {
    const family = { id: ids.next("fam"), scopes, created_at: clock.now() };
    await rows.insertFamily(family.id, grantId, scopes, family.created_at, trx);
    return { family, token: await issue(family, application, trx) };
  }

  /**
   * Handles a code or token that is presented twice and so has leaked: revokes its family. Returns the error to throw.
   */
  async function reused(what: string, familyId: string | null, granted: Granted, trx: Database): Promise<AppError> {
    if (familyId !== null) await rows.revokeFamily(familyId, clock.now(), trx);
    const { user_id, organization_id, application_id } = granted;
    const who = { userId: user_id, organizationId: organization_id };
    await audit.record({ ...who, action: "oauth.reuse_detected", target: application_id, details: { what } }, trx);
    return oauthError("invalid_grant", `The ${what} was used before. All tokens that came from it have ended.`);
  }

  const byCode = (application: ApplicationRow, request: TokenRequest) =>
    settle(async (trx) => {
      const secretHash = hashSecret(required(request, "code"));
      await rows.holdGrant("oauth_codes", secretHash, trx);
      const row = await rows.lockCode(secretHash, trx);
      if (!row || row.application_id !== application.id)
        return oauthError("invalid_grant", "The code is not known, or was made for another application.");
      if (row.used_at !== null) return reused("code", row.family_id, row, trx);
      const fault =
        row.expires_at <= clock.now()
          ? "The code has expired."
          : row.redirect_uri !== request.redirect_uri
            ? "redirect_uri is not the one that the code was sent to."
            : (verifierFault(row.code_challenge, request.code_verifier) ??
              ((await rows.isAlive(row.grant_id, trx)) ? null : "The user's account is closed to this application."));
      if (fault !== null) {
        await rows.useCode(secretHash, null, clock.now(), trx); // a second guess is not possible
        return oauthError("invalid_grant", fault);
      }
      const { family, token } = await begin(row.grant_id, row.scopes, application, trx);
      await rows.useCode(secretHash, family.id, clock.now(), trx);
      return token;
    });

  const byRefreshToken = (application: ApplicationRow, request: TokenRequest) =>
    settle(async (trx) => {
      const secretHash = hashSecret(required(request, "refresh_token"));
      await rows.holdGrant("oauth_tokens", secretHash, trx);
      const row = await rows.lockToken(secretHash, trx);
      if (row?.kind !== "refresh" || row.application_id !== application.id)
        return oauthError("invalid_grant", "The refresh token is not known, or belongs to another application.");
      if (row.used_at !== null) return reused("refresh token", row.family_id, row, trx);
      const familyEnd = row.family_created_at.getTime() + FAMILY_LIFE * 1000;
      const now = clock.now();
      const ended = row.expires_at <= now || familyEnd <= now.getTime() || row.family_revoked_at !== null;
      if (ended || !(await rows.isAlive(row.grant_id, trx)))
        return oauthError("invalid_grant", "The refresh token has ended. The user must sign in again.");
      const scopes = askedScopes(request.scope, row.family_scopes);
      if (scopes === null) return oauthError("invalid_scope", "A refresh token gives no scopes that it lacks itself.");
      await rows.updateToken(row.id, { used_at: clock.now() }, trx);
      const family = { id: row.family_id, scopes: row.family_scopes, created_at: row.family_created_at };
      return issue(family, application, trx, scopes);
    });

  const byDeviceCode = (application: ApplicationRow, request: TokenRequest) =>
    settle(async (trx) => {
      const secretHash = hashSecret(required(request, "device_code"));
      const now = clock.now();
      await rows.holdGrant("oauth_device_codes", secretHash, trx);
      const row = await rows.lockDeviceCode(secretHash, trx);
      if (!row || row.application_id !== application.id)
        return oauthError("invalid_grant", "The device code is not known, or was made for another application.");
      if (row.used_at !== null) return oauthError("invalid_grant", "The device code was used before.");
      if (row.expires_at <= now) return oauthError("expired_token", "The device code has expired. Begin again.");
      if (row.last_polled_at && now.getTime() - row.last_polled_at.getTime() < row.interval_s * 1000 - TOLERANCE_MS) {
        await rows.updateDeviceCode(secretHash, { interval_s: row.interval_s + SLOWER, last_polled_at: now }, trx);
        return oauthError("slow_down", `Ask every ${row.interval_s + SLOWER} seconds.`);
      }
      await rows.updateDeviceCode(secretHash, { last_polled_at: now }, trx);
      if (row.status === "denied") return oauthError("access_denied", "The user does not allow it.");
      if (row.status === "pending" || row.grant_id === null)
        return oauthError("authorization_pending", "Nobody has decided yet.");
      await rows.updateDeviceCode(secretHash, { used_at: now }, trx);
      if (!(await rows.isAlive(row.grant_id, trx)))
        return oauthError("invalid_grant", "The user's account is closed to this application.");
      return (await begin(row.grant_id, row.scopes, application, trx)).token;
    });

  return {
    async redeem(application: ApplicationRow, request: TokenRequest): Promise<Token> {
      switch (request.grant_type) {
        case "authorization_code":
          return byCode(application, request);
        case "refresh_token":
          return byRefreshToken(application, request);
        case DEVICE_GRANT:
          return byDeviceCode(application, request);
        default:
          throw oauthError("unsupported_grant_type", "This grant_type is not supported.");
      }
    },

    /** RFC 7009. Revoking a refresh token revokes its family. Tokens of other applications are ignored. */
    async revoke(application: ApplicationRow, secret: string): Promise<void> {
      if (secretKind(secret) === null) return;
      await db.transaction().execute(async (trx) => {
        await rows.holdGrant("oauth_tokens", hashSecret(secret), trx);
        const row = await rows.lockToken(hashSecret(secret), trx);
        if (!row || row.application_id !== application.id) return;
        if (row.kind === "refresh") await rows.revokeFamily(row.family_id, clock.now(), trx);
        else await rows.updateToken(row.id, { revoked_at: clock.now() }, trx);
        const who = { userId: row.user_id, organizationId: row.organization_id };
        await audit.record(
          { ...who, action: "oauth.revoke", target: application.id, details: { kind: row.kind } },
          trx,
        );
      });
    },
  };
}

function required(request: TokenRequest, name: "code" | "refresh_token" | "device_code"): string {
  const value = request[name];
  if (value === undefined || value === "") throw oauthError("invalid_request", `${name} is required.`);
  return value;
}

/**
 * Returns why the PKCE verifier is invalid, or null. A verifier for a code requested without a challenge means that the
 * authorization request was tampered with.
 */
function verifierFault(challenge: string | null, verifier: string | undefined): string | null {
  if (challenge === null) return verifier === undefined ? null : "The code was asked for without a code_challenge.";
  if (verifier === undefined) return "code_verifier is missing.";
  const isWellFormed = /^[A-Za-z0-9._~-]{43,128}$/.test(verifier);
  const matches = createHash("sha256").update(verifier).digest("base64url") === challenge;
  return isWellFormed && matches ? null : "code_verifier does not belong to the code_challenge.";
}
