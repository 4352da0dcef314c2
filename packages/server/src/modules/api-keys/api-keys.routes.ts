import type { components } from "@feather/openapi/schema";
import { signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { pageOf, pagination } from "../../http/pages.ts";
import type { Clock } from "../../shared/clock.ts";
import type { ApiKeysRepository, NamedApiKey } from "./api-keys.repository.ts";
import { type ApiKeyUseCases, noSuchKey } from "./api-keys.usecases.ts";

type ApiKey = components["schemas"]["ApiKey"];
type Deps = { apiKeys: ApiKeyUseCases; keys: ApiKeysRepository; clock: Clock };

/** Routes of an organization's API keys. */
export function apiKeyRoutes({ apiKeys, keys, clock }: Deps): Handlers {
  const shown = (row: NamedApiKey) => present(row, clock.now());

  async function found(organizationId: string, id: string) {
    const row = await keys.find(organizationId, id);
    if (!row) throw noSuchKey();
    return shown(row);
  }

  return {
    "apiKeys.list": async ({ actor, query }) => {
      const { organizationId } = signedIn(actor);
      const page = pageOf(query);
      const [rows, total] = await Promise.all([
        keys.list(organizationId, page.limit, page.offset),
        keys.count(organizationId),
      ]);
      return { items: rows.map(shown), pagination: pagination(page, total) };
    },

    "apiKeys.get": async ({ actor, path }) => found(signedIn(actor).organizationId, path.id),

    "apiKeys.create": async ({ actor, body }) => {
      const { row, secret } = await apiKeys.create(signedIn(actor), body);
      return { ...(await found(row.organization_id, row.id)), secret };
    },

    "apiKeys.update": async ({ actor, path, body }) => {
      const row = await apiKeys.update(signedIn(actor), path.id, body);
      return found(row.organization_id, row.id);
    },

    "apiKeys.rotate": async ({ actor, path, body }) => {
      const { row, secret } = await apiKeys.rotate(signedIn(actor), path.id, body?.grace_s);
      return { ...(await found(row.organization_id, row.id)), secret };
    },

    "apiKeys.delete": async ({ actor, path }) => {
      await apiKeys.delete(signedIn(actor), path.id);
      return undefined;
    },
  };
}

function present(row: NamedApiKey, now: Date): ApiKey {
  const { organization_id, secret_hash, previous_secret_hash, deleted_at, ...shown } = row;
  const { made_by_application, made_under_grant, ...key } = shown;
  const graceEnds = key.previous_secret_expires_at;
  return {
    ...key,
    scopes: key.scopes as ApiKey["scopes"],
    limit_reset: key.limit_reset as ApiKey["limit_reset"],
    expires_at: key.expires_at?.toISOString() ?? null,
    previous_secret_expires_at: graceEnds && graceEnds > now ? graceEnds.toISOString() : null,
    last_used_at: key.last_used_at?.toISOString() ?? null,
    created_at: key.created_at.toISOString(),
  };
}
