import type { Clock } from "../../platform/core/clock.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { parsePage, toPagination } from "../../platform/core/http/pagination.ts";
import { toApiKeyDto } from "./api-keys.dto.ts";
import type { ApiKeyDetails, ApiKeysRepository } from "./api-keys.repository.ts";
import type { ApiKeyUseCases } from "./api-keys.usecases.ts";

type Deps = { apiKeys: ApiKeyUseCases; apiKeysRepository: ApiKeysRepository; clock: Clock };

/** Routes of an organization's API keys. */
export function apiKeyRoutes({ apiKeys, apiKeysRepository, clock }: Deps): Handlers {
  const toDto = (row: ApiKeyDetails) => toApiKeyDto(row, clock.now());

  async function getKey(organizationId: string, id: string) {
    const row = await apiKeysRepository.find(organizationId, id, clock.now());
    if (!row) throw errors.apiKeys.notFound();
    return toDto(row);
  }

  return {
    "apiKeys.list": async ({ actor, query }) => {
      const { organizationId } = actor;
      const page = parsePage(query);
      const { search, state, sort = "-created_at" } = query;
      const now = clock.now();
      const [rows, total] = await Promise.all([
        apiKeysRepository.list(organizationId, { search, state }, { ...page, sort }, now),
        apiKeysRepository.count(organizationId, { search, state }, now),
      ]);
      return { items: rows.map(toDto), pagination: toPagination(page, total) };
    },

    "apiKeys.get": async ({ actor, path }) => getKey(actor.organizationId, path.id),

    "apiKeys.create": async ({ actor, body }) => {
      const { row, secret } = await apiKeys.create(actor, body);
      return { ...(await getKey(row.organization_id, row.id)), secret };
    },

    "apiKeys.update": async ({ actor, path, body }) => {
      const row = await apiKeys.update(actor, path.id, body);
      return getKey(row.organization_id, row.id);
    },

    "apiKeys.rotate": async ({ actor, path, body }) => {
      const { row, secret } = await apiKeys.rotate(actor, path.id, body?.grace_s);
      return { ...(await getKey(row.organization_id, row.id)), secret };
    },

    "apiKeys.delete": async ({ actor, path }) => {
      await apiKeys.delete(actor, path.id);
      return undefined;
    },
  };
}
