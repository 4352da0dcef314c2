import type { Dispatcher } from "undici";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { DEFAULT_API } from "../apis/api.ts";
import { APIS } from "../apis/apis.ts";
import { type IdentifiedModel, identifyModels, type ModelAlias } from "./aliases.ts";
import { type BackendKeySpec, isResting } from "./backend-keys.ts";
import { type BackendSetting, toKeySpecs } from "./backends.settings.ts";
import type { Program } from "./dialects.ts";
import { type ListedModel, type ListOptions, listModels } from "./list-models.ts";
import type { ShownContexts } from "./ollama-facts.ts";
import type { OwnKeyMode } from "./own-keys.ts";
import type { PlaceAbilities } from "./places/abilities.ts";
import type { Locate } from "./places/hosted.ts";
import { readPlaceFacts } from "./places/place-facts.ts";
import type { BackendProblem } from "./problems.ts";
import type { BackendRegistry, BackendSource, BackendSpec } from "./registry.ts";

/** A program that may run on this machine. */
export type LoopbackProgram = { name: Program; port: number };

/** Programs looked for on this machine, at their default ports. */
export const LOOPBACK_PROGRAMS: readonly LoopbackProgram[] = [
  { name: "ollama", port: 11434 },
  { name: "lm-studio", port: 1234 },
  { name: "llama-server", port: 8080 },
  { name: "vllm", port: 8000 },
];

/** A model of a backend or of the model store. The context is in tokens; null if unknown. */
export type FoundModel = {
  readonly id: string;
  readonly contextLength: number | null;
  readonly parameterSize: number | null;
  /** What its backend says that it reads; left out if it does not say. */
  readonly inputModalities?: readonly string[] | null;
  /** What its backend says of it in words. */
  readonly description?: string | null;
  /** The name of its backend, of which the catalogue may know better from a probe; left out for a model of the store. */
  readonly backend?: string;
  /** What its backend says that it can do. */
  readonly abilities?: PlaceAbilities | null;
  /** Further names of it, of which one may state its size. */
  readonly names?: readonly string[];
};

/** Adds missing models to the catalogue. Returns the canonical id of each, by the given id. */
export type EnsureModels = (models: readonly FoundModel[]) => Promise<Map<string, string>>;

/** When the models of a backend were last read, the error of that request, and a note about models that cannot be used. */
export type BackendCheck = { at: Date; error: string | null; note?: string };

/** What gives models an id, by where their backend comes from. */
const ALIAS_ADVICE = {
  admin: "Give it an alias: test the backend, or change it.",
  settings: `FEATHER_BACKENDS can give ids: "aliases": [{"name": "…", "as": "owner/name"}].`,
};

/** Problems of a list of models that another key may not have. */
const KEY_PROBLEMS: ReadonlySet<string> = new Set(["key", "permission", "quota"] satisfies BackendProblem[]);

/** Problems because of which no call reaches a backend either. */
const UNREACHABLE_PROBLEMS: ReadonlySet<string> = new Set(["address", "certificate"] satisfies BackendProblem[]);

/** A backend that an admin added, and whether organizations may use keys of their own at its provider. */
export type StoredBackend = BackendSetting & { own_keys?: OwnKeyMode };

type Deps = {
  registry: BackendRegistry;
  ensureModels: EnsureModels;
  clock: Clock;
  settings: readonly BackendSetting[];
  /** Returns the backends that admins added and left enabled. */
  loadStored(): Promise<StoredBackend[]>;
  /** Adds the ids that models of the backend at an address are known to have here. */
  withKnownIds?(baseUrl: string, models: readonly ListedModel[]): readonly ListedModel[];
  /** Returns where a backend answers. */
  locate?: Locate;
  /** Returns the id of the provider at an address; null for any other server. */
  findProvider?(baseUrl: string): string | null;
  /** The programs that are looked for on this machine. */
  programs: readonly LoopbackProgram[];
  ownPort: number;
  /** Dispatcher for addresses that admins entered, which refuses private networks. */
  guardedDispatcher?: Dispatcher;
};
type Context = Deps & {
  /** The last check of each backend, by its name. */
  checks: Map<string, BackendCheck>;
  /** The contexts of Ollama's models that were read before, by the name of the backend. */
  shownContexts: Map<string, ShownContexts>;
  /** The last refresh of stored backends that has started, and one that starts after it. */
  storedRefreshes: { last: Promise<void>; next: Promise<void> | null };
};

