import { randomBytes } from "node:crypto";
import type { components } from "@feather/openapi/schema";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import type { DeviceCookie } from "../../platform/core/http/device-cookie.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { RateLimiter } from "../../platform/core/http/rate-limits.ts";
import type { SessionCookie } from "../../platform/core/http/session-cookie.ts";
import { toClientInfo } from "./auth.routes.ts";
import type { PasskeyRow } from "./passkeys/passkeys.repository.ts";
import type { PasskeyUseCases } from "./passkeys/passkeys.usecases.ts";
import type { ReauthenticateUser } from "./passwords/reauthentication.ts";
import type { AuthUseCases } from "./sessions/auth.usecases.ts";
import { createCompleteSignIn } from "./sessions/complete-sign-in.ts";
import type { SessionUseCases } from "./sessions/sessions.usecases.ts";
import type { SignInLog } from "./sign-in-log.ts";
import type { ToUserDto } from "./users/user.dto.ts";

type Deps = {
  passkeys: PasskeyUseCases;
  auth: AuthUseCases;
  sessions: SessionUseCases;
  signInLog: SignInLog;
  reauthenticateUser: ReauthenticateUser;
  limits: RateLimiter;
  toUserDto: ToUserDto;
  sessionCookie: SessionCookie;
  deviceCookie: DeviceCookie;
  secureCookies: boolean;
};

/** The cookie that binds the challenge of a sign-in to the browser that requested it. */
const CHALLENGE_COOKIE = "passkey_visit";
const CHALLENGE_SECRET_PATTERN = /^[\w-]{43}$/;

/** Handlers that manage the caller's passkeys and sign in with one. */
export function createPasskeyRoutes(deps: Deps): Handlers {
  const { passkeys, auth, signInLog, reauthenticateUser, limits, secureCookies } = deps;
  const completeSignIn = createCompleteSignIn(deps);
  const cookie = { path: "/api/auth", httpOnly: true, sameSite: "strict", secure: secureCookies } as const;

  async function limitAndReauthenticate(actor: SignedInActor, ip: string, password: string | undefined) {
    await limits.consume("login", ip, actor.userId);
    return reauthenticateUser(actor, password);
  }

  return {
    "auth.passkeys.list": async ({ actor }) => ({
      items: (await passkeys.list(actor.userId)).map(toPasskeyDto),
    }),

    "auth.passkeys.beginRegistration": async ({ actor, body, request, reply }) => {
      const user = actor;
      const account = await limitAndReauthenticate(user, request.ip, body?.password);
      reply.header("cache-control", "no-store");
      return passkeys.beginRegistration(user, account);
    },

    "auth.passkeys.register": async ({ actor, body, request, reply }) => {
      const user = actor;
      await limits.consume("code", request.ip, user.userId);
      const { row, recoveryCodes } = await passkeys.register(user, body);
      reply.header("cache-control", "no-store");
      return { passkey: toPasskeyDto(row), recovery_codes: recoveryCodes };
    },

    "auth.passkeys.update": async ({ actor, path, body }) =>
      toPasskeyDto(await passkeys.rename(actor, path.id, body.name)),

    "auth.passkeys.delete": async ({ actor, path, body, request }) => {
      const user = actor;
      await limitAndReauthenticate(user, request.ip, body?.password);
      await passkeys.remove(user, path.id);
      return undefined;
    },

    "auth.passkeys.beginSignIn": async ({ request, reply }) => {
      await limits.consume("passkey", request.ip);
      const existing = request.cookies[CHALLENGE_COOKIE];
      // The cookie is reused, so that two tabs of one browser can both sign in.
      const secret =
        existing !== undefined && CHALLENGE_SECRET_PATTERN.test(existing)
          ? existing
          : randomBytes(32).toString("base64url");
      const options = await passkeys.beginSignIn(secret);
      reply.setCookie(CHALLENGE_COOKIE, secret, cookie).header("cache-control", "no-store");
      return options;
    },

    "auth.passkeys.signIn": async ({ body, request, reply }) => {
      await limits.consume("login", request.ip);
      const userId = await passkeys.signIn(body.credential, request.cookies[CHALLENGE_COOKIE], (userId, code) =>
        signInLog.recordFailedSignIn({
          userId,
          email: null,
          ip: request.ip,
          reason: code === "passkeys.counter" ? "passkey_counter" : "wrong_passkey",
        }),
      );
      const session = await auth.signInWithPasskey(userId, toClientInfo(request));
      reply.clearCookie(CHALLENGE_COOKIE, cookie);
      return completeSignIn(reply, session);
    },
  };
}

function toPasskeyDto(row: PasskeyRow): components["schemas"]["Passkey"] {
  return {
    id: row.id,
    name: row.name,
    synced: row.backed_up,
    signs_in_alone: row.signs_in_alone,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
