import type { Logger } from "pino";
import type { Clock } from "../platform/core/clock.ts";
import type { Database } from "../platform/core/db/connect.ts";
import type { Ids } from "../platform/core/ids.ts";
import type { PeerClient } from "../platform/core/peers/peer-client.ts";
import type { Replicas } from "../platform/core/replicas/replicas.ts";
import { MINUTE_MS, SECOND_MS } from "../platform/core/time.ts";
import { createListModelsOf } from "./alias-names.ts";
import type { FindOwnKeys } from "./backends/own-keys.ts";
import type { BackendRegistry } from "./backends/registry.ts";
import { concurrencyRoutes } from "./concurrency.routes.ts";
import { createEmbedTexts } from "./embed-texts.ts";
import { gatewayRoutes } from "./gateway.routes.ts";
import type { GatewaySettings } from "./gateway.settings.ts";
import { createLimits } from "./limits/limits.ts";
import { createWaitQueue } from "./limits/wait-queue.ts";
import { createModelCalls } from "./model-calls.ts";
import type { ModelHost } from "./model-host.ts";
import { createRunCall } from "./pipeline.ts";
import type { CallerPlan, CreditReservations, ModelLookup, PriceLookup, ReadRoutingRules } from "./ports.ts";
import { createPreflight } from "./preflight.ts";
import { createResumableStreams, type StreamLimits } from "./resumable/resumable-streams.ts";
import type { WaitingAnswers } from "./resumable/saved-answers.ts";
import { createSharedStreams, type StreamForwarding } from "./resumable/shared-streams.ts";
import { streamsRoutes } from "./resumable/streams.routes.ts";
import { createCallsAtBackend } from "./running-calls/calls-at-backend.ts";
import { createEndedCallersJob } from "./running-calls/ended-callers.jobs.ts";
import { createLiveCalls } from "./running-calls/live-calls.ts";
import { createRunningCalls } from "./running-calls/running-calls.ts";
import { createSharedModelPolicy } from "./shared-models.ts";
import { createCreditsStage } from "./stages/meter.ts";
import type { ReadFile } from "./stages/read-files.ts";
import { createRouteStage } from "./stages/route.ts";
import type { MayCallElsewhere } from "./stages/stay-here.ts";
import { createTokenizer } from "./tokenizer.ts";
import type { Timeouts } from "./upstream/dispatch.ts";
import { createUsageWriter, type UsageRow, type UsageStore } from "./usage/usage-writer.ts";

type Ports = {
  db: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  /** The other processes that work on the database, with which the limits are shared. */
  replicas: Replicas;
  settings: GatewaySettings;
  registry: BackendRegistry;
  /** Finds the model of a call. */
  models: ModelLookup;
  readRules: ReadRoutingRules;
  /** Loads models on the machine that hosts them. */
  modelHost: ModelHost;
  /** The client for calls to other replicas. */
  peers: PeerClient;
  /** Forwards the readers of streams to the replica that has them. */
  forwarding: StreamForwarding;
  currentPlan(organizationId: string): Promise<CallerPlan>;
  mayCallElsewhere: MayCallElsewhere;
  findOwnKeys: FindOwnKeys;
  prices: PriceLookup;
  reservations: CreditReservations;
  /** Returns the credits that an organization can spend, in nano-USD. */
  availableCredits(organizationId: string): Promise<bigint>;
  /** Stores usage rows and charges for them. */
  usageStore: UsageStore;
  /** Called for each call that was refused before it reached a backend. */
  onRefused(organizationId: string): void;
  /** Called with the usage row of each call that has ended. */
  onSettled(row: UsageRow): void;
  /** The answers of conversations that wait for streams. */
  waitingAnswers: WaitingAnswers;
  /** Reads the text of a document for models that take no files. */
  readFile: ReadFile;
};

/** The gateway as other modules use it. */
export type Gateway = ReturnType<typeof createGateway>["api"];

