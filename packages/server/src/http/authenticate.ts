import type { FastifyRequest } from "fastify";
import type { Audit } from "../platform/core/audit.ts";
import { type Actor, ANONYMOUS, impersonatorOf, type SignedInActor } from "../platform/core/auth/actor.ts";
import type { Authenticator } from "../platform/core/auth/authenticator.ts";
import { readCredential } from "../platform/core/auth/credentials.ts";
import { DeniedCredentialError } from "../platform/core/auth/denied-credential.ts";
import { AppError, errors } from "../platform/core/errors/index.ts";
import { SESSION_COOKIE } from "../platform/core/http/session-cookie.ts";
import { inNetworks } from "../platform/core/network/ip-allowlist.ts";
import { parseSecretKind } from "../platform/core/secrets/secrets.ts";
import { isCrossSiteWrite } from "./headers/csrf.ts";

/** Authenticates requests by header or session cookie. */
export type RequestAuthenticator = {
  /**
   * Returns the caller. An expired cookie counts as anonymous; an invalid key throws 401. Requests during impersonation
   * are written to the audit log, even if they are refused afterwards.
   */
  authenticate(request: FastifyRequest): Promise<Actor>;
  /** Checks the credential again while a response is being sent, without the audit log. Throws if it is no longer valid. */
  authenticateAgain(request: FastifyRequest): Promise<Actor>;
};

/** Creates the authentication of requests. Session cookies are rejected on cross-site writes. */
export function createRequestAuthenticator(
  authenticator: Authenticator,
  audit: Audit,
  publicUrl: string,
): RequestAuthenticator {
  const readRequestCredential = ({ headers, cookies, query }: FastifyRequest) =>
    readCredential({
      authorization: headers.authorization,
      apiKeyHeader: headers["x-api-key"],
      sessionCookie: cookies[SESSION_COOKIE],
      query,
    });

  async function authenticateHolder(secret: string, { ip }: FastifyRequest): Promise<SignedInActor> {
    const actor: SignedInActor = { ...(await authenticator.authenticate(secret)), ip };
    const { credential } = actor;
    if (credential.type === "key" && !inNetworks(ip, credential.limits.ipAllowlist))
      throw new DeniedCredentialError(errors.ipNotAllowed({ ip }), actor);
    return actor;
  }

  async function authenticate(secret: string, request: FastifyRequest): Promise<SignedInActor> {
    const actor = await authenticateHolder(secret, request);
    if (impersonatorOf(actor) !== null)
      await audit.record({ actor, action: "impersonation.request", details: describeRequest(request) });
    return actor;
  }

  async function authenticateRequest(request: FastifyRequest): Promise<Actor> {
    const { headers, method, protocol } = request;
    const credential = readRequestCredential(request);
    if (credential === null) return ANONYMOUS;
    // The deployment's own calls check its token. For all other calls, its holder is anonymous.
    if (parseSecretKind(credential.secret) === "dpt") return { kind: "anonymous", deploymentToken: credential.secret };
    if (credential.from === "header") return authenticate(credential.secret, request);
    const fetchSite = headers["sec-fetch-site"];
    const origins = {
      method,
      secFetchSite: Array.isArray(fetchSite) ? fetchSite[0] : fetchSite,
      origin: headers.origin,
      host: headers.host,
      protocol,
      publicUrl,
    };
    if (isCrossSiteWrite(origins)) {
      const actor = await authenticateHolder(credential.secret, request).catch(() => null);
      throw actor === null ? errors.crossSiteRequest() : new DeniedCredentialError(errors.crossSiteRequest(), actor);
    }
    try {
      return await authenticate(credential.secret, request);
    } catch (error) {
      if (error instanceof AppError && error.status === 401) return ANONYMOUS;
      throw error;
    }
  }

  async function authenticateAgain(request: FastifyRequest): Promise<Actor> {
    const credential = readRequestCredential(request);
    return credential === null ? ANONYMOUS : authenticateHolder(credential.secret, request);
  }

  return { authenticate: authenticateRequest, authenticateAgain };
}

/** Returns the route pattern without parameters: paths and queries may contain secrets. */
function describeRequest({ id, method, routeOptions }: FastifyRequest): Record<string, unknown> {
  return { method, route: routeOptions.url ?? null, request_id: id };
}
