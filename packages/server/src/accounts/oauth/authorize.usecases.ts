import type { operations } from "@feather/openapi/schema";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { createSecret, hashSecret, type RandomBytes } from "../../platform/core/secrets/secrets.ts";
import { MINUTE_MS } from "../../platform/core/time.ts";
import {
  type ApplicationRow,
  type ApplicationsRepository,
  addQueryParameters,
  isRegisteredRedirectUri,
  isVerified,
} from "../applications/index.ts";
import type { OAuthRepository } from "./oauth.repository.ts";
import { parseRequestedScopes, selectGrantedScopes, toScopeInfos } from "./scopes.ts";

type AuthorizationRequest =
  operations["oauth.authorize"]["requestBody"]["content"]["application/x-www-form-urlencoded"];
type Deps = {
  db: Database;
  oauthRepository: OAuthRepository;
  applicationsRepository: Pick<ApplicationsRepository, "findById">;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  issuer: string;
  random?: RandomBytes;
};
/** An OAuth error that is sent to the redirect URI instead of a code. */
type AuthorizationError = { error: string; error_description: string };

const CODE_LIFETIME_MS = MINUTE_MS;
/** A SHA-256 in base64url. */
const CODE_CHALLENGE_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** The consent page's two calls: describe the application, and turn the user's decision into a code or an error. */
export function createConsentUseCases(deps: Deps) {
  return bind(deps, {
    describeApplication,
    authorize: authorizeConsent,
  });
}

/**
 * Returns the scopes granted earlier. Null for public applications: anybody can use their client id, so consent is
 * always asked.
 */
async function findEarlierScopes(
  deps: Deps,
  actor: SignedInActor,
  application: ApplicationRow,
): Promise<string[] | null> {
  const { oauthRepository } = deps;
  if (application.client_type === "public") return null;
  return (await oauthRepository.findGrant(actor.userId, actor.organizationId, application.id))?.scopes ?? null;
}

/** Returns whether all of these scopes were granted before, so that the user need not be asked. */
async function isGrantedAlready(
  deps: Deps,
  actor: SignedInActor,
  application: ApplicationRow,
  scopes: readonly string[],
) {
  const earlierScopes = await findEarlierScopes(deps, actor, application);
  return earlierScopes !== null && scopes.every((scope) => earlierScopes.includes(scope));
}

async function findAuthorizationError(
  deps: Deps,
  actor: SignedInActor,
  request: AuthorizationRequest,
  application: ApplicationRow,
): Promise<AuthorizationError | null> {
  const parameterError = validateParameters(request, application);
  if (parameterError) return parameterError;
  const scopes = parseRequestedScopes(request.scope, application.scopes);
  if (scopes === null)
    return createAuthorizationError("invalid_scope", "This application may not ask for one of these scopes.");
  if (request.decision === "deny") return createAuthorizationError("access_denied", "The user does not allow it.");
  if (request.prompt?.split(" ").includes("none") && !(await isGrantedAlready(deps, actor, application, scopes)))
    return createAuthorizationError("consent_required", "The user must be asked first.");
  if (scopes.length > 0 && (await resolveScopes(deps, actor, request, application)).length === 0)
    return createAuthorizationError("access_denied", "The user confirmed none of the permissions.");
  return null;
}

async function resolveScopes(
  deps: Deps,
  actor: SignedInActor,
  request: AuthorizationRequest,
  application: ApplicationRow,
) {
  const earlierScopes = await findEarlierScopes(deps, actor, application);
  const requestedScopes = parseRequestedScopes(request.scope, application.scopes) ?? [];
  return selectGrantedScopes(requestedScopes, request.confirmed_scope, earlierScopes ?? []);
}

async function issueCode(deps: Deps, actor: SignedInActor, request: AuthorizationRequest, application: ApplicationRow) {
  const { db, oauthRepository, audit, clock, ids, random } = deps;
  const code = createSecret("oac", random);
  const now = clock.now();
  const scopes = await resolveScopes(deps, actor, request, application);
  await db.transaction().execute(async (trx) => {
    const grant = await oauthRepository.upsertGrant(
      { ...toGrantKey(actor, application.id), id: ids.next("grant"), scopes, granted_at: now },
      trx,
    );
    const values = {
      secret_hash: hashSecret(code),
      grant_id: grant.id,
      redirect_uri: request.redirect_uri,
      scopes,
      code_challenge: request.code_challenge ?? null,
      expires_at: new Date(now.getTime() + CODE_LIFETIME_MS),
    };
    await oauthRepository.insertCode(values, trx);
    await audit.record({ actor, action: "oauth.authorize", target: application.id, details: { scopes } }, trx);
  });
  return code;
}

