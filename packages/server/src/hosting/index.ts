import type { BackendRegistry, Gateway } from "../gateway/index.ts";
import type { Money } from "../money/index.ts";
import type { ParsePool, ParserModule } from "../platform/core/parse-pool.ts";
import type { PeerClient } from "../platform/core/peers/peer-client.ts";
import type { Base } from "../platform/index.ts";
import { createDeploymentsModule, createKubernetes } from "./deployments/index.ts";
import { createClusterModels, createModelHostModule, createSharedLoading } from "./hosts/index.ts";
import { addPackagedModels, createHub, createReadCard, logReachability } from "./hub/index.ts";
import { createPrivateModelsModule } from "./private-models/index.ts";
import { createStarter } from "./starter/index.ts";
import { createAutoPull, createReadGgufHeader } from "./store/index.ts";

type HostPorts = Parameters<typeof createModelHostModule>[0];
type Machine = Pick<
  HostPorts,
  | "converter"
  | "dataDir"
  | "engineSandbox"
  | "freeBytes"
  | "hubTokens"
  | "listGpus"
  | "runtimeProcesses"
  | "runtimeStates"
>;
type Settings = {
  hub: Parameters<typeof createHub>[0] & Parameters<typeof addPackagedModels>[1] & { token?: string | undefined };
  kubernetes: Parameters<typeof createKubernetes>[0]["settings"];
  modelHost: HostPorts["settings"] & { place: string; maxPods: number };
  store: { autoPull: Parameters<typeof createAutoPull>[0]["mode"] };
  starter: Parameters<typeof createStarter>[0]["settings"];
};

type Ports = Base &
  Machine &
  Pick<HostPorts, "ensureModels" | "refreshBackends" | "peerToken"> & {
    registry: BackendRegistry;
    peers: PeerClient;
    parsePool: ParsePool;
    /** The module that parses model cards; by default the hub's. */
    cardParser?: ParserModule;
    /** Addresses of private networks that the server may reach. */
    outgoingAllow: Parameters<typeof createHub>[1];
    settings: Settings;
    /** Stores in the catalogue what the hub says about a model. */
    saveHubFacts(hub: Hub, ...facts: Parameters<HostPorts["saveHubFacts"]>): ReturnType<HostPorts["saveHubFacts"]>;
  };
type Hub = ReturnType<typeof createHub>;

/** Creates what runs shared models: the hub, the store of their files, and their hosts. */
export function createHosting({ parsePool, cardParser, outgoingAllow, settings, ...ports }: Ports) {
  const { registry, log, clock, replicas, peers } = ports;
  const readCard = createReadCard(parsePool, cardParser);
  const logged = logReachability(createHub(settings.hub, outgoingAllow, readCard), log);
  const hub = addPackagedModels(logged, settings.hub, outgoingAllow);
  const { token } = settings.hub;
  const clusterModels = createCluster({
    ...ports,
    settings,
    findFiles: (...model) => host.api.describeFiles(...model),
  });
  const host = createModelHostModule({
    ...ports,
    hub,
    hubToken: token,
    sharedPlace: clusterModels.place,
    readGgufHeader: createReadGgufHeader(parsePool),
    saveHubFacts: (...facts) => ports.saveHubFacts(hub, ...facts),
    settings: settings.modelHost,
  });
  const autoPull = createAutoPull({ ...ports, ...host.api, mode: settings.store.autoPull });
  const loading = createSharedLoading({ replicas, peers, local: autoPull, clock });
  const startFirstModel = createStarter({
    settings: settings.starter,
    isLocal: clusterModels.place === null,
    modelHost: host.api,
    registry,
    log,
  });
  return {
    modules: [host],
    peerAnswers: [...host.peerAnswers, ...loading.peerAnswers],
    api: { hub, readCard, registry, clusterModels, modelHost: host.api, loading, startFirstModel },
  };
}

/** The hosting of shared models as other layers use it. */
export type SharedModels = ReturnType<typeof createHosting>["api"];

type ClusterPorts = Base & { settings: Settings; findFiles: Parameters<typeof createKubernetes>[0]["findFiles"] };

function createCluster({ settings, ...ports }: ClusterPorts) {
  const { hub, kubernetes, modelHost } = settings;
  return createClusterModels({
    ...ports,
    cluster: createKubernetes({
      ...ports,
      settings: kubernetes,
      hub: { url: hub.dir === undefined ? hub.url : null, token: hub.token },
    }),
    hardware: kubernetes.hardware,
    isOn: modelHost.place === "kubernetes",
    getsFiles: kubernetes.serverUrl !== undefined,
    idleSeconds: modelHost.idleSeconds,
    maxPods: modelHost.maxPods,
  });
}

type OwnModelPorts = Base & {
  money: Money;
  gateway: Gateway;
  sharedModels: SharedModels;
  models: Parameters<typeof createDeploymentsModule>[0]["models"] & { invalidate(): void };
};

/** Creates what organizations run for themselves: deployments and private models. */
export function createOwnModels({ money, sharedModels, models, ...ports }: OwnModelPorts) {
  const { clusterModels, modelHost } = sharedModels;
  const deployments = createDeploymentsModule({
    ...ports,
    ...money.plans,
    models,
    hosting: modelHost,
    cluster: clusterModels.deploymentsCluster,
    findHostedKey: (id) => clusterModels.findKey(id, modelHost.host.ids()),
  });
  const privateModels = createPrivateModelsModule({
    ...ports,
    ...money.plans,
    hub: sharedModels.hub,
    hosting: modelHost,
    countDeployments: deployments.api.deploymentsRepository.countByModel,
    invalidateModels: models.invalidate,
  });
  return { modules: [deployments, privateModels], api: { deployments: deployments.api } };
}
