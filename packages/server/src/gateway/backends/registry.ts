import type { Agent, buildConnector } from "undici";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { isLoopbackHost } from "../../platform/core/network/networks.ts";
import { HOUR_MS } from "../../platform/core/time.ts";
import { type AccessTokens, type ApiName, DEFAULT_API, type UpstreamApi } from "../apis/api.ts";
import { APIS } from "../apis/apis.ts";
import { NO_ACCESS_TOKENS } from "../apis/vertex/access-tokens.ts";
import {
  createHeldPrefixes,
  type HeldPrefixes,
  invalidate,
  noteAnswered,
  noteSent,
  type SentPrefix,
} from "../prefixes/held-prefixes.ts";
import type { PromptBlocks } from "../prefixes/prompt-blocks.ts";
import type { ModelAlias } from "./aliases.ts";
import { type BackendHealth, isUsable, noteFailure, toHealthy } from "./backend-health.ts";
import {
  type BackendKey,
  type BackendKeySpec,
  chooseKey,
  endRest,
  FIRST_KEY_LABEL,
  type KeyRefusal,
  type KeyRing,
  restKey,
  secondsUntilKeyIsFree,
  toKeyRing,
} from "./backend-keys.ts";
import { createConnections } from "./connections.ts";
import { DIALECTS, type Dialect, type Program, type TokenizerEndpoint, WITHHELD_FIELDS } from "./dialects.ts";
import type { OwnKeyMode } from "./own-keys.ts";
import { HOSTED, type Hosted } from "./places/hosted.ts";
import type { PlaceFacts } from "./places/place-facts.ts";
import type { Speeds } from "./places/speeds.ts";

/** Where a backend comes from. */
export type BackendSource = "engine" | "settings" | "discovered" | "admin" | "deployment";

/** The description with which a backend is registered. */
export type BackendSpec = {
  name: string;
  source: BackendSource;
  /** The address up to and including `/v1`. With a socket, only its path is used. */
  baseUrl: string;
  socketPath?: string;
  /** The only key that it takes, in place of `keys`. */
  apiKey?: string | undefined;
  /** The keys that calls to it are spread over; none for one that takes no key. */
  keys?: readonly BackendKeySpec[];
  /** The API that it speaks; OpenAI's by default. */
  api?: ApiName | undefined;
  weight: number;
  /** The backend's name of each model, by catalogue id. */
  models: ReadonlyMap<string, string>;
  /** The ids that the operator gives models of it, including those that it does not list yet. */
  aliases?: readonly ModelAlias[];
  /** Tokens of context that the backend gives a model, by catalogue id, where it says so. */
  contextLengths?: ReadonlyMap<string, number>;
  /** The limit of answers in tokens, by catalogue id, where the backend says it. */
  answerLimits?: ReadonlyMap<string, number>;
  /** Where it answers. Without it, backends that this server runs are here, and all others elsewhere. */
  hosted?: Hosted;
  /** What the backend says of its models besides, by catalogue id. Models of which it says nothing are left out. */
  places?: ReadonlyMap<string, PlaceFacts>;
  /** Id of the provider at its address; null for any other server. */
  provider?: string | null;
  /** Whether organizations may use keys of their own at its provider; `off` by default. */
  ownKeys?: OwnKeyMode;
  /** Catalogue ids of those that are not in memory there, so that the next call to one loads it. */
  unloaded?: ReadonlySet<string>;
  /** The program that serves the models, if known. */
  program?: Program;
  /** Fields that it accepts in addition to those of every backend and of its program. */
  parameters?: readonly string[];
};

