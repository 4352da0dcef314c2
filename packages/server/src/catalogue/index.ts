import type { MayCallElsewhere } from "../gateway/index.ts";
import type { SharedModels } from "../hosting/index.ts";
import type { Money } from "../money/index.ts";
import type { Outgoing } from "../platform/core/network/outgoing.ts";
import type { ParsePool } from "../platform/core/parse-pool.ts";
import type { Sealer } from "../platform/core/secrets/sealing.ts";
import type { Base } from "../platform/index.ts";
import type { Mail } from "../platform/mail/index.ts";
import { createBackendsModule } from "./backends/index.ts";
import { createCatalogueModule, type ModelLookup } from "./models/index.ts";
import { createProbesModule, type ProbeSettings } from "./probes/index.ts";
import { createProviderKeysModule } from "./provider-keys/index.ts";
import { createProvidersModule } from "./providers/index.ts";
import { createRoutingModule, type RoutingRulesReader } from "./routing/index.ts";
import { createToolServersModule, type ToolSettings } from "./tool-servers/index.ts";

type BackendPorts = Parameters<typeof createBackendsModule>[0];
type Ports = Base &
  Pick<BackendPorts, "ownPort"> & {
    lookup: ModelLookup;
    routingRules: RoutingRulesReader;
    sharedModels: SharedModels;
    money: Money;
    mail: Mail;
    outgoing: Outgoing;
    /** Reads texts from outside in threads. */
    parsePool: ParsePool;
    mayCallElsewhere: MayCallElsewhere;
    /** Returns the calls in flight at a backend that other processes have sent there. */
    countCallsOfOthers(backend: string): Promise<number>;
    /** Encrypts the backends' keys. */
    backendKeySealer: Sealer;
    /** Encrypts the keys of organizations for providers. */
    providerKeySealer: Sealer;
    /** Encrypts the secrets of servers of tools. */
    toolServerSealer: Sealer;
    /** Encrypts the hub tokens of users. */
    hubTokens: Sealer;
    settings: {
      backends: BackendPorts["settings"];
      hub: { refresh: boolean; tokens: string };
      probes: ProbeSettings;
      tools: ToolSettings;
      usage: { retentionDays: number | undefined };
    };
  };

/**
 * Creates the list of models, the backends that run models elsewhere, the list of providers to add them from, the keys of
 * organizations for these, the probes that show what models can do there, the rules of which of them answer, and the servers of
 * tools that models call.
 */
export function createCatalogue(ports: Ports) {
  const {
    lookup,
    routingRules,
    sharedModels,
    money,
    backendKeySealer,
    providerKeySealer,
    toolServerSealer,
    hubTokens,
    settings,
    ...base
  } = ports;
  const { registry, modelHost, loading } = sharedModels;
  const probes = createProbesModule({
    ...base,
    registry,
    settings: settings.probes,
    invalidateModels: lookup.callableModels.invalidate,
  });
  const backends = createBackendsModule({
    ...base,
    ...lookup,
    registry,
    deleteProbes: probes.api.deleteOfBackend,
    sealer: backendKeySealer,
    settings: settings.backends,
  });
  const catalogue = createCatalogueModule({
    ...base,
    ...modelHost,
    ...sharedModels,
    callableModels: lookup.callableModels,
    listProbes: probes.api.listResults,
    readRules: routingRules.read,
    autoPull: loading,
    refreshesFromHub: settings.hub.refresh,
    priceBook: money.prices.priceBook,
    currentPlan: money.plans.currentPlan,
    hubTokens: settings.hub.tokens === "keep" ? hubTokens : null,
  });
  const providerKeys = createProviderKeysModule({
    ...base,
    findSizes: lookup.findSizes,
    registry,
    readRules: routingRules.read,
    sealer: providerKeySealer,
  });
  const toolServers = createToolServersModule({
    ...base,
    sealer: toolServerSealer,
    settings: settings.tools,
    retentionDays: settings.usage.retentionDays,
  });
  const routing = createRoutingModule({ ...base, rules: routingRules, registry });
  return {
    modules: [backends, createProvidersModule(), providerKeys, probes, catalogue, routing, toolServers],
    api: { backends: backends.api, ...providerKeys.api },
  };
}

/** The catalogue and the backends as other layers use them. */
export type Catalogue = ReturnType<typeof createCatalogue>["api"];