/** Creates the calls to shared models, from admission to usage rows. */
export function createGateway(ports: Ports) {
  const { db, clock, log, settings, registry, models, readRules, modelHost, currentPlan, mayCallElsewhere } = ports;
  const waitQueue = createWaitQueue();
  const limits = createLimits({ db, clock, replicas: ports.replicas, waitQueue });
  const { units, modelSwitches, dailyLimit } = limits;
  const usageWriter = createUsageWriter(db, log, ports.usageStore);
  const running = createRunningCalls();
  const addUsage = (row: UsageRow) => {
    ports.onSettled(row);
    usageWriter.add(row);
  };
  const runCall = createRunCall({
    ...ports,
    running,
    usage: { ...usageWriter, add: addUsage },
    timeouts: toTimeouts(settings),
    remoteMedia: settings.remoteMedia,
  });
  const createRoute = (backends: BackendRegistry, host: ModelHost) =>
    createRouteStage({
      registry: backends,
      modelHost: host,
      waitQueue,
      clock,
      coldStatus: settings.coldStatus,
      coldWaitMs: settings.coldWaitSeconds * SECOND_MS,
      mayCallElsewhere,
      findOwnKeys: ports.findOwnKeys,
    });
  const policyFor = createSharedModelPolicy({
    models,
    currentPlan,
    registry,
    route: createRoute(registry, modelHost),
    units,
    onRefused: ports.onRefused,
    modelSwitches,
    dailyLimit,
    credits: createCreditsStage(ports.prices, ports.reservations),
  });
  const streams = createResumableStreams(toStreamLimits(settings), clock);
  const sharedStreams = createSharedStreams({ streams, peers: ports.peers, forwarding: ports.forwarding });
  const modelCalls = createModelCalls({ ...ports, runCall, policyFor, streams, sharedStreams });
  const listModelsOf = createListModelsOf({ models, readRules });
  const { peerAnswers, ...liveCalls } = createLiveCalls({ units, running, clock, peers: ports.peers });
  const callsAtBackend = createCallsAtBackend({ registry, peers: ports.peers });
  const preflight = createPreflight({
    models,
    listModelsOf,
    registry,
    modelHost,
    units,
    liveCalls,
    modelSwitches,
    dailyLimit,
    clock,
    coldStatus: settings.coldStatus,
    currentPlan,
    mayCallElsewhere,
    findOwnKeys: ports.findOwnKeys,
    readRules,
    prices: ports.prices,
    reservations: ports.reservations,
    availableCredits: ports.availableCredits,
  });
  const tokenizer = createTokenizer({ models, listModelsOf, registry, currentPlan, mayCallElsewhere });
  return {
    routes: {
      ...modelCalls,
      ...gatewayRoutes({ tokenizer, preflight }),
      ...concurrencyRoutes({ liveCalls, currentPlan }),
      ...streamsRoutes({ ...toTimeouts(settings), streams: sharedStreams }),
    },
    jobs: [createEndedCallersJob(db, running, clock), streams.job],
    peerAnswers: [...peerAnswers, ...callsAtBackend.peerAnswers, ...sharedStreams.peerAnswers],
    api: {
      runCall,
      createRoute,
      units,
      liveCalls,
      countCallsOfOthers: callsAtBackend.countOfOthers,
      usageWriter,
      running,
      streams,
      waitQueue,
      startLimits: limits.start,
      embedTexts: createEmbedTexts({ ...ports, call: modelCalls["embeddings.create"] }),
    },
  };
}

const toTimeouts = (settings: GatewaySettings): Timeouts => ({
  firstByteMs: settings.firstByteTimeoutSeconds * SECOND_MS,
  idleMs: settings.streamIdleTimeoutSeconds * SECOND_MS,
  keepAliveMs: settings.streamKeepAliveSeconds * SECOND_MS,
  stalledMs: settings.stalledTimeoutSeconds * SECOND_MS,
  loading: { waitMs: settings.coldWaitSeconds * SECOND_MS, status: settings.coldStatus },
});

const MIB = 1024 * 1024;