/** A registered backend with its connections and health. */
export type Backend = BackendHealth &
  Omit<BackendSpec, "unloaded" | "api" | "apiKey" | "keys" | "hosted" | "ownKeys"> & {
    keys: KeyRing;
    ownKeys: OwnKeyMode;
    api: UpstreamApi;
    /** The access tokens of its keys, if its API does not send them themselves. */
    accessTokens: AccessTokens;
    hosted: Hosted;
    /** The address, split as requests need it. */
    origin: string;
    basePath: string;
    extraParams: ReadonlySet<string>;
    /** How the API of its program differs from OpenAI's; `passedOver` without the fields that the operator says it takes. */
    dialect: Pick<Dialect, "passedOver" | "toOwnFields" | "cutsPrompts" | "takesOnlyTexts" | "readsPriority">;
    /** Catalogue ids of the models that are not in memory there, as far as it is known; one that answers is taken out. */
    unloaded: Set<string>;
    tokenizer: TokenizerEndpoint | null;
    agent: Agent;
    /** Opens a separate pool of connections to the backend. The caller must close it. */
    openAgent(): Agent;
    /** Where it answers, as callers name it: `server`, `network` or the id of a provider. */
    place: string;
    /** How fast its models have answered lately. */
    speeds: Speeds;
    /** What its cache probably holds. */
    prefixes: HeldPrefixes;
    inFlight: number;
    /** The calls that it said it does not answer, by kind and model, since it was last registered. */
    unansweredCalls: Set<string>;
    /** The keys of the models for which it gave fewer answers than asked for, since it was last registered. */
    modelsWithFewAnswers: Set<string>;
  };

/** Returns whether the server itself runs the backend, so that callers may read its messages and headers. */
export function isOwnBackend({ source }: Pick<Backend, "source">): boolean {
  return source === "engine" || source === "deployment";
}

/** A call in flight at a backend, and the key that it is sent with; it counts until the lease is disposed of. */
export type BackendLease = Disposable & {
  backend: Backend;
  key: BackendKey | null;
  /** What was known of the prompt; null unless the call could go to several backends. */
  sent: SentPrefix | null;
};

/**
 * Sources of backends that the operator configured or started. The other backends run models that were downloaded from the
 * hub.
 */
const OPERATOR_SOURCES: ReadonlySet<BackendSource> = new Set(["settings", "discovered", "admin"]);
const NO_KEYS: ReadonlySet<BackendKey> = new Set();
const RECENT_ANSWER_MS = HOUR_MS;
type Context = {
  clock: Clock;
  guardedConnector: buildConnector.connector | undefined;
  accessTokens: AccessTokens;
  /** The backends by name. */
  backends: Map<string, Backend>;
  /** When a backend last answered for a model, in milliseconds since 1970, by the model's id. */
  lastAnsweredAt: Map<string, number>;
  /** Called after a backend was added or replaced. */
  listeners: Set<() => void>;
};

/**
 * Creates the registry of this process's backends: their models, their health, and when each model was last answered. Each
 * process determines on its own which backends it can reach.
 */
export function createBackendRegistry(clock: Clock, connector?: buildConnector.connector, tokens = NO_ACCESS_TOKENS) {
  const context: Context = {
    clock,
    guardedConnector: connector,
    accessTokens: tokens,
    backends: new Map(),
    lastAnsweredAt: new Map(),
    listeners: new Set(),
  };
  const methods = bind(context, {
    set: setBackend,
    remove: removeBackend,
    list: listBackends,
    candidates: listCandidates,
    acquire: acquireBackend,
    chooseKey: chooseKeyOf,
    setKeys,
    recordRefusedKey,
    secondsUntilKeyIsFree: ({ clock }: Context, { keys }: Backend) =>
      secondsUntilKeyIsFree(keys, clock.now().getTime()),
    waitUntilServed,
    recordSuccess,
    recordFailure,
    recordReachability,
    availability: readAvailability,
    contextLength: readContextLength,
    hostedAt: readHosted,
    listHostedModels,
    listOperatorModels,
    isOperatorModel,
    lastAnswerAt: readLastAnswerAt,
    listColdModels,
    listWarmModels,
    close: closeBackends,
  });
  return { ...methods, accessTokens: tokens };
}

export type BackendRegistry = ReturnType<typeof createBackendRegistry>;