/**
 * Creates the discovery of models. It reads the models of configured backends, of those that admins added and of those
 * found on this machine, and updates the registry. A backend that does not respond keeps its last known models.
 */
export function createDiscovery(deps: Deps) {
  const context: Context = {
    ...deps,
    checks: new Map(),
    shownContexts: new Map(),
    storedRefreshes: { last: Promise.resolve(), next: null },
  };
  return bind(context, {
    refresh: refreshAll,
    /** Called after an admin changed a backend, in this or another process. */
    refreshStored,
    lastCheck,
    /** Returns the last check of each backend, by name. */
    listChecks: ({ checks }: Context): ReadonlyMap<string, BackendCheck> => checks,
  });
}

export type Discovery = ReturnType<typeof createDiscovery>;

/**
 * Refreshes all backends. `ownModelIds` are the models that this server runs itself: programs found on this machine get no
 * calls to them.
 */
async function refreshAll(context: Context, ownModelIds: readonly string[] = []): Promise<void> {
  await Promise.all([
    ...context.settings.map((setting) => refreshBackend(context, setting, "settings")),
    refreshStored(context),
  ]);
  const operatorBackends = context.registry.list().filter(({ source }) => source !== "discovered");
  const operatorModelIds = operatorBackends.flatMap(({ models }) => [...models.keys()]);
  const takenIds = new Set([...ownModelIds, ...operatorModelIds].map((id) => id.toLowerCase()));
  await Promise.all(context.programs.map((program) => refreshLoopbackProgram(context, program, takenIds)));
}

async function refreshBackend(context: Context, setting: StoredBackend, source: BackendSource): Promise<void> {
  const {
    registry,
    checks,
    clock,
    guardedDispatcher,
    locate,
    findProvider,
    withKnownIds = (_baseUrl, models) => models,
  } = context;
  const { name, base_url, api, models, aliases, weight, parameters = [], own_keys = "off" } = setting;
  const keys = toKeySpecs(setting);
  const answer = await listWithKeys(base_url, orderKeys(context, name, keys), {
    api,
    dispatcher: source === "admin" ? guardedDispatcher : undefined,
    shownContexts: shownContextsOf(context, name),
    accessTokens: registry.accessTokens,
  });
  // Some providers list no models; those that are named for them are used without a list.
  const isListless = !answer.ok && answer.problem === "not_this_api" && models.length > 0;
  checks.set(name, { at: clock.now(), error: answer.ok || isListless ? null : answer.error });
  const isReachable = answer.ok || !UNREACHABLE_PROBLEMS.has(answer.problem ?? "");
  if (models.length === 0 && !answer.ok) return registry.recordReachability(name, isReachable);
  const known = registry.list().find((backend) => backend.name === name)?.program;
  const program = answer.ok ? answer.program : (known ?? "other");
  await registerBackend(
    context,
    {
      name,
      source,
      baseUrl: base_url,
      api,
      keys,
      weight,
      parameters,
      program,
      provider: findProvider?.(base_url) ?? null,
      ownKeys: own_keys,
      ...(locate && { hosted: await locate(base_url) }),
    },
    withKnownIds(base_url, chooseModels(setting, answer.ok ? answer.models : [])),
    aliases,
  );
  registry.recordReachability(name, isReachable);
}

/** Requests the models of a backend with each of its keys, until one is accepted. */
async function listWithKeys(baseUrl: string, keys: readonly BackendKeySpec[], options: ListOptions) {
  const [first, ...others] = keys;
  let result = await listModels(baseUrl, first?.secret, options);
  for (const { secret } of others) {
    if (result.ok || !KEY_PROBLEMS.has(result.problem ?? "")) break;
    result = await listModels(baseUrl, secret, options);
  }
  return result;
}

