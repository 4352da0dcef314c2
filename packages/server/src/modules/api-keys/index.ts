import type { Audit } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import type { Events } from "../../core/events.ts";
import type { Ids } from "../../core/ids.ts";
import type { PlansRepository } from "../plans/index.ts";
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