/** Adds a backend, or replaces the one of the same name. */
function setBackend({ backends, listeners, guardedConnector, accessTokens }: Context, given: BackendSpec): void {
  const { apiKey, keys = toOnlyKey(apiKey), ...spec } = given;
  const existing = backends.get(spec.name);
  const hasMoved = existing?.baseUrl !== spec.baseUrl || existing.socketPath !== spec.socketPath;
  if (existing && hasMoved) {
    void existing.agent.close();
    invalidate(existing.prefixes);
  }
  const state = existing ?? createState();
  const own = { keys: toKeyRing(keys, existing?.keys), unloaded: new Set(spec.unloaded) };
  const description = {
    ...spec,
    ...own,
    api: APIS[spec.api ?? DEFAULT_API],
    accessTokens,
    hosted: spec.hosted ?? (isOwnBackend(spec) ? ("here" as const) : ("elsewhere" as const)),
    ownKeys: spec.ownKeys ?? ("off" as const),
    place: toPlace(spec),
    ...splitAddress(spec.baseUrl),
    ...capabilitiesOf(spec),
  };
  const openAgent = () => createConnections(spec, guardedConnector);
  const agent = existing && !hasMoved ? existing.agent : openAgent();
  // It may have been started anew, with other models or options.
  const learned = { unansweredCalls: new Set<string>(), modelsWithFewAnswers: new Set<string>() };
  // The object stays the same: leases decrement its counter when they end.
  backends.set(spec.name, Object.assign(state, description, { agent, openAgent, ...learned }));
  for (const notify of [...listeners]) notify();
}

const createState = (): Pick<Backend, "speeds" | "prefixes" | "inFlight" | keyof BackendHealth> => ({
  speeds: new Map(),
  prefixes: createHeldPrefixes(),
  inFlight: 0,
  ...toHealthy(),
});

/**
 * Replaces the keys of a backend, so that no call is sent with one that was removed; calls that run with it go on. Returns
 * whether the backend had one of the keys before. Changes nothing otherwise.
 */
function setKeys(_context: Context, backend: Backend, specs: readonly BackendKeySpec[]): boolean {
  const secrets = new Set(backend.keys.list.map(({ secret }) => secret));
  const isKept = specs.length === 0 ? secrets.size === 0 : specs.some(({ secret }) => secrets.has(secret));
  if (isKept) backend.keys = toKeyRing(specs, backend.keys);
  return isKept;
}

function toPlace(spec: Pick<BackendSpec, "source" | "provider" | "baseUrl">): string {
  if (isOwnBackend(spec)) return "server";
  return spec.provider ?? (isLoopbackHost(new URL(spec.baseUrl).hostname) ? "server" : "network");
}

function toOnlyKey(secret: string | undefined): BackendKeySpec[] {
  return secret === undefined ? [] : [{ label: FIRST_KEY_LABEL, weight: 1, secret }];
}

function removeBackend({ backends }: Context, name: string): void {
  const backend = backends.get(name);
  backends.delete(name);
  if (backend) void backend.agent.close();
}

function listBackends({ backends }: Context): Backend[] {
  return [...backends.values()];
}

/** Returns the backends that run a model, best first: those that are healthy, then by requests in flight per weight. */
function listCandidates(context: Context, modelId: string): Backend[] {
  const running = listRunning(context, modelId);
  if (running.length === 1) return running;
  const unhealthyRank = (backend: Backend) => (isHealthy(context, backend) ? 0 : 1);
  return running.sort(
    (a, b) => unhealthyRank(a) - unhealthyRank(b) || (a.inFlight + 1) / a.weight - (b.inFlight + 1) / b.weight,
  );
}

/** Counts a call as in flight at a backend and for its key until the lease is disposed of. */
function acquireBackend(
  _context: Context,
  backend: Backend,
  key: BackendKey | null = null,
  prompt: PromptBlocks | null = null,
): BackendLease {
  backend.inFlight += 1;
  if (key !== null) key.inFlight += 1;
  const sent = prompt && noteSent(backend.prefixes, prompt.hashes);
  return {
    backend,
    key,
    sent,
    [Symbol.dispose]() {
      if (sent !== null) noteAnswered(backend.prefixes, sent);
      backend.inFlight -= 1;
      if (key !== null) key.inFlight -= 1;
    },
  };
}

