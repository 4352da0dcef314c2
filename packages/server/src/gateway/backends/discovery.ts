import type { Dispatcher } from "undici";
import { bind } from "../../core/bind.ts";
import type { Clock } from "../../core/clock.ts";
import { isModelId } from "../../core/model-ids.ts";
import type { BackendSetting, ModelAlias } from "./backends.settings.ts";
import type { Program } from "./dialects.ts";
import { type ListedModel, listModels } from "./list-models.ts";
import type { ShownContexts } from "./ollama-facts.ts";
import type { BackendRegistry, BackendSource, BackendSpec } from "./registry.ts";

/** A program that may run on this machine. */
export type LoopbackProgram = { name: Program; port: number };

/** Matches the host at the beginning of a name with three parts. */
const REGISTRY_HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?\/(?=[^/]+\/[^/]+$)/i;

/** Programs that are looked for on this machine, at their default ports. */
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
};

/** Adds missing models to the catalogue. Returns the canonical id of each, by the given id. */
export type EnsureModels = (models: readonly FoundModel[]) => Promise<Map<string, string>>;

/** When the models of a backend were last read, the error of that request, and a note about models that cannot be used. */
export type BackendCheck = { at: Date; error: string | null; note?: string };

type Deps = {
  registry: BackendRegistry;
  ensureModels: EnsureModels;
  clock: Clock;
  settings: readonly BackendSetting[];
  /** Returns the backends that admins added and left enabled. */
  loadStored(): Promise<BackendSetting[]>;
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

async function refreshBackend(context: Context, setting: BackendSetting, source: BackendSource): Promise<void> {
  const { registry, checks, clock, guardedDispatcher } = context;
  const { name, base_url, api_key, models, weight, parameters = [] } = setting;
  const answer = await listModels(base_url, api_key, {
    dispatcher: source === "admin" ? guardedDispatcher : undefined,
    shownContexts: shownContextsOf(context, name),
  });
  checks.set(name, { at: clock.now(), error: answer.ok ? null : answer.error });
  const listed = answer.ok ? answer.models : [];
  if (models.length === 0 && !answer.ok) return;
  const known = registry.list().find((backend) => backend.name === name)?.program;
  const program = answer.ok ? answer.program : (known ?? "other");
  await registerBackend(
    context,
    { name, source, baseUrl: base_url, apiKey: api_key, weight, parameters, program },
    models.length > 0 ? models.map((model) => findListed(listed, model)) : listed,
  );
}

function shownContextsOf({ shownContexts }: Context, backend: string): ShownContexts {
  const shown = shownContexts.get(backend) ?? new Map<string, number | null>();
  shownContexts.set(backend, shown);
  return shown;
}

/** Returns a model that is named in the settings, with the sizes that its backend reports. */
function findListed(listed: readonly ListedModel[], named: string | ModelAlias): ListedModel {
  const { name, ...alias } = typeof named === "string" ? { name: named } : named;
  const found = listed.find((model) => model.name === name) ?? { name, contextLength: null, parameterSize: null };
  return { ...found, ...alias };
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
    { name, source: "discovered", baseUrl, weight: 1, program: name },
    answer.models,
    takenIds,
  );
}

/** Registers a backend with those of its models that can be called and are not in `takenIds`. */
async function registerBackend(
  context: Context,
  spec: Omit<BackendSpec, "models">,
  models: readonly ListedModel[],
  takenIds: ReadonlySet<string> = new Set(),
): Promise<void> {
  const { byId, notIds, meeting } = identifyModels(spec.name, models);
  noteUnusableModels(context, spec, notIds, meeting);
  const usable = [...byId].filter(([id]) => !takenIds.has(id.toLowerCase()));
  const canonical = await context.ensureModels(
    usable.map(([id, { contextLength, parameterSize }]) => ({ id, contextLength, parameterSize })),
  );
  context.registry.set({ ...spec, models: new Map(usable.map(([id, { name }]) => [canonical.get(id) ?? id, name])) });
}

/** Returns the models by id, the names that cannot be ids, and the names whose id another model of the backend has. */
function identifyModels(backend: string, models: readonly ListedModel[]) {
  const byId = new Map<string, ListedModel>();
  const ids = new Set<string>();
  const notIds: string[] = [];
  const meeting: string[] = [];
  for (const model of models) {
    const id = model.as ?? toCatalogueId(backend, model.name);
    if (!isModelId(id)) notIds.push(model.name);
    else if (ids.has(id.toLowerCase())) meeting.push(model.name);
    else byId.set(id, model);
    ids.add(id.toLowerCase());
  }
  return { byId, notIds, meeting };
}

/** Stores in a backend's check which of its models cannot be called, why, and how to change that. */
function noteUnusableModels(
  { checks }: Context,
  { name, source }: Pick<BackendSpec, "name" | "source">,
  notIds: readonly string[],
  meeting: readonly string[],
): void {
  const check = checks.get(name);
  if (!check || notIds.length + meeting.length === 0) return;
  const notes = [
    ...describeNames(notIds, "Left out, because the name cannot be a model id (owner/name)"),
    ...describeNames(meeting, "Left out, because another model of this backend has the same id"),
    ...(source === "admin" ? [] : [`FEATHER_BACKENDS can give ids: "models": [{"name": "…", "as": "owner/name"}].`]),
  ];
  checks.set(name, { ...check, note: notes.join(" ") });
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
 * Reads the stored backends and their models. Deleted and disabled backends are removed; those with another address or key
 * are registered again, with a new state.
 */
async function readStored(context: Context): Promise<void> {
  const { registry, loadStored, checks, settings } = context;
  const storedBackends = await loadStored();
  const stored = new Map(storedBackends.map((setting) => [setting.name, setting]));
  for (const { name, source, baseUrl, apiKey } of registry.list()) {
    if (source !== "admin") continue;
    const setting = stored.get(name);
    if (setting?.base_url !== baseUrl || setting.api_key !== apiKey) registry.remove(name);
  }
  const kept = new Set([...stored.keys(), ...[...settings, ...registry.list()].map(({ name }) => name)]);
  for (const name of checks.keys()) if (!kept.has(name)) checks.delete(name);
  await Promise.all(storedBackends.map((setting) => refreshBackend(context, setting, "admin")));
}

function lastCheck({ checks }: Context, name: string): BackendCheck | null {
  return checks.get(name) ?? null;
}

/**
 * Returns the catalogue id of a backend's model. A name without an owner gets the backend's name as its owner. llama-server
 * without an alias uses the file's path as the name, of which only the file name is kept. Ollama puts the host of another
 * registry in front (`hf.co/owner/name:tag`), which is left out.
 */
export function toCatalogueId(backend: string, name: string): string {
  const isPath = /^([/\\.~]|[A-Za-z]:[/\\])/.test(name) || /\.gguf$/i.test(name);
  if (isPath && !name.includes("..")) return `${backend}/${toFileName(name)}`;
  if (!name.includes("/")) return `${backend}/${name}`;
  return name.replace(REGISTRY_HOST, "");
}

function toFileName(path: string): string {
  const file = path.split(/[/\\]/).at(-1) ?? path;
  return file.replace(/\.gguf$/i, "").replaceAll(/\s+/g, "-");
}

function isSameAddress(a: string, b: string): boolean {
  const normalize = (url: string) => url.replace("//localhost", "//127.0.0.1").replace(/\/+$/, "");
  return normalize(a) === normalize(b);
}
