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

/** The parts of a request that decide who may send it, as Fastify and the calls to models read them. */
export type ReceivedRequest = Pick<
  FastifyRequest,
  "id" | "ip" | "method" | "headers" | "cookies" | "query" | "protocol"
> & {
  /** The pattern of the requested path. */
  routeOptions: { url?: string | undefined };
};

/** Authenticates requests by header or session cookie. */
export type RequestAuthenticator = {
  /**
   * Returns the caller. An expired cookie counts as anonymous; an invalid key throws 401. Requests during impersonation
   * are written to the audit log, even if they are refused afterwards.
   */
  authenticate(request: ReceivedRequest): Promise<Actor>;
  /** Checks the credential again while a response is being sent, without the audit log. Throws if it is no longer valid. */
  authenticateAgain(request: ReceivedRequest): Promise<Actor>;
};

/** Creates the authentication of requests. Session cookies are rejected on cross-site writes. */
export function createRequestAuthenticator(
  authenticator: Authenticator,
  audit: Audit,
  publicUrl: string,
): RequestAuthenticator {
  const readRequestCredential = ({ headers, cookies, query }: ReceivedRequest) =>
    readCredential({
      authorization: headers.authorization,
      apiKeyHeader: headers["x-api-key"],
      sessionCookie: cookies[SESSION_COOKIE],
      query,
    });

  async function authenticateHolder(secret: string, { ip }: ReceivedRequest): Promise<SignedInActor> {
    const actor: SignedInActor = { ...(await authenticator.authenticate(secret)), ip };
    const { credential } = actor;
    if (credential.type === "key" && !inNetworks(ip, credential.limits.ipAllowlist))
      throw new DeniedCredentialError(errors.ipNotAllowed({ ip }), actor);
    return actor;
  }

  async function authenticate(secret: string, request: ReceivedRequest): Promise<SignedInActor> {
    const actor = await authenticateHolder(secret, request);
    if (impersonatorOf(actor) !== null)
      await audit.record({ actor, action: "impersonation.request", details: describeRequest(request) });
    return actor;
  }

  async function authenticateRequest(request: ReceivedRequest): Promise<Actor> {
    const { headers, method, protocol } = request;
    const credential = readRequestCredential(request);
    if (credential === null) return ANONYMOUS;
    // The deployment's own calls check its token. For all other calls, its holder is anonymous.
    if (isDeploymentToken(credential.secret)) return { kind: "anonymous", deploymentToken: credential.secret };
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

  async function authenticateAgain(request: ReceivedRequest): Promise<Actor> {
    const credential = readRequestCredential(request);
    return credential === null ? ANONYMOUS : authenticateHolder(credential.secret, request);
  }

  return { authenticate: authenticateRequest, authenticateAgain };
}

const isDeploymentToken = (secret: string) => secret.startsWith("dpt_") && parseSecretKind(secret) === "dpt";

/** Returns the route pattern without parameters: paths and queries may contain secrets. */
function describeRequest({ id, method, routeOptions }: ReceivedRequest): Record<string, unknown> {
  return { method, route: routeOptions.url ?? null, request_id: id };
}
