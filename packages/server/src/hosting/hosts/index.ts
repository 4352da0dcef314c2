import type { Logger } from "pino";
import type { BackendRegistry, EnsureModels } from "../../gateway/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { PeerClient } from "../../platform/core/peers/peer-client.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import type { Hub } from "../hub/index.ts";
import type { EngineSandbox, GgufConverter, Gpu, RuntimeProcesses, RuntimeStates } from "../runtimes/index.ts";
import { type GetFreeBytes, type ReadGgufHeader, type SaveHubFacts, storeRoutes } from "../store/index.ts";
import { createHosting } from "./hosting.ts";
import { modelHostRoutes } from "./model-host.routes.ts";
import type { ModelHostSettings } from "./model-host.settings.ts";
import type { SharedPlace } from "./shared-place.ts";

type Ports = {
  db: Database;
  /** The folder in which the server keeps its data. */
  dataDir: string;
  hub: Hub;
  registry: BackendRegistry;
  /** Adds missing models to the catalogue. Returns the canonical id of each. */
  ensureModels: EnsureModels;
  /** Reads the lists of models of all backends again. */
  refreshBackends(): Promise<void>;
  engineSandbox: EngineSandbox;
  runtimeStates: RuntimeStates;
  runtimeProcesses: RuntimeProcesses;
  readGgufHeader: ReadGgufHeader;
  saveHubFacts: SaveHubFacts;
  converter: GgufConverter;
  /** The remote host of public models; null if they run on this machine. */
  sharedPlace: SharedPlace | null;
  /** Returns the graphics cards of this machine. */
  listGpus: () => Promise<readonly Gpu[]>;
  hubTokens: Sealer;
  /** The operator's token for the hub; undefined without one. */
  hubToken: string | undefined;
  audit: Audit;
  lifecycle: { readonly draining: boolean };
  clock: Clock;
  ids: Ids;
  log: Logger;
  settings: ModelHostSettings;
  replicas: Replicas;
  peers: PeerClient;
  /** The token that replicas send to each other's engines. */
  peerToken: string;
  /** Returns the free space on the disk of a folder, in bytes. Asks the operating system by default. */
  freeBytes?: GetFreeBytes;
};

/** Creates the hosting of models: their files, their memory, the engines that run them, and the routes for administrators. */
export function createModelHostModule({
  ensureModels,
  hubTokens,
  hubToken,
  audit,
  listGpus,
  lifecycle,
  ...ports
}: Ports) {
  const { jobs, peerAnswers, ...hosting } = createHosting({
    ...ports,
    adopt: ensureModels,
    sealer: hubTokens,
    operatorToken: hubToken,
  });
  return {
    routes: {
      ...storeRoutes({ ...hosting, audit, lifecycle }),
      ...modelHostRoutes({ ...ports, hosting, audit, listGpus }),
    },
    jobs,
    peerAnswers,
    api: hosting,
  };
}
export { createClusterModels } from "./cluster/cluster-models.ts";
export type { FitEstimate, FitVerdict } from "./fit/fit.ts";
export { engineBackendName, type ModelHost } from "./host.ts";
export type { Hosting } from "./hosting.ts";
export { createSharedLoading } from "./leader/shared-loading.ts";
export { createLiveAvailability } from "./live-availability.ts";
