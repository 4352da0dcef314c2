import type { components } from "@feather/openapi/schema";
import type { FastifyReply } from "fastify";
import type { SessionCookie } from "../../http/session-cookie.ts";
import type { StartedSession } from "./identity.usecases.ts";
import type { Sessions } from "./sessions.usecases.ts";
import type { UserPresenter } from "./user.present.ts";

type User = components["schemas"]["User"];
type Deps = { sessions: Sessions; sessionCookie: SessionCookie; presentUser: UserPresenter };

export type BeginSession = (reply: FastifyReply, started: StartedSession) => Promise<User>;

/** What every way to sign in ends with: the new session's cookie in place of the session that the request came with. */
export function createBeginSession({ sessions, sessionCookie, presentUser }: Deps): BeginSession {
  return async (reply, started) => {
    const wasImpersonating = await sessions.replace(reply.request.actor);
    if (wasImpersonating) sessionCookie.unmarkImpersonation(reply);
    sessionCookie.grant(reply, started);
    return presentUser(started.userId);
  };
}
