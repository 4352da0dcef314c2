import type { FastifyReply } from "fastify";

export const SESSION_COOKIE = "session";
/** Tells the site that an admin acts as somebody else. It proves nothing, and no request is judged by it. */
const IMPERSONATION_COOKIE = "impersonate_as";

/** With the value `token` a program asks for the session's token in the header `x-session-token`. */
const TRANSPORT_HEADER = "x-session-transport";

export type GrantedSession = { userId: string; secret: string; expiresAt: Date };

/**
 * The cookies of a session. `secure` where the site has an encrypted connection; `domain` is that of the mark of
 * impersonation, the host alone where it is undefined.
 */
export function createSessionCookie(secure: boolean, domain: string | undefined) {
  const attributes = { path: "/", sameSite: "lax", secure } as const;
  const ofDomain = domain === undefined ? {} : { domain };
  return {
    /**
     * Signs the browser in. Programs, which keep no cookies, ask for the token in a header and send it as a bearer; a
     * browser never gets it in a place that scripts can read.
     */
    grant(reply: FastifyReply, { secret, expiresAt }: GrantedSession): void {
      reply.setCookie(SESSION_COOKIE, secret, { ...attributes, httpOnly: true, expires: expiresAt });
      reply.header("cache-control", "no-store");
      if (reply.request.headers[TRANSPORT_HEADER] === "token") reply.header("x-session-token", secret);
    },
    clear(reply: FastifyReply): void {
      reply.clearCookie(SESSION_COOKIE, { path: "/" });
    },
    markImpersonation(reply: FastifyReply, { userId, expiresAt }: GrantedSession): void {
      reply.setCookie(IMPERSONATION_COOKIE, userId, { ...attributes, ...ofDomain, expires: expiresAt });
    },
    unmarkImpersonation(reply: FastifyReply): void {
      reply.clearCookie(IMPERSONATION_COOKIE, { path: "/", ...ofDomain });
    },
  };
}

export type SessionCookie = ReturnType<typeof createSessionCookie>;
