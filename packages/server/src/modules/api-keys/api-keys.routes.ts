import type { components } from "@feather/openapi/schema";
import { signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { pageOf, pagination } from "../../http/pages.ts";
import type { Clock } from "../../shared/clock.ts";
import type { ApiKeyRow, ApiKeysRepository } from "./api-keys.repository.ts";
import { type ApiKeyUseCases, noSuchKey } from "./api-keys.usecases.ts";

type ApiKey = components["schemas"]["ApiKey"];
type Deps = { apiKeys: ApiKeyUseCases; keys: ApiKeysRepository; clock: Clock };

export function apiKeyRoutes({ apiKeys, keys, clock }: Deps): Handlers {
  const shown = (row: ApiKeyRow) => present(row, clock.now());
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

    "apiKeys.get": async ({ actor, path }) => {
      const row = await keys.find(signedIn(actor).organizationId, path.id);
      if (!row) throw noSuchKey();
      return shown(row);
    },

    "apiKeys.create": async ({ actor, body }) => {
      const { row, secret } = await apiKeys.create(signedIn(actor), body);
      return { ...shown(row), secret };
    },

    "apiKeys.update": async ({ actor, path, body }) => shown(await apiKeys.update(signedIn(actor), path.id, body)),

    "apiKeys.rotate": async ({ actor, path, body }) => {
      const { row, secret } = await apiKeys.rotate(signedIn(actor), path.id, body?.grace_s);
      return { ...shown(row), secret };
    },

    "apiKeys.delete": async ({ actor, path }) => {
      await apiKeys.delete(signedIn(actor), path.id);
      return undefined;
    },
  };
}

function present(row: ApiKeyRow, now: Date): ApiKey {
  const { organization_id: _, secret_hash: __, previous_secret_hash: ___, deleted_at: ____, ...key } = row;
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