/** Returns the keys of a backend, those first that its calls do not spare. */
function orderKeys({ registry, clock }: Context, name: string, keys: readonly BackendKeySpec[]): BackendKeySpec[] {
  const now = clock.now().getTime();
  const registered = registry.list().find((backend) => backend.name === name)?.keys.list ?? [];
  const resting = new Set(registered.flatMap((key) => (isResting(key, now) ? key.secret : [])));
  return keys.toSorted((a, b) => Number(resting.has(a.secret)) - Number(resting.has(b.secret)));
}

/** Returns the models of a backend that are used: those that are named for it, or all that it lists. */
export function chooseModels(
  { models, aliases }: Pick<BackendSetting, "models" | "aliases">,
  listed: readonly ListedModel[],
): readonly ListedModel[] {
  if (models.length === 0) return listed;
  const byName = new Map(listed.map((model) => [model.name, model]));
  const names = new Set([...models, ...aliases.map(({ name }) => name)]);
  return [...names].map((name) => byName.get(name) ?? toUnlisted(name));
}

/** Returns a model of which its backend says nothing but the name. */
function toUnlisted(name: string): ListedModel {
  return {
    name,
    knownId: null,
    contextLength: null,
    maxAnswerTokens: null,
    parameterSize: null,
    inputModalities: null,
    names: [],
    isLoaded: true,
    place: readPlaceFacts({}, [name]),
    description: null,
  };
}

function shownContextsOf({ shownContexts }: Context, backend: string): ShownContexts {
  const shown = shownContexts.get(backend) ?? new Map<string, number | null>();
  shownContexts.set(backend, shown);
  return shown;
}

async function refreshLoopbackProgram(
  context: Context,
  { name, port }: LoopbackProgram,
  takenIds: ReadonlySet<string>,
): Promise<void> {
  const { registry, checks, clock, settings, ownPort } = context;
  if (port === ownPort) return;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  if (settings.some((setting) => setting.name === name || isSameAddress(setting.base_url, baseUrl))) return;
  const registered = registry.list().find((backend) => backend.name === name);
  if (registered && registered.source !== "discovered") return;
  const answer = await listModels(baseUrl, undefined, { program: name, shownContexts: shownContextsOf(context, name) });
  if (!answer.ok) {
    if (registered) registry.remove(name);
    checks.delete(name);
    return;
  }
  checks.set(name, { at: clock.now(), error: null });
  await registerBackend(
    context,
    { name, source: "discovered", baseUrl, weight: 1, program: name, hosted: "here" },
    answer.models,
    [],
    takenIds,
  );
}

/** Registers a backend with those of its models that can be called and are not in `takenIds`. */
async function registerBackend(
  context: Context,
  spec: Omit<BackendSpec, "models">,
  models: readonly ListedModel[],
  aliases: readonly ModelAlias[],
  takenIds: ReadonlySet<string> = new Set(),
): Promise<void> {
  const identified = identifyModels(spec.name, models, aliases);
  noteUnusableModels(context, spec, identified, aliases);
  const byId = new Map(identified.flatMap(({ id, model }) => (id === null ? [] : [[id, model] as const])));
  const usable = [...byId].filter(([id]) => !takenIds.has(id.toLowerCase()));
  const canonical = await context.ensureModels(
    usable.map(([id, { name, names, contextLength, parameterSize, inputModalities, description, place }]) => ({
      id,
      backend: spec.name,
      contextLength: contextLength === null ? null : longestContext(context.registry, spec.name, { id, contextLength }),
      parameterSize,
      inputModalities,
      description,
      abilities: place?.abilities ?? null,
      names: [name, ...names],
    })),
  );
  const registered = usable.map(([id, model]) => ({ ...model, id: canonical.get(id) ?? id }));
  context.registry.set({
    ...spec,
    models: new Map(registered.map(({ id, name }) => [id, name])),
    aliases,
    contextLengths: new Map(
      registered.flatMap(({ id, contextLength }) => (contextLength === null ? [] : [[id, contextLength]])),
    ),
    answerLimits: new Map(
      registered.flatMap(({ id, maxAnswerTokens }) => (maxAnswerTokens === null ? [] : [[id, maxAnswerTokens]])),
    ),
    places: new Map(registered.flatMap(({ id, place }) => (place === null ? [] : [[id, place]]))),
    unloaded: new Set(registered.flatMap(({ id, isLoaded }) => (isLoaded ? [] : id))),
  });
}

