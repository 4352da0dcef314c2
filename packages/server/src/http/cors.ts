import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isOpenAIPath } from "../core/errors/envelopes.ts";
import { errors } from "../core/errors/index.ts";
import type { Contract, ContractOperation } from "./contract.ts";

const MAX_AGE_SECONDS = "86400";
/** Called by browser applications with a user's access token. */
const USERINFO_PATH = "/api/oauth/userinfo";

/**
 * Sets CORS headers that let pages of other sites call models with a key of their user. Cookies never work there: with
 * `*` as the origin, browsers withhold responses to requests with credentials.
 */
export function setCorsHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const isCorsPath = isOpenAIPath(request.url) || request.url.split("?")[0] === USERINFO_PATH;
  if (request.headers.origin === undefined || !isCorsPath) return;
  reply.header("access-control-allow-origin", "*").header("access-control-expose-headers", "*");
}

/** Registers the preflight routes; they return the methods that the contract has for the path. */
export function registerCorsPreflight(app: FastifyInstance, { operations }: Pick<Contract, "operations">): void {
  const findMethods = createMethodLookup([...operations.values()]);
  for (const path of ["/api/v1/*", "/api/deployments/:id/v1/*", USERINFO_PATH])
    app.options(path, async (request, reply) => {
      const requestedHeaders = request.headers["access-control-request-headers"];
      const methods = findMethods(request.url);
      if (methods.length === 0)
        throw errors.notFound("There is no such call. The reference lists them all: /api/openapi.json");
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

/** Returns a function from URL to the methods of its path, empty for unknown paths. HEAD is included with GET. */
function createMethodLookup(operations: readonly Pick<ContractOperation, "method" | "path">[]) {
  const patterns = operations.map(({ method, path }) => ({
    methods: method === "GET" ? ["GET", "HEAD"] : [method],
    pattern: new RegExp(`^/api${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
  }));
  return (url: string): string[] => {
    const path = url.split("?")[0] ?? "/";
    return patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
  };
}
