import type { components } from "@feather/openapi/schema";
import type { FastifyReply, FastifyRequest } from "fastify";
import { impersonatorOf, signedIn } from "../../http/actor.ts";
import type { AddressLimits } from "../../http/address-limits.ts";
import type { Handlers } from "../../http/bind.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import type { Identity, StartedSession, Visitor } from "./identity.usecases.ts";
import type { UserPresenter } from "./user.present.ts";

type User = components["schemas"]["User"];
type Deps = {
  identity: Identity;
  limits: AddressLimits;
  presentUser: UserPresenter;
  sessionCookie: SessionCookie;
};

export function identityRoutes({ identity, limits, presentUser, sessionCookie }: Deps): Handlers {
  async function signIn(reply: FastifyReply, started: StartedSession): Promise<User> {
    sessionCookie.grant(reply, started);
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
      sessionCookie.clear(reply);
      sessionCookie.unmarkImpersonation(reply);
      return undefined;
    },
  };
}

function visitor(request: FastifyRequest): Visitor {
  return { ip: request.ip, userAgent: request.headers["user-agent"] };
}
