import type { Logger } from "pino";
import type { BackendRegistry, ReadRoutingRules } from "../../gateway/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Outgoing } from "../../platform/core/network/outgoing.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import type { FindSizes } from "../backends/index.ts";
import { createOwnKeyLookup } from "./own-key-lookup.ts";
import { createProviderKeysRepository } from "./provider-keys.repository.ts";
import { providerKeyRoutes } from "./provider-keys.routes.ts";
import { createProviderKeys } from "./provider-keys.usecases.ts";

type Ports = {
  db: Database;
  registry: Pick<BackendRegistry, "list" | "accessTokens">;
  readRules: ReadRoutingRules;
  findSizes: FindSizes;
  outgoing: Pick<Outgoing, "dispatcher">;
  /** Encrypts the keys. */
  sealer: Sealer;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  log: Pick<Logger, "warn">;
  replicas: Replicas;
};

/** Creates the keys that organizations have at providers, with which only their own calls are sent. */
export function createProviderKeysModule(ports: Ports) {
  const providerKeysRepository = createProviderKeysRepository(ports.db);
  const ownKeys = createOwnKeyLookup({ ...ports, providerKeysRepository });
  const providerKeys = createProviderKeys({ ...ports, providerKeysRepository, ownKeys });
  return { routes: providerKeyRoutes(providerKeys), jobs: [], api: { findOwnKeys: ownKeys.find } };
}
