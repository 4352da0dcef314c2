import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isMisspelledCall, misspelledCall, unknownCall } from "../http/methods.ts";
import { isOpenAIPath, renderError } from "../platform/core/errors/envelopes.ts";
import { type AppError, errors } from "../platform/core/errors/index.ts";
import { matchesETag } from "../platform/core/http/etag.ts";
import { SESSION_COOKIE } from "../platform/core/http/session-cookie.ts";
import { type PageAccess, sendRedirect } from "./page-access.ts";
import type { PageMetadata } from "./page-metadata.ts";

/** Renders pages and decides about access to them. */
export type Pages = {
  /** Renders the page at a path, for visitors or signed-in users; `isMissing` renders the 404 page. */
  render(
    path: string,
    options: { isVisitor: boolean; isMissing: boolean },
  ): Promise<{ page: PageMetadata; html: string }>;
  access: PageAccess;
};

/** Matches paths that look like missing files of the build. Model names may look like that too. */
const FILE_PATTERN = /\.[a-z0-9]{2,5}$/i;

/** Serves a page for every path that is not a file. `pages` is null if no site was built. */
export function servePages(app: FastifyInstance, pages: Pages | null): void {
  app.setNotFoundHandler(async (request, reply) => sendNotFound(request, reply));
  if (pages === null) return;
  app.get("/*", async (request, reply) => {
    const path = pathOf(request);
    if (/^\/api(\/|$)/.test(path) || isMisspelledCall(path)) return sendNotFound(request, reply);
    const decide = await pages.access.forCaller(request);
    const decision = decide(request.url);
    if (decision.action === "redirect") return sendRedirect(reply, decision);
    const isMissing = decision.action === "missing";
    const { page, html } = await pages.render(path, { isVisitor: !request.cookies[SESSION_COOKIE], isMissing });
    if (page.status === 404 && FILE_PATTERN.test(path) && !isForPerson(request)) return sendNotFound(request, reply);
    const etag = `W/"${createHash("sha256").update(html).digest("base64url").slice(0, 27)}"`;
    // Signed-in users get another document, so caches must not share it.
    reply.headers({ etag, "cache-control": "private, no-cache", vary: "cookie" });
    if (page.status === 200 && matchesETag(request.headers["if-none-match"], etag)) return reply.code(304).send();
    return reply.code(page.status).type("text/html; charset=utf-8").send(html);
  });
}

/** Returns whether a browser opens the address as a page, not as a script, a picture or data. */
function isForPerson({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes("text/html") === true;
}

const pathOf = ({ url }: FastifyRequest) => url.split("?")[0] ?? "/";

function sendNotFound(request: FastifyRequest, reply: FastifyReply) {
  const { path, error } = findMistake(request);
  return reply
    .code(404)
    .type("application/json")
    .send(JSON.stringify(renderError(error, path, request.id)));
}

/** Returns the error for an address, and the path that determines its envelope. */
function findMistake(request: FastifyRequest): { path: string; error: AppError } {
  const path = pathOf(request);
  const sentPath = request.originalUrl.split("?")[0] ?? "/";
  if (isMisspelledCall(sentPath)) {
    const { meant, error } = misspelledCall(sentPath);
    return { path: meant, error };
  }
  return { path, error: isOpenAIPath(path) ? unknownCall() : errors.notFound() };
}