const toStreamLimits = (settings: GatewaySettings): StreamLimits => ({
  maxBytes: 8 * MIB,
  maxEvents: 100_000,
  maxPerOrganization: 200,
  maxTotalBytes: settings.resumableMemoryMib * MIB,
  keepMs: settings.resumableKeepSeconds * SECOND_MS,
  unreadMs: 10 * MINUTE_MS,
});

export { findAlias } from "./alias-names.ts";
export { type AccessTokens, API_NAMES, type ApiName, DEFAULT_API } from "./apis/api.ts";
export { findKeyProblem, nameOfApi } from "./apis/apis.ts";
export { createAccessTokens, NO_ACCESS_TOKENS } from "./apis/vertex/access-tokens.ts";
export { identifyModels, type ModelAlias, modelAliases } from "./backends/aliases.ts";
export { isUsable } from "./backends/backend-health.ts";
export { type BackendKey, type BackendKeySpec, isResting, MAX_KEYS } from "./backends/backend-keys.ts";
export { type BackendSetting, type BackendSettings, toKeySpecs } from "./backends/backends.settings.ts";
export { toCatalogueId } from "./backends/catalogue-ids.ts";
export { DIALECTS, type Program } from "./backends/dialects.ts";
export {
  chooseModels,
  createDiscovery,
  type Discovery,
  type EnsureModels,
  type FoundModel,
  LOOPBACK_PROGRAMS,
  type StoredBackend,
} from "./backends/discovery.ts";
export { listModels } from "./backends/list-models.ts";
export { type FindOwnKeys, NO_OWN_KEYS, type OwnKeyMode, type OwnKeys, toOwnKey } from "./backends/own-keys.ts";
export { HOSTED, type Hosted, type Locate } from "./backends/places/hosted.ts";
export type { PlaceFacts } from "./backends/places/place-facts.ts";
export { type BackendFailure, toConnectionFailure } from "./backends/problems.ts";
export {
  type Backend,
  type BackendRegistry,
  type BackendSpec,
  createBackendRegistry,
  isOwnBackend,
} from "./backends/registry.ts";
export { type CallTarget, type TriedCall, tryCall } from "./backends/try-call.ts";
export type { CallRequest, ResolvedCall } from "./call.ts";
export { startEventStream } from "./caller-streams/event-stream.ts";
export type { EmbedTexts } from "./embed-texts.ts";
export { readChatRequest } from "./formats/chat/request.ts";
export { readCompletionsRequest } from "./formats/completions/request.ts";
export { readEmbeddingsRequest } from "./formats/embeddings/request.ts";
export { type ParsedRequest, requireModel } from "./formats/parsed-request.ts";
export { unitsOf } from "./limits/unit-requests.ts";
export type { ColdCall, Loading, ModelHost } from "./model-host.ts";
export type { CallPolicy, RunCall } from "./pipeline.ts";
export type { BackendOrder, CallableModel, ModelLookup, ReadRoutingRules, RoutingRules } from "./ports.ts";
export {
  type ProbeAnswer,
  type ProbeBody,
  type ProbeLimits,
  type ProbeResult,
  sendProbe,
} from "./probes/send-probe.ts";
export type { RecordedAnswer } from "./resumable/answer-recorder.ts";
export type { WaitingAnswer, WaitingAnswers } from "./resumable/saved-answers.ts";
export type { LiveCalls } from "./running-calls/live-calls.ts";
export { admitPlan } from "./stages/admit.ts";
export { minContext } from "./stages/effective-context.ts";
export { type RouteStage, routeCall } from "./stages/route.ts";
export type { MayCallElsewhere } from "./stages/stay-here.ts";
export { CONTRACT_FIELDS } from "./upstream/parameters.ts";
export { calculateCostNano, type PriceRates } from "./usage/cost.ts";
export type { ReportedUsage } from "./usage/reported-usage.ts";
export { TOKENS_PER_SECOND } from "./usage/speed.ts";
export { insertUsageRows, type UsageRow, type UsageStore } from "./usage/usage-writer.ts";
