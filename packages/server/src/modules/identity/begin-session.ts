import type { components } from "@feather/openapi/schema";
import type { FastifyReply } from "fastify";
import type { DeviceCookie } from "../../http/device-cookie.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import type { StartedSession } from "./identity.usecases.ts";
import type { Sessions } from "./sessions.usecases.ts";
import type { UserPresenter } from "./user.present.ts";

type User = components["schemas"]["User"];
type Deps = {
  sessions: Sessions;
  sessionCookie: SessionCookie;
  deviceCookie: DeviceCookie;
  presentUser: UserPresenter;
};

/** Sets the cookies of a new session and returns its user. */
export type BeginSession = (reply: FastifyReply, started: StartedSession) => Promise<User>;

/**
 * Creates the last step of every sign-in: it revokes the session that the request came with, and sets the cookies of the
 * new session and of the device.
 */
export function createBeginSession({ sessions, sessionCookie, deviceCookie, presentUser }: Deps): BeginSession {
  return async (reply, started) => {
    const wasImpersonating = await sessions.replace(reply.request.actor);
    if (wasImpersonating) sessionCookie.unmarkImpersonation(reply);
    sessionCookie.grant(reply, started);
    deviceCookie.grant(reply, { id: started.userId, password_changed_at: started.passwordChangedAt });
    return presentUser(started.userId);
  };
}