/** Returns the key for the next call to a backend; null if it has none, or all rest or are excluded. */
function chooseKeyOf(
  { clock }: Context,
  { keys }: Backend,
  excluded: ReadonlySet<BackendKey> = NO_KEYS,
): BackendKey | null {
  return keys.list.length === 0 ? null : chooseKey(keys, clock.now().getTime(), excluded);
}

/** Lets the key rest with which a backend has refused a call. */
function recordRefusedKey({ clock }: Context, { keys }: Backend, key: BackendKey, refusal: KeyRefusal): void {
  restKey(keys, key, refusal, clock.now().getTime());
}

/**
 * Returns the backends that run a model. Discovered ones count only without others, so that only the operator decides which
 * backends get the calls to a model.
 */
function listRunning({ backends }: Context, modelId: string): Backend[] {
  const chosen: Backend[] = [];
  const discovered: Backend[] = [];
  for (const backend of backends.values())
    if (backend.models.has(modelId)) (backend.source === "discovered" ? discovered : chosen).push(backend);
  return chosen.length > 0 ? chosen : discovered;
}

const isHealthy = ({ clock }: Context, backend: Backend): boolean => isUsable(backend, clock.now().getTime());

/** Resolves when a usable backend runs the model, or after the given milliseconds. Rejects with the signal's reason. */
function waitUntilServed(
  { backends, listeners }: Context,
  modelId: string,
  timeoutMs: number,
  signal: AbortSignal,
  mayAnswer: (backend: Backend) => boolean = () => true,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = () => {
      if (signal.aborted) stop(() => reject(signal.reason));
      else if ([...backends.values()].some((backend) => backend.models.has(modelId) && mayAnswer(backend)))
        stop(resolve);
    };
    const timer = setTimeout(() => stop(resolve), timeoutMs);
    function stop(settle: () => void) {
      clearTimeout(timer);
      listeners.delete(check);
      signal.removeEventListener("abort", check);
      settle();
    }
    listeners.add(check);
    signal.addEventListener("abort", check);
    check();
  });
}

function recordSuccess(
  { clock, lastAnsweredAt }: Context,
  backend: Backend,
  modelId: string,
  key: BackendKey | null = null,
): void {
  if (key !== null && key.rest !== null) endRest(key);
  Object.assign(backend, toHealthy());
  backend.unloaded.delete(modelId);
  lastAnsweredAt.set(modelId, clock.now().getTime());
}

function recordFailure({ clock }: Context, backend: Backend, reason: string): void {
  const isOpen = noteFailure(backend, reason, clock.now().getTime());
  if (isOpen) invalidate(backend.prefixes); // it may be started anew meanwhile
}

/** Records whether a backend could be reached when its models were read, without waiting for calls to fail. */
function recordReachability({ backends }: Context, name: string, isReachable: boolean): void {
  const backend = backends.get(name);
  if (backend !== undefined) backend.isUnreachable = !isReachable;
}

/**
 * Whether a healthy backend has the model in memory (`warm`), loads it for the next call (`cold`) or none does (`offline`),
 * whether it answered in the last hour (`recent`), and whether any backend has it (`known`).
 */
function readAvailability(context: Context, modelId: string) {
  const running = listRunning(context, modelId);
  const healthy = running.filter((backend) => isHealthy(context, backend));
  const isLoaded = healthy.some(({ unloaded }) => !unloaded.has(modelId));
  return {
    tier: isLoaded ? ("warm" as const) : healthy.length > 0 ? ("cold" as const) : ("offline" as const),
    recent: context.clock.now().getTime() - readLastAnswerAt(context, modelId) < RECENT_ANSWER_MS,
    known: running.length > 0,
  };
}

/**
 * Returns the context in tokens with which the backends run a model now: the longest of them, since a prompt goes to one that
 * it fits. Null if no backend runs the model, or one of them does not say its context.
 */
