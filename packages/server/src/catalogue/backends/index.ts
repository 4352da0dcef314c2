import type { Logger } from "pino";
import {
  type BackendRegistry,
  type BackendSettings,
  createDiscovery,
  type EnsureModels,
  LOOPBACK_PROGRAMS,
} from "../../gateway/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Outgoing } from "../../platform/core/network/outgoing.ts";
import { subscribeToChanges } from "../../platform/core/replicas/changes.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import { findProviderAt, withKnownIds } from "../providers/index.ts";
import { createBackendKeysRepository } from "./backend-keys.repository.ts";
import { listBackendStates } from "./backend-states.ts";
import { createBackendsRepository } from "./backends.repository.ts";
import { backendRoutes } from "./backends.routes.ts";
import { createBackends, listStoredBackends } from "./backends.usecases.ts";
import { createLocate } from "./locate-backend.ts";
import type { FindSizes } from "./test-backend.ts";

type Ports = {
  db: Database;
  registry: BackendRegistry;
  /** Adds models to the catalogue if it lacks them. */
  ensureModels: EnsureModels;
  findSizes: FindSizes;
  outgoing: Outgoing;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  log: Pick<Logger, "warn">;
  replicas: Replicas;
  /** Encrypts the backends' keys. */
  sealer: Sealer;
  /** Deletes what models have shown at a backend. */
  deleteProbes(backend: string): Promise<void>;
  settings: BackendSettings;
  /** The port of this server, which discovery leaves out. */
  ownPort: number;
};

/** Creates the backends that run models elsewhere: configured, added by admins, or found on this machine. */
export function createBackendsModule({
  db,
  registry,
  ensureModels,
  findSizes,
  outgoing,
  audit,
  clock,
  ids,
  ...ports
}: Ports) {
  const { sealer, settings, ownPort, log, replicas } = ports;
  const backendsRepository = createBackendsRepository(db);
  const backendKeysRepository = createBackendKeysRepository(db);
  const discovery = createDiscovery({
    registry,
    ensureModels,
    clock,
    withKnownIds,
    findProvider: findProviderAt,
    locate: createLocate(),
    loadStored: () => listStoredBackends({ backendsRepository, backendKeysRepository }, sealer),
    settings: settings.configured,
    programs: settings.discover ? LOOPBACK_PROGRAMS : [],
    ownPort,
    guardedDispatcher: outgoing.dispatcher,
  });
  const backends = createBackends({
    backendsRepository,
    backendKeysRepository,
    registry,
    discovery,
    findSizes,
    settings: settings.configured,
    deleteProbes: ports.deleteProbes,
    sealer,
    outgoing,
    clock,
    ids,
  });
  subscribeToChanges(replicas.bus, ["backends", "backend_keys"], () => {
    discovery
      .refreshStored()
      .catch((error: unknown) => log.warn({ err: error }, "changed backends could not be read; they are in a moment"));
  });
  return {
    routes: backendRoutes({ backends, audit }),
    jobs: [
      {
        name: "read added backends while changes are not announced",
        everySeconds: 5,
        onEveryReplica: true,
        run: async () => {
          if (!replicas.bus.isConnected()) await discovery.refreshStored();
        },
      },
    ],
    api: { discovery, listStates: () => listBackendStates({ registry, discovery, clock }) },
  };
}
export { toLastCharacters } from "./backend-keys.dto.ts";
export type { BackendState } from "./backend-states.ts";
export { type BackendTestDto, type FindSizes, testAddress } from "./test-backend.ts";