/**
 * Returns the longest context of a model that this backend or another one states, in tokens. The catalogue has one number: without
 * this, each of them would replace what the other one has stated.
 */
function longestContext(
  registry: BackendRegistry,
  backend: string,
  { id, contextLength }: { id: string; contextLength: number },
): number {
  const others = registry.list().filter(({ name }) => name !== backend);
  return Math.max(contextLength, ...others.map(({ contextLengths }) => contextLengths?.get(id) ?? 0));
}

/** Records in a backend's check which of its models cannot be called, why, and what helps, and which aliases name none. */
function noteUnusableModels(
  { checks }: Context,
  { name, source }: Pick<BackendSpec, "name" | "source">,
  identified: readonly IdentifiedModel<ListedModel>[],
  aliases: readonly ModelAlias[],
): void {
  const check = checks.get(name);
  if (!check) return;
  const names = new Set(identified.map(({ model }) => model.name));
  const namesWith = (reason: string) =>
    identified.flatMap(({ model, problem }) => (problem === reason ? model.name : []));
  const leftOut = [
    ...describeNames(namesWith("not_an_id"), "Left out, because the name cannot be a model id (owner/name)"),
    ...describeNames(namesWith("same_id"), "Left out, because another model of this backend has the same id"),
  ];
  const unlisted = aliases.flatMap((alias) => (names.has(alias.name) ? [] : alias.name));
  const notes = [
    ...leftOut,
    ...(leftOut.length === 0 ? [] : [ALIAS_ADVICE[source === "admin" ? "admin" : "settings"]]),
    ...describeNames(unlisted, "Not listed by this backend, though it has an alias"),
  ];
  if (notes.length > 0) checks.set(name, { ...check, note: notes.join(" ") });
}

function describeNames(names: readonly string[], reason: string): string[] {
  if (names.length === 0) return [];
  const examples = names.slice(0, 3).map((name) => `"${name.slice(0, 100)}"`);
  const remainder = names.length > examples.length ? ` and ${names.length - examples.length} more` : "";
  return [`${reason}: ${examples.join(", ")}${remainder}.`];
}

/**
 * Updates the registry with the backends that admins added. Refreshes run one after the other, so that an older one cannot
 * restore what a later one has removed. Calls during a refresh share the next one.
 */
function refreshStored(context: Context): Promise<void> {
  const { storedRefreshes } = context;
  const next =
    storedRefreshes.next ??
    storedRefreshes.last.then(() => {
      storedRefreshes.next = null;
      return readStored(context);
    });
  storedRefreshes.next = next;
  storedRefreshes.last = next.catch(() => {}); // the callers that wait for it get its error
  return next;
}

/**
 * Reads the stored backends and their models. Deleted and disabled backends are removed; those with another address or API,
 * or with other keys only, are registered again, with a new state.
 */
async function readStored(context: Context): Promise<void> {
  const { registry, loadStored, checks, settings } = context;
  const storedBackends = await loadStored();
  const stored = new Map(storedBackends.map((setting) => [setting.name, setting]));
  for (const backend of registry.list()) {
    if (backend.source !== "admin") continue;
    const { name, baseUrl, api } = backend;
    const setting = stored.get(name);
    const isSameServer = setting?.base_url === baseUrl && APIS[setting.api ?? DEFAULT_API] === api;
    if (!isSameServer || !registry.setKeys(backend, toKeySpecs(setting))) registry.remove(name);
    else backend.ownKeys = setting.own_keys ?? "off"; // at once, whether its models can be listed or not
  }
  const kept = new Set([...stored.keys(), ...[...settings, ...registry.list()].map(({ name }) => name)]);
  for (const name of checks.keys()) if (!kept.has(name)) checks.delete(name);
  await Promise.all(storedBackends.map((setting) => refreshBackend(context, setting, "admin")));
}

function lastCheck({ checks }: Context, name: string): BackendCheck | null {
  return checks.get(name) ?? null;
}

function isSameAddress(a: string, b: string): boolean {
  const normalize = (url: string) => url.replace("//localhost", "//127.0.0.1").replace(/\/+$/, "");
  return normalize(a) === normalize(b);
}
