import type { PlansRepository } from "../../money/plans/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Events } from "../../platform/core/events.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { ApiKeysRepository } from "./api-keys.repository.ts";
import { apiKeyRoutes } from "./api-keys.routes.ts";
import { createApiKeys } from "./api-keys.usecases.ts";

export { createApiKeysRepository } from "./api-keys.repository.ts";

type Ports = {
  db: Database;
  apiKeysRepository: ApiKeysRepository;
  plansRepository: PlansRepository;
  audit: Audit;
  events: Events;
  clock: Clock;
  ids: Ids;
  /** Makes a change of a key take effect at once. */
  invalidateApiKeys(): void;
};

/** Creates the API keys of organizations. */
export function createApiKeysModule(ports: Ports) {
  return { routes: apiKeyRoutes({ ...ports, apiKeys: createApiKeys(ports) }), jobs: [], api: {} };
}
export type { ApiKeysRepository } from "./api-keys.repository.ts";
export { listKeyAttention } from "./key-attention.ts";
