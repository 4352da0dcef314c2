import type { components } from "@feather/openapi/schema";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Audit } from "../../platform/core/audit.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { RateLimiter } from "../../platform/core/http/rate-limits.ts";
import type { ToUserDto } from "../identity/index.ts";
import type { ClientRequest } from "./client-authentication.ts";
import { createProviderMetadata } from "./metadata.ts";
import type { OAuth } from "./oauth.ts";

type Deps = {
  db: Database;
  audit: Audit;
  oauth: Omit<OAuth, "job">;
  toUserDto: ToUserDto;
  limits: RateLimiter;
  /** Empties the cache of API keys: keys that an application created end with its grant. */
  invalidateApiKeys(): void;
};

/** Handlers of the OAuth endpoints and of the user's list of authorized applications. */
export function createOAuthRoutes(deps: Deps): Handlers {
  return { ...createProviderRoutes(deps), ...createAuthorizationRoutes(deps) };
}

/** Handlers of the OAuth endpoints. */
function createProviderRoutes({ oauth, toUserDto, limits }: Deps): Handlers {
  const { clients, consent, tokens, devices, issuer } = oauth;

  return {
    "oauth.metadata": async ({ reply }) => {
      reply.headers({ "cache-control": "public, max-age=3600", "access-control-allow-origin": "*" });
      return createProviderMetadata(issuer);
    },

    "oauth.application": async ({ actor, path, query }) => consent.describeApplication(actor, path.id, query),

    "oauth.authorize": async ({ actor, body, reply }) => {
      reply.header("cache-control", "no-store");
      return { redirect_to: await consent.authorize(actor, body) };
    },

    "oauth.token": async ({ body, request, reply }) => {
      const application = await clients.authenticateActive(toClientRequest(request, reply, body));
      return tokens.redeem(application, body);
    },

    "oauth.revoke": async ({ body, request, reply }) => {
      await tokens.revoke(await clients.authenticate(toClientRequest(request, reply, body)), body.token);
      return {};
    },

    "oauth.device": async ({ body, request, reply }) => {
      const application = await clients.authenticateActive(toClientRequest(request, reply, body));
      await limits.consume("deviceStart", request.ip);
      return devices.start(application, body.scope);
    },

    "oauth.deviceRequest": async ({ actor, query, request }) => {
      await limits.consume("deviceCode", request.ip, actor.userId);
      return devices.claimRequest(actor, query.user_code);
    },

    "oauth.verifyDevice": async ({ actor, body, request }) => {
      await limits.consume("deviceCode", request.ip, actor.userId);
      await devices.decide(actor, body);
      return undefined;
    },

    "oauth.userinfo": async ({ actor, reply }) => {
      const { userId, organizationId, scopes } = actor;
      const { id, username, name, email, organization } = await toUserDto(userId, { organizationId });
      const { plan } = organization.current_subscription;
      reply.header("cache-control", "no-store");
      return {
        sub: id,
        username,
        name,
        ...(scopes.includes("user.read") && { email }),
        picture: null,
        plan: { id: plan.id, name: plan.name },
      };
    },
  };
}

/** Handlers of the user's list of authorized applications. */
function createAuthorizationRoutes({ db, audit, oauth: { oauthRepository }, invalidateApiKeys }: Deps): Handlers {
  return {
    "account.authorizations.list": async ({ actor }) => {
      const grants = await oauthRepository.listGrants(actor.userId);
      const items = grants.map((row) => ({
        id: row.id,
        application: { id: row.application_id, name: row.application_name },
        organization: { id: row.organization_id, name: row.organization_name },
        scopes: row.scopes as components["schemas"]["ApplicationScope"][],
        granted_at: row.granted_at.toISOString(),
        last_used_at: row.last_used_at?.toISOString() ?? null,
      }));
      return { items };
    },

    "account.authorizations.delete": async ({ actor, path }) => {
      const user = actor;
      await db.transaction().execute(async (trx) => {
        const grant = await oauthRepository.deleteGrant(user.userId, path.id, trx);
        if (!grant) throw errors.authorizations.notFound();
        await audit.record({ actor: user, action: "oauth.withdraw", target: grant.application_id }, trx);
      });
      invalidateApiKeys();
      return undefined;
    },
  };
}

/** Returns the request's client credentials. Its response must not be cached, and pages of any origin may read it. */
function toClientRequest(request: FastifyRequest, reply: FastifyReply, body: ClientRequest["body"]): ClientRequest {
  reply.headers({ "cache-control": "no-store", "access-control-allow-origin": "*" });
  return { authorization: request.headers.authorization, url: request.url, body };
}
