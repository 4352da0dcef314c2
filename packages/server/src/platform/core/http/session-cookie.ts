import type { FastifyReply } from "fastify";

/** Name of the session cookie. */
export const SESSION_COOKIE = "session";
/** Tells the site that an admin impersonates a user. It has no effect on authorization. */
const IMPERSONATION_COOKIE = "impersonate_as";

/** With the value `token`, a program requests the session token in the header `x-session-token`. */
const TRANSPORT_HEADER = "x-session-transport";

/** A new session and its secret. */
export type SessionGrant = { userId: string; secret: string; expiresAt: Date };

/**
 * Creates the functions that set and clear session cookies. `secure` is for sites served over HTTPS. `domain` applies only
 * to the impersonation cookie, which is host-only if it is undefined.
 */
export function createSessionCookie(secure: boolean, domain: string | undefined) {
  const attributes = { path: "/", sameSite: "lax", secure } as const;
  const domainAttribute = domain === undefined ? {} : { domain };
  return {
    /**
     * Signs the browser in. Programs without cookies can request the token in a header and send it as a bearer token.
     * Browsers never get it where scripts could read it.
     */
    grant(reply: FastifyReply, { secret, expiresAt }: SessionGrant): void {
      reply.setCookie(SESSION_COOKIE, secret, { ...attributes, httpOnly: true, expires: expiresAt });
      reply.header("cache-control", "no-store");
      if (reply.request.headers[TRANSPORT_HEADER] === "token") reply.header("x-session-token", secret);
    },
    clear(reply: FastifyReply): void {
      reply.clearCookie(SESSION_COOKIE, { path: "/" });
    },
    markImpersonation(reply: FastifyReply, { userId, expiresAt }: SessionGrant): void {
      reply.setCookie(IMPERSONATION_COOKIE, userId, { ...attributes, ...domainAttribute, expires: expiresAt });
    },
    unmarkImpersonation(reply: FastifyReply): void {
      reply.clearCookie(IMPERSONATION_COOKIE, { path: "/", ...domainAttribute });
    },
  };
}

export type SessionCookie = ReturnType<typeof createSessionCookie>;
