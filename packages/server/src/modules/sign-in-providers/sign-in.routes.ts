import type { FastifyReply } from "fastify";
import { impersonatorOf, signedIn } from "../../http/actor.ts";
import type { AddressLimits } from "../../http/address-limits.ts";
import type { Handlers } from "../../http/bind.ts";
import type { DeviceCookie } from "../../http/device-cookie.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import { createBeginSession } from "../identity/begin-session.ts";
import { answerSignIn, visitor } from "../identity/identity.routes.ts";
import { tidyState } from "../identity/registration-state.ts";
import type { Sessions } from "../identity/sessions.usecases.ts";
import type { UserPresenter } from "../identity/user.present.ts";
import type { Departure, ProviderSignIn } from "./sign-in.usecases.ts";

type Deps = {
  providerSignIn: ProviderSignIn;
  sessions: Sessions;
  presentUser: UserPresenter;
  sessionCookie: SessionCookie;
  deviceCookie: DeviceCookie;
  limits: AddressLimits;
  secureCookies: boolean;
};

/** Binds a sign-in in progress to the browser that started it. */
const VISIT_COOKIE = "sign_in_visit";

/** Handlers that start and finish sign-ins with a provider, and that link and unlink providers. */
export function providerSignInRoutes(deps: Deps): Handlers {
  const { providerSignIn, presentUser, limits, secureCookies } = deps;
  const beginSession = createBeginSession(deps);
  const cookie = { path: "/api/auth", httpOnly: true, sameSite: "lax", secure: secureCookies } as const;

  function sendOff(reply: FastifyReply, { redirectTo, browserSecret }: Departure) {
    reply.setCookie(VISIT_COOKIE, browserSecret, cookie).header("cache-control", "no-store");
    return { redirect_to: redirectTo };
  }

  return {
    "auth.providers": async () => ({ items: providerSignIn.list() }),

    "auth.connect": async ({ path, query, request, reply }) => {
      await limits.spend("login", request.ip);
      return sendOff(reply, await providerSignIn.start(path.provider, tidyState(query)));
    },

    "auth.link": async ({ actor, path, body, request, reply }) => {
      const user = signedIn(actor);
      await limits.spend("login", request.ip, user.userId);
      const { returnTo } = tidyState({ returnTo: body.returnTo });
      return sendOff(
        reply,
        await providerSignIn.startLinking(path.provider, user, { password: body.password, returnTo }),
      );
    },

    "auth.callback": async ({ actor, path, body, request, reply }) => {
      await limits.spend("login", request.ip);
      reply.clearCookie(VISIT_COOKIE, cookie);
      const back = { ...body, browserSecret: request.cookies[VISIT_COOKIE] };
      const outcome = await providerSignIn.finish(path.provider, actor, back, visitor(request));
      if (outcome === "linked") {
        const user = signedIn(actor);
        return presentUser(user.userId, { organizationId: user.organizationId, impersonatedBy: impersonatorOf(user) });
      }
      return answerSignIn(outcome, reply, beginSession);
    },

    "auth.disconnect": async ({ actor, path, body, request }) => {
      const user = signedIn(actor);
      await limits.spend("login", request.ip, user.userId);
      await providerSignIn.disconnect(path.provider, user, body?.password);
      return undefined;
    },
  };
}
