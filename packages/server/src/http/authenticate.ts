import type { FastifyRequest } from "fastify";
import { inNetworks } from "../modules/api-keys/networks.ts";
import { type Authenticator, addressNotAllowed } from "../modules/identity/authenticator.ts";
import { SESSION_COOKIE } from "../modules/identity/identity.routes.ts";
import { AppError } from "../shared/errors.ts";
import { type Actor, ANONYMOUS, type SignedIn } from "./actor.ts";
import { presentedCredential } from "./credentials.ts";
import { refuseCrossSiteWrite } from "./csrf.ts";

/** Finds out who makes a request. A cookie that has ended counts as none; a key that is wrong is refused. */
export function createRequestAuthenticator(authenticator: Authenticator): (request: FastifyRequest) => Promise<Actor> {
  async function authenticate(secret: string, ip: string): Promise<SignedIn> {
    const actor = await authenticator.authenticate(secret);
    const { credential } = actor;
    if (credential.type === "key" && !inNetworks(ip, credential.limits.ipAllowlist)) throw addressNotAllowed(ip);
    return actor;
  }

  return async (request) => {
    const { headers, method } = request;
    const presented = presentedCredential({
      authorization: headers.authorization,
      apiKeyHeader: headers["x-api-key"],
      sessionCookie: request.cookies[SESSION_COOKIE],
      query: request.query,
    });
    if (presented === null) return ANONYMOUS;
    if (presented.from === "header") return authenticate(presented.secret, request.ip);
    const site = headers["sec-fetch-site"];
    refuseCrossSiteWrite({
      method,
      secFetchSite: Array.isArray(site) ? site[0] : site,
      origin: headers.origin,
      host: headers.host,
    });
    try {
      return await authenticate(presented.secret, request.ip);
    } catch (error) {
      if (error instanceof AppError && error.status === 401) return ANONYMOUS;
      throw error;
    }
  };
}
