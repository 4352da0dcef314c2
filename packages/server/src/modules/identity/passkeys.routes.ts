import { randomBytes } from "node:crypto";
import type { components } from "@feather/openapi/schema";
import { type SignedIn, signedIn } from "../../http/actor.ts";
import type { AddressLimits } from "../../http/address-limits.ts";
import type { Handlers } from "../../http/bind.ts";
import type { DeviceCookie } from "../../http/device-cookie.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import { createBeginSession } from "./begin-session.ts";
import { visitor } from "./identity.routes.ts";
import type { Identity } from "./identity.usecases.ts";
import type { PasskeyRow } from "./passkeys.repository.ts";
import type { Passkeys } from "./passkeys.usecases.ts";
import type { Reauthenticate } from "./proof.ts";
import type { Sessions } from "./sessions.usecases.ts";
import type { SignInLog } from "./sign-in-log.ts";
import type { UserPresenter } from "./user.present.ts";

type Deps = {
  passkeys: Passkeys;
  identity: Identity;
  sessions: Sessions;
  signInLog: SignInLog;
  reauthenticate: Reauthenticate;
  limits: AddressLimits;
  presentUser: UserPresenter;
  sessionCookie: SessionCookie;
  deviceCookie: DeviceCookie;
  secureCookies: boolean;
};

/** Binds the challenge of a sign-in to the browser that requested it. */
const VISIT_COOKIE = "passkey_visit";
const VISIT_SECRET = /^[\w-]{43}$/;

/** Handlers that manage the caller's passkeys and sign in with one. */
export function passkeyRoutes(deps: Deps): Handlers {
  const { passkeys, identity, signInLog, reauthenticate, limits, secureCookies } = deps;
  const beginSession = createBeginSession(deps);
  const cookie = { path: "/api/auth", httpOnly: true, sameSite: "strict", secure: secureCookies } as const;

  async function prove(actor: SignedIn, ip: string, password: string | undefined) {
    await limits.spend("login", ip, actor.userId);
    return reauthenticate(actor, password);
  }

  return {
    "auth.passkeys.list": async ({ actor }) => ({
      items: (await passkeys.list(signedIn(actor).userId)).map(toPasskeyDto),
    }),

    "auth.passkeys.beginRegistration": async ({ actor, body, request, reply }) => {
      const user = signedIn(actor);
      const account = await prove(user, request.ip, body?.password);
      reply.header("cache-control", "no-store");
      return passkeys.beginRegistration(user, account);
    },

    "auth.passkeys.register": async ({ actor, body, request, reply }) => {
      const user = signedIn(actor);
      await limits.spend("code", request.ip, user.userId);
      const { row, recoveryCodes } = await passkeys.register(user, body);
      reply.header("cache-control", "no-store");
      return { passkey: toPasskeyDto(row), recovery_codes: recoveryCodes };
    },

    "auth.passkeys.update": async ({ actor, path, body }) =>
      toPasskeyDto(await passkeys.rename(signedIn(actor), path.id, body.name)),

    "auth.passkeys.delete": async ({ actor, path, body, request }) => {
      const user = signedIn(actor);
      await prove(user, request.ip, body?.password);
      await passkeys.remove(user, path.id);
      return undefined;
    },

    "auth.passkeys.beginSignIn": async ({ request, reply }) => {
      await limits.spend("passkey", request.ip);
      const present = request.cookies[VISIT_COOKIE];
      // Reused, so that two tabs of one browser can both sign in.
      const secret =
        present !== undefined && VISIT_SECRET.test(present) ? present : randomBytes(32).toString("base64url");
      const options = await passkeys.beginSignIn(secret);
      reply.setCookie(VISIT_COOKIE, secret, cookie).header("cache-control", "no-store");
      return options;
    },

    "auth.passkeys.signIn": async ({ body, request, reply }) => {
      await limits.spend("login", request.ip);
      const userId = await passkeys.signIn(body.credential, request.cookies[VISIT_COOKIE], (userId, code) =>
        signInLog.failed({
          userId,
          email: null,
          ip: request.ip,
          reason: code === "passkey_counter" ? "passkey_counter" : "wrong_passkey",
        }),
      );
      const session = await identity.signInWithPasskey(userId, visitor(request));
      reply.clearCookie(VISIT_COOKIE, cookie);
      return beginSession(reply, session);
    },
  };
}

function toPasskeyDto(row: PasskeyRow): components["schemas"]["Passkey"] {
  return {
    id: row.id,
    name: row.name,
    synced: row.backed_up,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
