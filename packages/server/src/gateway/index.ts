import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import { SECOND_MS } from "../core/time.ts";
import type { BackendRegistry } from "./backends/registry.ts";
import { concurrencyRoutes } from "./concurrency.routes.ts";
import { calculateCostNano } from "./cost.ts";
import { gatewayRoutes } from "./gateway.routes.ts";
import type { GatewaySettings } from "./gateway.settings.ts";
import type { ModelHost } from "./model-host.ts";
import { createPipeline } from "./pipeline.ts";
import type { CallerPlan, CreditReservations, ModelLookup, PriceLookup } from "./ports.ts";
import { createPreflight } from "./preflight.ts";
import { createRevokedKeysJob } from "./revoked-keys.jobs.ts";
import { createRunningCalls } from "./running-calls.ts";
import { createCreditsStage } from "./stages/credits.ts";
import { createDailyLimit } from "./stages/daily-limit.ts";
import { createModelSwitches } from "./stages/model-switches.ts";
import { createRouteStage } from "./stages/route.ts";
import { createTokenizer } from "./tokenizer.ts";
import { createUnits, unitsOf } from "./units.ts";
import { createUsageWriter, type UsageStore } from "./usage-writer.ts";
import { createWaitQueue } from "./wait-queue.ts";

type Ports = {
  db: Database;
  clock: Clock;
  log: Logger;
  settings: GatewaySettings;
  registry: BackendRegistry;
  /** Finds the model of a call. */
  models: ModelLookup;
  /** Loads models on this machine. */
  modelHost: ModelHost;
  currentPlan(organizationId: string): Promise<CallerPlan>;
  prices: PriceLookup;
  reservations: CreditReservations;
  /** The credits that an organization can spend, in nano-USD. */
  availableCredits(organizationId: string): Promise<bigint>;
  /** Stores usage rows and charges for them. */
  usageStore: UsageStore;
  /** Called for each call that was refused before it reached a backend. */
  onRefused: Parameters<typeof createPipeline>[0]["onRefused"];
};

/** What modules use of the gateway. */
export type Gateway = ReturnType<typeof createGateway>["api"];

/** Creates the calls to shared models, from admission to usage rows. */
export function createGateway(ports: Ports) {
  const { db, clock, log, settings, registry, models, modelHost, currentPlan, prices } = ports;
  const waitQueue = createWaitQueue();
  const units = createUnits(clock, waitQueue);
  const usageWriter = createUsageWriter(db, log, ports.usageStore);
  const running = createRunningCalls();
  const timeouts = {
    firstByteMs: settings.firstByteTimeoutSeconds * SECOND_MS,
    idleMs: settings.streamIdleTimeoutSeconds * SECOND_MS,
    keepAliveMs: settings.streamKeepAliveSeconds * SECOND_MS,
    stalledMs: settings.stalledTimeoutSeconds * SECOND_MS,
  };
  const pipeline = createPipeline({
    route: createRouteStage({ registry, modelHost, waitQueue, clock, coldStatus: settings.coldStatus }),
    models,
    currentPlan,
    registry,
    units,
    onRefused: ports.onRefused,
    modelSwitches: createModelSwitches(clock),
    dailyLimit: createDailyLimit(db, clock),
    credits: createCreditsStage(prices, ports.reservations),
    usage: usageWriter,
    timeouts,
    remoteMedia: settings.remoteMedia,
  });
  const preflight = createPreflight({
    models,
    registry,
    modelHost,
    units,
    currentPlan,
    estimateMaxCost: async (model, tokens) => {
      const price = await prices.findPrice(model);
      return price && calculateCostNano(price, { ...tokens, images: 0 });
    },
    creditsOf: ports.availableCredits,
  });
  const tokenizer = createTokenizer({ models, registry, currentPlan });
  return {
    routes: {
      ...gatewayRoutes({ pipeline, running, clock, tokenizer, preflight }),
      ...concurrencyRoutes({ units, clock, currentPlan }),
    },
    jobs: [createRevokedKeysJob(db, running, clock)],
    api: { units, unitsOf, usageWriter, running, waitQueue, timeouts },
  };
}
export { type BackendSetting, type BackendSettings, backendSettings } from "./backends/backends.settings.ts";
export { DIALECTS, type Program } from "./backends/dialects.ts";
export { createDiscovery, type Discovery, type EnsureModels } from "./backends/discovery.ts";
export { listModels } from "./backends/list-models.ts";
export { type Backend, type BackendRegistry, type BackendSpec, createBackendRegistry } from "./backends/registry.ts";
export { getBodyBytes, refuseLargeFields } from "./body-limits.ts";
export type { Call, CallBody, CallKind, Outcome, ResolvedCall } from "./call.ts";
export type { PriceRates } from "./cost.ts";
export { startEventStream } from "./event-stream.ts";
export { type AnswerFormat, createChatFormat, createTextFormat } from "./formats/format.ts";
export type { RemoteMedia } from "./formats/media-address.ts";
export { type GatewaySettings, gatewaySettings } from "./gateway.settings.ts";
export type { Loading, ModelHost } from "./model-host.ts";
export { CONTRACT_FIELDS, filterStrictBackends } from "./parameters.ts";
export { selectAnswerStage, toFailedOutcome } from "./pipeline.ts";
export type { CallableModel } from "./ports.ts";
export type { RunningCalls } from "./running-calls.ts";
export { admitKey, admitPlan } from "./stages/admit.ts";
export type { Timeouts } from "./stages/dispatch.ts";
export { admitModalities } from "./stages/modalities.ts";
export { prepareBody, refuseOversizedPrompt } from "./stages/prepare.ts";
export { createRouteStage, type RouteStage } from "./stages/route.ts";
export { toUsageRow } from "./stages/settle.ts";
export { type Units, unitsOf } from "./units.ts";
export { insertUsageRows, type UsageRow, type UsageStore, type UsageWriter } from "./usage-writer.ts";
export type { WaitQueue } from "./wait-queue.ts";
