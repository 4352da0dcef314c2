import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isOpenAIPath } from "../../platform/core/errors/envelopes.ts";
import { type MethodLookup, unknownCall } from "../methods.ts";

const MAX_AGE_SECONDS = "86400";
/** Paths of the OAuth provider that applications in a browser call. None of their responses depends on a cookie. */
const OAUTH_PATHS: readonly string[] = [
  "/api/oauth/token",
  "/api/oauth/revoke",
  "/api/oauth/device",
  "/api/oauth/userinfo",
  "/api/.well-known/oauth-authorization-server",
];

/**
 * Returns the CORS headers with which pages of other sites can call models with a key of their user and get tokens for it.
 * Cookies never work there: with `*` as the origin, browsers withhold responses to requests with credentials.
 */
export function corsHeadersFor({ origin }: IncomingHttpHeaders): Record<string, string> {
  if (origin === undefined) return {};
  return { "access-control-allow-origin": "*", "access-control-expose-headers": "*" };
}

/** Sets these headers on responses of the calls to models, and of those of the OAuth provider. */
export function setCorsHeaders({ url, headers }: FastifyRequest, reply: FastifyReply): void {
  if (isCorsPath(url)) reply.headers(corsHeadersFor(headers));
}

function isCorsPath(url: string): boolean {
  return isOpenAIPath(url) || OAUTH_PATHS.includes((url.split("?")[0] ?? "").replace(/\/$/, ""));
}

/** Registers the preflight routes, which return the methods that the contract has for the path. */
export function registerCorsPreflight(app: FastifyInstance, findMethods: MethodLookup): void {
  for (const path of ["/api/v1/*", "/api/deployments/:id/v1/*", ...OAUTH_PATHS])
    app.options(path, async (request, reply) => {
      const requestedHeaders = request.headers["access-control-request-headers"];
      const methods = findMethods(request.url);
      if (methods.length === 0) throw unknownCall();
      const allowedMethods = [...methods, "OPTIONS"].join(", ");
      return reply
        .code(204)
        .header("allow", allowedMethods)
        .header("access-control-allow-origin", "*")
        .header("access-control-allow-methods", allowedMethods)
        .header(
          "access-control-allow-headers",
          typeof requestedHeaders === "string" ? requestedHeaders : "authorization, content-type",
        )
        .header("access-control-max-age", MAX_AGE_SECONDS)
        .send();
    });
}
