import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isOpenAIPath, renderError } from "../http/error-envelopes.ts";
import { knows } from "../http/etag.ts";
import { SESSION_COOKIE } from "../http/session-cookie.ts";
import { notFound } from "../shared/errors.ts";
import type { PageFacts } from "./found.ts";

/** Answers with the page at a path, for somebody with a session or without. */
type DrawPage = (path: string, visitor: boolean) => Promise<{ facts: PageFacts; html: string }>;

/** What is asked for like a file that the build does not have; names of models may look so too. */
const FILE = /\.[a-z0-9]{2,5}$/i;

/** Serves the page of the site for every address that a person may open; `draw` is null where no site was built. */
export function servePages(app: FastifyInstance, draw: DrawPage | null): void {
  app.setNotFoundHandler(async (request, reply) => refuse(reply, pathOf(request), request.id));
  if (draw === null) return;
  app.get("/*", async (request, reply) => {
    const path = pathOf(request);
    if (/^\/api(\/|$)/.test(path)) return refuse(reply, path, request.id);
    const { facts, html } = await draw(path, !request.cookies[SESSION_COOKIE]);
    if (facts.status === 404 && FILE.test(path)) return refuse(reply, path, request.id);
    const etag = `W/"${createHash("sha256").update(html).digest("base64url").slice(0, 27)}"`;
    // Whoever is signed in gets another document: neither is kept for the other.
    reply.headers({ etag, "cache-control": "private, no-cache", vary: "cookie" });
    if (facts.status === 200 && knows(request.headers["if-none-match"], etag)) return reply.code(304).send();
    return reply.code(facts.status).type("text/html; charset=utf-8").send(html);
  });
}

const pathOf = ({ url }: FastifyRequest) => url.split("?")[0] ?? "/";

function refuse(reply: FastifyReply, path: string, requestId: string) {
  const error = isOpenAIPath(path)
    ? notFound("There is no such call. The reference lists them all: /api/openapi.json")
    : notFound();
  return reply
    .code(404)
    .type("application/json")
    .send(JSON.stringify(renderError(error, path, requestId)));
}
