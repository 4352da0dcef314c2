import type { FastifyRequest } from "fastify";
import { inNetworks } from "../modules/api-keys/networks.ts";
import type { Audit } from "../modules/audit/audit.ts";
import { type Authenticator, addressNotAllowed } from "../modules/identity/authenticator.ts";
import { AppError } from "../shared/errors.ts";
import { secretKind } from "../shared/secrets.ts";
import { type Actor, ANONYMOUS, impersonatorOf, type SignedIn } from "./actor.ts";
import { presentedCredential } from "./credentials.ts";
import { crossSite, isCrossSiteWrite } from "./csrf.ts";
import { HolderRefused } from "./denials.ts";
import { SESSION_COOKIE } from "./session-cookie.ts";

/** Authenticates requests by header or session cookie. */
export type RequestAuthenticator = {
  /**
   * Returns the caller. An expired cookie counts as anonymous; an invalid key throws 401. Requests during impersonation
   * are written to the audit log, even if they are refused afterwards.
   */
  authenticate(request: FastifyRequest): Promise<Actor>;
  /**
   * Repeats the check while a response is still being sent, without the audit log. Throws when the credential is no
   * longer valid.
   */
  authenticateAgain(request: FastifyRequest): Promise<Actor>;
};

/** Authenticates requests; session cookies are refused on cross-site writes. */
export function createRequestAuthenticator(
  authenticator: Authenticator,
  audit: Audit,
  publicUrl: string,
): RequestAuthenticator {
  const present = ({ headers, cookies, query }: FastifyRequest) =>
    presentedCredential({
      authorization: headers.authorization,
      apiKeyHeader: headers["x-api-key"],
      sessionCookie: cookies[SESSION_COOKIE],
      query,
    });

  async function holder(secret: string, { ip }: FastifyRequest): Promise<SignedIn> {
    const actor: SignedIn = { ...(await authenticator.authenticate(secret)), ip };
    const { credential } = actor;
    if (credential.type === "key" && !inNetworks(ip, credential.limits.ipAllowlist))
      throw new HolderRefused(addressNotAllowed(ip), actor);
    return actor;
  }

  async function authenticate(secret: string, request: FastifyRequest): Promise<SignedIn> {
    const actor = await holder(secret, request);
    if (impersonatorOf(actor) !== null)
      await audit.record({ actor, action: "impersonation.request", details: describe(request) });
    return actor;
  }

  async function authenticateRequest(request: FastifyRequest): Promise<Actor> {
    const { headers, method, protocol } = request;
    const presented = present(request);
    if (presented === null) return ANONYMOUS;
    // A deployment token is checked by the deployment's own calls; elsewhere its holder is anonymous.
    if (secretKind(presented.secret) === "dpt") return { kind: "anonymous", deploymentToken: presented.secret };
    if (presented.from === "header") return authenticate(presented.secret, request);
    const site = headers["sec-fetch-site"];
    const sources = {
      method,
      secFetchSite: Array.isArray(site) ? site[0] : site,
      origin: headers.origin,
      host: headers.host,
      protocol,
      publicUrl,
    };
    if (isCrossSiteWrite(sources)) {
      const actor = await holder(presented.secret, request).catch(() => null);
      throw actor === null ? crossSite() : new HolderRefused(crossSite(), actor);
    }
    try {
      return await authenticate(presented.secret, request);
    } catch (error) {
      if (error instanceof AppError && error.status === 401) return ANONYMOUS;
      throw error;
    }
  }

  async function authenticateAgain(request: FastifyRequest): Promise<Actor> {
    const presented = present(request);
    return presented === null ? ANONYMOUS : holder(presented.secret, request);
  }

  return { authenticate: authenticateRequest, authenticateAgain };
}

/** The route pattern without parameters: paths and queries may contain secrets. */
function describe({ id, method, routeOptions }: FastifyRequest): Record<string, unknown> {
  return { method, route: routeOptions.url ?? null, request_id: id };
}