function readContextLength(context: Context, modelId: string): number | null {
  let longest: number | null = null;
  for (const { contextLengths } of listRunning(context, modelId)) {
    const tokens = contextLengths?.get(modelId);
    if (tokens === undefined) return null;
    longest = Math.max(longest ?? 0, tokens);
  }
  return longest;
}

/** Returns where the backends that get calls to a model answer: `here`, `elsewhere` or both; empty without any. */
function readHosted(context: Context, modelId: string): Hosted[] {
  const running = listRunning(context, modelId);
  return HOSTED.filter((hosted) => running.some((backend) => backend.hosted === hosted));
}

/** Returns the ids of the models of which `readHosted` returns this value. */
function listHostedModels({ backends }: Context, hosted: Hosted): string[] {
  const ids = new Set<string>();
  const chosen = new Set<string>();
  const discovered: Backend[] = [];
  for (const backend of backends.values()) {
    if (backend.source === "discovered") discovered.push(backend);
    else
      for (const id of backend.models.keys()) {
        chosen.add(id);
        if (backend.hosted === hosted) ids.add(id);
      }
  }
  for (const backend of discovered)
    if (backend.hosted === hosted) for (const id of backend.models.keys()) if (!chosen.has(id)) ids.add(id);
  return [...ids];
}

/** Returns the ids of the models that the operator's own backends run. These models may be called without approval. */
function listOperatorModels({ backends }: Context): string[] {
  const operatorBackends = [...backends.values()].filter(({ source }) => OPERATOR_SOURCES.has(source));
  return [...new Set(operatorBackends.flatMap(({ models }) => [...models.keys()]))];
}

/** Returns whether one of the operator's own backends runs a model. */
function isOperatorModel({ backends }: Context, modelId: string): boolean {
  return [...backends.values()].some(({ source, models }) => OPERATOR_SOURCES.has(source) && models.has(modelId));
}

/** Returns when a backend last answered for a model, in milliseconds since 1970; 0 if none has. */
function readLastAnswerAt({ lastAnsweredAt }: Context, modelId: string): number {
  return lastAnsweredAt.get(modelId) ?? 0;
}

/** Ids of all models that a healthy backend has in memory. */
function listWarmModels(context: Context): string[] {
  return listModelsOfHealthy(context, ({ unloaded }, id) => !unloaded.has(id));
}

/** Ids of all models that a healthy backend loads when they are called; another one may have them in memory. */
function listColdModels(context: Context): string[] {
  return listModelsOfHealthy(context, ({ unloaded }, id) => unloaded.has(id));
}

function listModelsOfHealthy(context: Context, isListed: (backend: Backend, id: string) => boolean): string[] {
  const ids = new Set<string>();
  for (const backend of context.backends.values())
    if (isHealthy(context, backend)) for (const id of backend.models.keys()) if (isListed(backend, id)) ids.add(id);
  return [...ids];
}

async function closeBackends({ backends }: Context): Promise<void> {
  await Promise.all([...backends.values()].map((backend) => backend.agent.destroy()));
}

function splitAddress(baseUrl: string): { origin: string; basePath: string } {
  const { origin, pathname } = new URL(baseUrl);
  return { origin, basePath: pathname.replace(/\/+$/, "") };
}

function capabilitiesOf({
  source,
  program,
  parameters = [],
}: BackendSpec): Pick<Backend, "extraParams" | "dialect" | "tokenizer"> {
  const dialect = DIALECTS[program ?? (source === "engine" ? "engine" : "other")];
  const { chat, completion, embedding } = dialect.passedOver;
  const withoutTaken = (fields: ReadonlySet<string>) =>
    new Set([...fields].filter((name) => !parameters.includes(name)));
  const passedOver = {
    chat: withoutTaken(chat),
    completion: withoutTaken(completion),
    embedding: withoutTaken(embedding),
  };
  return {
    extraParams: new Set([...dialect.extraParams, ...parameters.filter((field) => !WITHHELD_FIELDS.has(field))]),
    dialect: { ...dialect, passedOver },
    tokenizer: dialect.tokenizer,
  };
}
