import type { FastifyRequest } from "fastify";
import type { Authenticator } from "../modules/identity/authenticator.ts";
import { SESSION_COOKIE } from "../modules/identity/identity.routes.ts";
import { AppError } from "../shared/errors.ts";
import { type Actor, ANONYMOUS } from "./actor.ts";
import { presentedCredential } from "./credentials.ts";
import { refuseCrossSiteWrite } from "./csrf.ts";

/** Finds out who makes a request. A cookie that has ended counts as none; a key that is wrong is refused. */
export function createRequestAuthenticator(authenticator: Authenticator): (request: FastifyRequest) => Promise<Actor> {
  return async (request) => {
    const { headers, method } = request;
    const presented = presentedCredential({
      authorization: headers.authorization,
      apiKeyHeader: headers["x-api-key"],
      sessionCookie: request.cookies[SESSION_COOKIE],
      query: request.query,
    });
    if (presented === null) return ANONYMOUS;
    if (presented.from === "header") return authenticator.authenticate(presented.secret);
    const site = headers["sec-fetch-site"];
    refuseCrossSiteWrite({ method, secFetchSite: Array.isArray(site) ? site[0] : site, origin: headers.origin, host: headers.host });
    try {
      return await authenticator.authenticate(presented.secret);
    } catch (error) {
      if (error instanceof AppError && error.status === 401) return ANONYMOUS;
      throw error;
    }
  };
}
