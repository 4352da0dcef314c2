import type { components } from "@feather/openapi/schema";
import type { FastifyReply } from "fastify";
import type { DeviceCookie } from "../../../platform/core/http/device-cookie.ts";
import type { SessionCookie } from "../../../platform/core/http/session-cookie.ts";
import type { ToUserDto } from "../users/user.dto.ts";
import type { StartedSession } from "./auth.usecases.ts";
import type { SessionUseCases } from "./sessions.usecases.ts";

type User = components["schemas"]["User"];
type Deps = {
  sessions: SessionUseCases;
  sessionCookie: SessionCookie;
  deviceCookie: DeviceCookie;
  toUserDto: ToUserDto;
};

/** Sets the cookies of a new session and returns its user. */
export type CompleteSignIn = (reply: FastifyReply, session: StartedSession) => Promise<User>;

/**
 * Creates the last step of every sign-in. It revokes the session of the request, and sets the cookies of the new session
 * and of the device.
 */
export function createCompleteSignIn({ sessions, sessionCookie, deviceCookie, toUserDto }: Deps): CompleteSignIn {
  return async (reply, session) => {
    const wasImpersonating = await sessions.replace(reply.request.actor);
    if (wasImpersonating) sessionCookie.unmarkImpersonation(reply);
    sessionCookie.grant(reply, session);
    deviceCookie.grant(reply, { id: session.userId, password_changed_at: session.passwordChangedAt });
    return toUserDto(session.userId);
  };
}
