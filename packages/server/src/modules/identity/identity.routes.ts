import type { components } from "@feather/openapi/schema";
import type { FastifyReply, FastifyRequest } from "fastify";
import { impersonatorOf, signedIn } from "../../http/actor.ts";
import type { AddressLimits } from "../../http/address-limits.ts";
import type { Handlers } from "../../http/bind.ts";
import type { PlansRepository } from "../plans/plans.repository.ts";
import type { IdentityRepository } from "./identity.repository.ts";
import type { Identity, StartedSession, Visitor } from "./identity.usecases.ts";
import { createUserPresenter } from "./user.present.ts";

type User = components["schemas"]["User"];
type Deps = {
  identity: Identity;
  identities: IdentityRepository;
  plans: PlansRepository;
  limits: AddressLimits;
  secureCookies: boolean;
};

export const SESSION_COOKIE = "session";

export function identityRoutes({ identity, identities, plans, limits, secureCookies }: Deps): Handlers {
  const presentUser = createUserPresenter(identities, plans);

  async function signIn(reply: FastifyReply, started: StartedSession): Promise<User> {
    reply.setCookie(SESSION_COOKIE, started.secret, {
      path: "/",
      httpOnly: true,
      sameSite: "lax",
      secure: secureCookies,
      expires: started.expiresAt,
    });
    // Programs keep no cookies: they take the token from here and send it as a bearer.
    reply.header("x-session-token", started.secret).header("cache-control", "no-store");
    return presentUser(started.userId);
  }

  return {
    "auth.me": ({ actor }) => {
      const user = signedIn(actor);
      return presentUser(user.userId, { organizationId: user.organizationId, impersonatedBy: impersonatorOf(user) });
    },

    "auth.login": async ({ body, request, reply }) => {
      await limits.spend("login", request.ip, body.email.toLowerCase());
      return signIn(reply, await identity.login(body.email, body.password, visitor(request)));
    },

    "auth.register": async ({ body, request, reply }) => {
      await limits.spend("register", request.ip);
      return signIn(reply, await identity.register(body.email, body.password, visitor(request)));
    },

    "auth.setup": async ({ body, request, reply }) => {
      await limits.spend("login", request.ip);
      return signIn(reply, await identity.setup(body.token, body.email, body.password, visitor(request)));
    },

    "auth.logout": async ({ actor, reply }) => {
      if (actor.kind === "user" && actor.credential.type === "session") await identity.logout(actor.credential.id);
      reply.clearCookie(SESSION_COOKIE, { path: "/" });
      return undefined;
    },
  };
}

function visitor(request: FastifyRequest): Visitor {
  return { ip: request.ip, userAgent: request.headers["user-agent"] };
}
