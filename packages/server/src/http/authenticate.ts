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

export type RequestAuthenticator = {
  /**
   * Finds out who makes a request. A cookie that has ended counts as none; a key that is wrong is refused. What an admin
   * does as somebody else is written into the audit log, request by request, also where it is refused afterwards.
   */
  authenticate(request: FastifyRequest): Promise<Actor>;
  /** The same once more while the request is still being answered. Throws when the credential no longer holds. */
  authenticateAgain(request: FastifyRequest): Promise<Actor>;
};

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
    // It opens one deployment, whose calls judge it themselves; everywhere else it is nobody's.
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

/** The route without what fills it: paths and queries may hold secrets of the user. */
function describe({ id, method, routeOptions }: FastifyRequest): Record<string, unknown> {
  return { method, route: routeOptions.url ?? null, request_id: id };
}
