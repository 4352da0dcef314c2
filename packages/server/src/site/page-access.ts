import type { FastifyReply, FastifyRequest } from "fastify";
import { type Actor, ANONYMOUS } from "../platform/core/auth/actor.ts";
import type { Authenticator } from "../platform/core/auth/authenticator.ts";
import { AppError } from "../platform/core/errors/index.ts";
import { SESSION_COOKIE } from "../platform/core/http/session-cookie.ts";
import type { DecideAboutPage, PageDecision, PageGuard } from "./page-guard.ts";

/** Who may open which pages. It holds for a page and for what else is made of it, such as its Markdown or an entry of a list. */
export type PageAccess = {
  /** Returns the decisions for the caller of a request, whom the session cookie tells. */
  forCaller(request: FastifyRequest): Promise<DecideAboutPage>;
  /**
   * Returns the decisions for visitors without a session. What search engines, feed readers and link previews read follows
   * them whoever asks, so that shared caches may store it.
   */
  forVisitors(request: FastifyRequest): Promise<DecideAboutPage>;
};

/**
 * Creates the access to pages. While the database is unavailable, pages are shown to everybody, and the site's scripts
 * report the error.
 */
export function createPageAccess(guard: PageGuard, authenticator: Authenticator): PageAccess {
  async function decideFor(request: FastifyRequest, resolve: () => Promise<Actor>): Promise<DecideAboutPage> {
    try {
      return await guard(await resolve());
    } catch (error) {
      request.log.warn({ err: error, request_id: request.id }, "pages are shown without asking who may see them");
      return () => ({ action: "show" });
    }
  }

  return {
    forCaller: (request) => decideFor(request, () => resolveActor(authenticator, request.cookies[SESSION_COOKIE])),
    forVisitors: (request) => decideFor(request, async () => ANONYMOUS),
  };
}

/** Sends the redirect of a decision. Other callers may get the page, so it must not be stored. */
export function sendRedirect(
  reply: FastifyReply,
  { status, location }: Extract<PageDecision, { action: "redirect" }>,
): FastifyReply {
  return reply.headers({ location, "cache-control": "no-store", vary: "cookie" }).code(status).send();
}

/** Returns the caller. One with an expired session is anonymous. */
async function resolveActor(authenticator: Authenticator, session: string | undefined): Promise<Actor> {
  if (!session) return ANONYMOUS;
  try {
    return await authenticator.authenticate(session);
  } catch (error) {
    if (error instanceof AppError && error.status === 401) return ANONYMOUS;
    throw error;
  }
}
