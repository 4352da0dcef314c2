import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
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

/** Answers what browsers ask before such a call. */
export function answerCorsQuestions(app: FastifyInstance): void {
  for (const path of ["/api/v1/*", "/api/deployments/:id/v1/*", USERINFO])
    app.options(path, async (request, reply) => {
      const wanted = request.headers["access-control-request-headers"];
      return reply
        .code(204)
        .header("allow", "GET, HEAD, POST, OPTIONS")
        .header("access-control-allow-origin", "*")
        .header("access-control-allow-methods", "GET, HEAD, POST, OPTIONS")
        .header("access-control-allow-headers", typeof wanted === "string" ? wanted : "authorization, content-type")
        .header("access-control-max-age", DAY)
        .send();
    });
}
