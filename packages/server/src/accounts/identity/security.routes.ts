import type { Clock } from "../../platform/core/clock.ts";
import { hasCode } from "../../platform/core/errors/index.ts";
import type { DeviceCookie } from "../../platform/core/http/device-cookie.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { RateLimiter } from "../../platform/core/http/rate-limits.ts";
import type { SessionCookie } from "../../platform/core/http/session-cookie.ts";
import { createSecret, hashSecret, type RandomBytes } from "../../platform/core/secrets/secrets.ts";
import type { PasswordResetUseCases } from "./account/password-reset.usecases.ts";
import type { ReauthenticateUser } from "./passwords/reauthentication.ts";
import type { TotpUseCases } from "./second-factors/totp.usecases.ts";
import { SESSION_IDLE_TIMEOUT_MS } from "./sessions/auth.usecases.ts";
import type { SessionUseCases } from "./sessions/sessions.usecases.ts";
import type { SignInLog } from "./sign-in-log.ts";
import type { UsersRepository } from "./users/users.repository.ts";

type Deps = {
  usersRepository: UsersRepository;
  sessions: SessionUseCases;
  passwordReset: PasswordResetUseCases;
  totp: TotpUseCases;
  reauthenticateUser: ReauthenticateUser;
  signInLog: SignInLog;
  limits: RateLimiter;
  sessionCookie: SessionCookie;
  deviceCookie: DeviceCookie;
  clock: Clock;
  random?: RandomBytes;
};

/** Handlers of the caller's password, sessions and authenticator app. */
export function createSecurityRoutes(deps: Deps): Handlers {
  return { ...createSessionRoutes(deps), ...createTotpRoutes(deps) };
}

/** Handlers of the caller's password and sessions. */
function createSessionRoutes(deps: Deps): Handlers {
  const { usersRepository, sessions, passwordReset, limits, sessionCookie, deviceCookie, clock, random } = deps;
  const now = () => clock.now();

  return {
    "auth.changePassword": async ({ actor, body, request, reply }) => {
      const user = actor;
      const { userId, credential } = user;
      await limits.consume("login", request.ip, userId);
      const { current_password: currentPassword, password, end_keys: endKeys = false } = body;
      await passwordReset.change(user, { currentPassword, password, endKeys });
      if (credential.type !== "session") return undefined;
      const secret = createSecret("ses", random);
      const { expires_at } = await usersRepository.rotateSession(credential.id, hashSecret(secret));
      sessionCookie.grant(reply, { userId, secret, expiresAt: expires_at });
      const owner = await usersRepository.findWithOrganization(userId);
      if (owner) deviceCookie.grant(reply, owner);
      return undefined;
    },

    "auth.sessions.list": async ({ actor }) => {
      const { userId, credential } = actor;
      const rows = await usersRepository.listSessions(
        userId,
        now(),
        new Date(now().getTime() - SESSION_IDLE_TIMEOUT_MS),
      );
      return {
        items: rows.map((row) => ({
          id: row.id,
          ip: row.ip,
          user_agent: row.user_agent,
          current: credential.type === "session" && credential.id === row.id,
          created_at: row.created_at.toISOString(),
          last_seen_at: row.last_seen_at.toISOString(),
          expires_at: row.expires_at.toISOString(),
        })),
      };
    },

    "auth.sessions.delete": async ({ actor, path }) => {
      await sessions.revoke(actor, path.id);
      return undefined;
    },

    "auth.sessions.deleteOthers": async ({ actor }) => {
      await sessions.revokeOthers(actor);
      return undefined;
    },
  };
}

/** Handlers of the caller's authenticator app. */
function createTotpRoutes({ totp, reauthenticateUser, signInLog, limits }: Deps): Handlers {
  return {
    "auth.totp.begin": async ({ actor, body, request, reply }) => {
      const user = actor;
      await limits.consume("login", request.ip, user.userId);
      const { email } = await reauthenticateUser(user, body?.password);
      reply.header("cache-control", "no-store");
      return totp.begin(user.userId, email);
    },

    "auth.totp.confirm": async ({ actor, body, request }) => {
      const user = actor;
      await limits.consume("code", request.ip, user.userId);
      return { recovery_codes: await totp.confirm(user, body.code) };
    },

    "auth.totp.disable": async ({ actor, body, request }) => {
      const user = actor;
      await limits.consume("code", request.ip, user.userId);
      await reauthenticateUser(user, body.password);
      await totp.disable(user, body.code).catch(async (error: unknown) => {
        if (hasCode(error, "auth.wrong_code")) await signInLog.recordFailedReauthentication(user, "wrong_code");
        throw error;
      });
      return undefined;
    },
  };
}
