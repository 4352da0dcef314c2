import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound } from "../shared/errors.ts";
import type { Contract, ContractOperation } from "./contract.ts";
import { isOpenAIPath } from "./error-envelopes.ts";

const DAY = "86400";
/** Asked by programs in browsers that a user has allowed, with their access token. */
const USERINFO = "/api/oauth/userinfo";

/**
 * Lets pages of other sites call models with a key of their user. Cookies are never part of it: browsers hand no answer
 * to a page that sent them, because no site is named as trusted.
 */
export function allowOtherSites(request: FastifyRequest, reply: FastifyReply): void {
  const isOpen = isOpenAIPath(request.url) || request.url.split("?")[0] === USERINFO;
  if (request.headers.origin === undefined || !isOpen) return;
  reply.header("access-control-allow-origin", "*").header("access-control-expose-headers", "*");
}

/** Answers what browsers ask before such a call, with the methods that the contract has for its path. */
export function answerCorsQuestions(app: FastifyInstance, { operations }: Pick<Contract, "operations">): void {
  const methodsOf = createMethodLookup([...operations.values()]);
  for (const path of ["/api/v1/*", "/api/deployments/:id/v1/*", USERINFO])
    app.options(path, async (request, reply) => {
      const wanted = request.headers["access-control-request-headers"];
      const methods = methodsOf(request.url);
      if (methods.length === 0)
        throw notFound("There is no such call. The reference lists them all: /api/openapi.json");
      const allow = [...methods, "OPTIONS"].join(", ");
      return reply
        .code(204)
        .header("allow", allow)
        .header("access-control-allow-origin", "*")
        .header("access-control-allow-methods", allow)
        .header("access-control-allow-headers", typeof wanted === "string" ? wanted : "authorization, content-type")
        .header("access-control-max-age", DAY)
        .send();
    });
}

/** Returns the methods of a path; none where no operation has it. What can be read with GET can be with HEAD. */
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
