import type { components } from "@feather/openapi/schema";
import type { FastifyReply, FastifyRequest } from "fastify";
import { signedIn } from "../../http/actor.ts";
import type { AddressLimits } from "../../http/address-limits.ts";
import type { Handlers } from "../../http/bind.ts";
import { unauthorized } from "../../shared/errors.ts";
import type { PlansRepository } from "../plans/plans.repository.ts";
import { presentSubscription } from "../plans/plans.routes.ts";
import type { IdentityRepository } from "./identity.repository.ts";
import type { Identity, StartedSession, Visitor } from "./identity.usecases.ts";

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
  async function presentUser(userId: string): Promise<User> {
    const row = await identities.findWithOrganization(userId);
    if (!row) throw unauthorized();
    return {
      id: row.id,
      email: row.email,
      username: row.username,
      name: row.name,
      is_admin: row.is_admin,
      email_verified: row.email_verified_at !== null,
      organization: {
        id: row.organization_id,
        name: row.organization_name,
        role: row.role as User["organization"]["role"],
        current_subscription: presentSubscription(await plans.current(row.organization_id)),
      },
      referral_reward: { method: row.referral_reward_method as "credits" | "commission" },
      impersonated_by: null,
      created_at: row.created_at.toISOString(),
    };
  }

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
    "auth.me": ({ actor }) => presentUser(signedIn(actor).userId),

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
