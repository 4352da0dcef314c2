import { signedIn } from "../../http/actor.ts";
import type { AddressLimits } from "../../http/address-limits.ts";
import type { Handlers } from "../../http/bind.ts";
import type { DeviceCookie } from "../../http/device-cookie.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import { hashSecret, newSecret, type RandomBytes } from "../../shared/secrets.ts";
import type { IdentityRepository } from "./identity.repository.ts";
import { SESSION_IDLE } from "./identity.usecases.ts";
import type { PasswordReset } from "./password-reset.ts";
import type { Reauthenticate } from "./proof.ts";
import type { Sessions } from "./sessions.usecases.ts";
import type { SignInLog } from "./sign-in-log.ts";
import type { Totp } from "./totp.ts";

type Deps = {
  identities: IdentityRepository;
  sessions: Sessions;
  passwordReset: PasswordReset;
  totp: Totp;
  reauthenticate: Reauthenticate;
  signInLog: SignInLog;
  limits: AddressLimits;
  sessionCookie: SessionCookie;
  deviceCookie: DeviceCookie;
  clock: Clock;
  random?: RandomBytes;
};

/** Handlers of the caller's password, sessions and authenticator app. */
export function securityRoutes(deps: Deps): Handlers {
  const {
    identities,
    sessions,
    passwordReset,
    totp,
    reauthenticate,
    signInLog,
    limits,
    sessionCookie,
    deviceCookie,
    clock,
    random,
  } = deps;
  const now = () => clock.now();

  return {
    "auth.changePassword": async ({ actor, body, request, reply }) => {
      const user = signedIn(actor);
      const { userId, credential } = user;
      await limits.spend("login", request.ip, userId);
      const { current_password: current, password, end_keys: endKeys = false } = body;
      await passwordReset.change(user, { current, password, endKeys });
      if (credential.type !== "session") return undefined;
      const secret = newSecret("ses", random);
      const { expires_at } = await identities.rotateSession(credential.id, hashSecret(secret));
      sessionCookie.grant(reply, { userId, secret, expiresAt: expires_at });
      const owner = await identities.findWithOrganization(userId);
      if (owner) deviceCookie.grant(reply, owner);
      return undefined;
    },

    "auth.sessions.list": async ({ actor }) => {
      const { userId, credential } = signedIn(actor);
      const rows = await identities.listSessions(userId, now(), new Date(now().getTime() - SESSION_IDLE));
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
      await sessions.end(signedIn(actor), path.id);
      return undefined;
    },

    "auth.sessions.deleteOthers": async ({ actor }) => {
      await sessions.endOthers(signedIn(actor));
      return undefined;
    },

    "auth.totp.begin": async ({ actor, body, request, reply }) => {
      const user = signedIn(actor);
      await limits.spend("login", request.ip, user.userId);
      const { email } = await reauthenticate(user, body?.password);
      reply.header("cache-control", "no-store");
      return totp.begin(user.userId, email);
    },

    "auth.totp.confirm": async ({ actor, body, request }) => {
      const user = signedIn(actor);
      await limits.spend("code", request.ip, user.userId);
      return { recovery_codes: await totp.confirm(user, body.code) };
    },

    "auth.totp.disable": async ({ actor, body, request }) => {
      const user = signedIn(actor);
      await limits.spend("code", request.ip, user.userId);
      await reauthenticate(user, body.password);
      await totp.disable(user, body.code).catch(async (error: unknown) => {
        if (error instanceof AppError && error.code === "wrong_code")
          await signInLog.reauthenticationFailed(user, "wrong_code");
        throw error;
      });
      return undefined;
    },
  };
}