/** Returns what the consent page shows of an application and the scopes it requests. */
async function describeApplication(
  deps: Deps,
  actor: SignedInActor,
  id: string,
  query: { scope?: string; redirect_uri?: string },
) {
  const { applicationsRepository } = deps;
  const application = await applicationsRepository.findById(id);
  if (!application) throw errors.oauth.applicationNotFound();
  if (application.status !== "active") throw errors.oauth.applicationInactive({ application: application.name });
  if (query.redirect_uri !== undefined && !isRegisteredRedirectUri(application.redirect_uris, query.redirect_uri))
    throw errors.invalidRequest("redirect_uri is not one that this application has registered.", {
      param: "redirect_uri",
    });
  const scopes = parseRequestedScopes(query.scope, application.scopes);
  if (scopes === null)
    throw errors.invalidRequest(`${application.name} may not ask for one of these permissions.`, {
      param: "scope",
    });
  const { name, description, homepage_url, logo_url } = application;
  const granted = await isGrantedAlready(deps, actor, application, scopes);
  const applicationInfo = { id, name, description, homepage_url, logo_url, verified: isVerified(application) };
  return { ...applicationInfo, scopes: toScopeInfos(scopes), granted };
}

/**
 * Returns the address the browser is sent to, with a code or an OAuth error. Throws where the redirect URI cannot
 * be trusted.
 */
async function authorizeConsent(deps: Deps, actor: SignedInActor, request: AuthorizationRequest): Promise<string> {
  const { applicationsRepository, issuer } = deps;
  const { client_id, redirect_uri, state } = request;
  const application = await applicationsRepository.findById(client_id);
  if (!application) throw errors.invalidRequest("client_id names no application.", { param: "client_id" });
  if (!isRegisteredRedirectUri(application.redirect_uris, redirect_uri))
    throw errors.invalidRequest("redirect_uri is not one that this application has registered.", {
      param: "redirect_uri",
    });
  if (application.status !== "active") throw errors.unauthorizedClient(`This application is ${application.status}.`);
  const authorizationError = await findAuthorizationError(deps, actor, request, application);
  if (authorizationError) return addQueryParameters(redirect_uri, { ...authorizationError, state, iss: issuer });
  const code = await issueCode(deps, actor, request, application);
  return addQueryParameters(redirect_uri, { code, state, iss: issuer });
}

/** Returns the columns that identify a grant: user, organization and application. */
export function toGrantKey({ userId, organizationId }: SignedInActor, applicationId: string) {
  return { user_id: userId, organization_id: organizationId, application_id: applicationId };
}

function validateParameters(request: AuthorizationRequest, { client_type }: ApplicationRow): AuthorizationError | null {
  const { response_type, response_mode, code_challenge: challenge, code_challenge_method: method } = request;
  if (response_type === undefined) return createAuthorizationError("invalid_request", "response_type is required.");
  if (response_type !== "code")
    return createAuthorizationError("unsupported_response_type", "Only response_type=code is supported.");
  if (response_mode !== undefined && response_mode !== "query")
    return createAuthorizationError("invalid_request", "Only response_mode=query is supported.");
  if (challenge === undefined && method === undefined)
    return client_type === "public"
      ? createAuthorizationError("invalid_request", "A public application must send a code_challenge (PKCE).")
      : null;
  if (challenge === undefined || !CODE_CHALLENGE_PATTERN.test(challenge))
    return createAuthorizationError("invalid_request", "code_challenge must be a SHA-256 in base64url.");
  if (method !== "S256") return createAuthorizationError("invalid_request", "code_challenge_method must be S256.");
  return null;
}

function createAuthorizationError(error: string, error_description: string): AuthorizationError {
  return { error, error_description };
}
