import type { FastifyReply } from "fastify";
import { impersonatorOf, requireSignedIn } from "../../platform/core/auth/actor.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { DeviceCookie } from "../../platform/core/http/device-cookie.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { RateLimiter } from "../../platform/core/http/rate-limits.ts";
import type { SessionCookie } from "../../platform/core/http/session-cookie.ts";
import { HOUR_S } from "../../platform/core/time.ts";
import {
  createCompleteSignIn,
  REGISTRATION_COOKIE,
  type SessionUseCases,
  sanitizeState,
  sendSignInResult,
  type ToUserDto,
  toClientInfo,
} from "../identity/index.ts";
import type { ProviderRedirect, ProviderSignIn } from "./sign-in-providers.usecases.ts";

type Deps = {
  providerSignIn: ProviderSignIn;
  sessions: SessionUseCases;
  toUserDto: ToUserDto;
  sessionCookie: SessionCookie;
  deviceCookie: DeviceCookie;
  limits: RateLimiter;
  secureCookies: boolean;
};

/** Binds a sign-in in progress to the browser that started it. */
const VISIT_COOKIE = "sign_in_visit";

/** Handlers that start and finish sign-ins with a provider, and that link and unlink providers. */
export function createProviderSignInRoutes(deps: Deps): Handlers {
  const { providerSignIn, toUserDto, limits, secureCookies } = deps;
  const completeSignIn = createCompleteSignIn(deps);
  const cookie = { path: "/api/auth", httpOnly: true, sameSite: "lax", secure: secureCookies } as const;

  function replyWithRedirect(reply: FastifyReply, { redirectTo, browserSecret }: ProviderRedirect) {
    reply.setCookie(VISIT_COOKIE, browserSecret, cookie).header("cache-control", "no-store");
    return { redirect_to: redirectTo };
  }

  return {
    "auth.providers": async () => ({ items: providerSignIn.list() }),

    "auth.connect": async ({ path, query, request, reply }) => {
      await limits.consume("login", request.ip);
      return replyWithRedirect(reply, await providerSignIn.start(path.provider, sanitizeState(query)));
    },

    "auth.link": async ({ actor, path, body, request, reply }) => {
      const user = actor;
      await limits.consume("login", request.ip, user.userId);
      const { returnTo } = sanitizeState({ returnTo: body.returnTo });
      return replyWithRedirect(
        reply,
        await providerSignIn.startLinking(path.provider, user, { password: body.password, returnTo }),
      );
    },

    "auth.callback": async ({ actor, path, body, request, reply }) => {
      await limits.consume("login", request.ip);
      reply.clearCookie(VISIT_COOKIE, cookie);
      const callback = { ...body, browserSecret: request.cookies[VISIT_COOKIE] };
      const outcome = await providerSignIn.finish(path.provider, actor, callback, {
        clientInfo: toClientInfo(request),
        onError: (error) => request.log.error({ err: error }, "a registration was not completed"),
      });
      if (outcome === "linked") {
        const user = requireSignedIn(actor);
        return toUserDto(user.userId, { organizationId: user.organizationId, impersonatedBy: impersonatorOf(user) });
      }
      if ("browserSecret" in outcome) {
        reply.setCookie(REGISTRATION_COOKIE, outcome.browserSecret, { ...cookie, maxAge: HOUR_S });
        throw errors.signInProviders.confirmEmail({ provider: outcome.provider });
      }
      return sendSignInResult(outcome, reply, completeSignIn);
    },

    "auth.disconnect": async ({ actor, path, body, request }) => {
      const user = actor;
      await limits.consume("login", request.ip, user.userId);
      await providerSignIn.unlink(path.provider, user, body?.password);
      return undefined;
    },
  };
}
