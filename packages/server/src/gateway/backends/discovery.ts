import type { Dispatcher } from "undici";
import type { BackendSetting } from "../../config/settings.ts";
import { isModelId } from "../../http/canonical-url.ts";
import type { Clock } from "../../shared/clock.ts";
import { listModels } from "./list-models.ts";
import type { BackendRegistry, BackendSource, BackendSpec } from "./registry.ts";

/** Programs that serve models on this machine, at the ports they use unless told otherwise. */
export const LOOPBACK_PROGRAMS = [
  { name: "ollama", port: 11434 },
  { name: "lm-studio", port: 1234 },
  { name: "llama-server", port: 8080 },
  { name: "vllm", port: 8000 },
] as const;

/**
 * Makes sure that models are in the catalogue, by their ids or with class defaults, and returns their canonical ids. Models
 * that are new get the context lengths that backends tell.
 */
export type AdoptModels = (
  ids: readonly string[],
  contextLengths?: ReadonlyMap<string, number>,
) => Promise<Map<string, string>>;

/** When a backend was last asked what it runs, what was wrong with its answer, and what of it could not be used, if anything. */
export type Check = { at: Date; error: string | null; note?: string };

const NONE: ReadonlyMap<string, number> = new Map();

type Deps = {
  registry: BackendRegistry;
  adopt: AdoptModels;
  clock: Clock;
  settings: readonly BackendSetting[];
  /** The backends that admins added and left switched on. */
  stored(): Promise<BackendSetting[]>;
  discover: boolean;
  ownPort: number;
  /** The way out to addresses that admins named. */
  guarded?: Dispatcher;
};

/**
 * Asks the backends of the settings, those that admins added and those found on this machine what they run, and brings
 * the registry up to that. One that does not answer keeps what is known of it.
 */
export function createDiscovery({ registry, adopt, clock, settings, stored, discover, ownPort, guarded }: Deps) {
  const checks = new Map<string, Check>();

  async function refreshNamed(setting: BackendSetting, source: BackendSource): Promise<void> {
    const { name, base_url, api_key, models, weight, parameters = [] } = setting;
    const answer = await listModels(base_url, api_key, undefined, source === "admin" ? guarded : undefined);
    checks.set(name, { at: clock.now(), error: answer.ok ? null : answer.error });
    const names = models.length > 0 ? models : answer.ok ? answer.models : null;
    if (names === null) return;
    const known = registry.list().find((backend) => backend.name === name)?.program;
    const program = answer.ok ? answer.program : (known ?? "other");
    const lengths = answer.ok ? answer.contextLengths : NONE;
    await enter({ name, source, baseUrl: base_url, apiKey: api_key, weight, parameters, program }, names, lengths);
  }

  async function refreshProgram({ name, port }: (typeof LOOPBACK_PROGRAMS)[number]): Promise<void> {
    if (port === ownPort) return;
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    if (settings.some((setting) => sameAddress(setting.base_url, baseUrl))) return;
    const answer = await listModels(baseUrl, undefined);
    if (!answer.ok) {
      if (registry.list().some((backend) => backend.name === name && backend.source === "discovered"))
        registry.remove(name);
      checks.delete(name);
      return;
    }
    checks.set(name, { at: clock.now(), error: null });
    await enter(
      { name, source: "discovered", baseUrl, weight: 1, program: name },
      answer.models,
      answer.contextLengths,
    );
  }

  async function enter(
    spec: Omit<BackendSpec, "models">,
    names: readonly string[],
    contextLengths: ReadonlyMap<string, number>,
  ): Promise<void> {
    const byId = new Map(names.map((name) => [catalogueId(spec.name, name), name]));
    const usable = [...byId.keys()].filter(isModelId);
    noteLeftOut(
      spec.name,
      [...byId].filter(([id]) => !isModelId(id)).map(([, name]) => name),
    );
    const lengths = usable.flatMap((id) => {
      const tokens = contextLengths.get(byId.get(id) ?? id);
      return tokens === undefined ? [] : [[id, tokens] as const];
    });
    const canonical = await adopt(usable, new Map(lengths));
    registry.set({ ...spec, models: new Map(usable.map((id) => [canonical.get(id) ?? id, byId.get(id) ?? id])) });
  }

  /** Says in the list of backends which models of one cannot be called, and why. */
  function noteLeftOut(backend: string, names: readonly string[]): void {
    const check = checks.get(backend);
    if (!check || names.length === 0) return;
    const some = names.slice(0, 3).map((name) => `"${name.slice(0, 100)}"`);
    const more = names.length > some.length ? ` and ${names.length - some.length} more` : "";
    const note = `Left out, because the name cannot be a model id (owner/name): ${some.join(", ")}${more}. Give it an alias.`;
    checks.set(backend, { ...check, note });
  }

  /** Takes those away that an admin removed or switched off, here or in another process. */
  async function refreshStored(): Promise<void> {
    const wanted = await stored();
    const names = new Set(wanted.map(({ name }) => name));
    for (const { name, source } of registry.list()) if (source === "admin" && !names.has(name)) registry.remove(name);
    await Promise.all(wanted.map((setting) => refreshNamed(setting, "admin")));
  }

  return {
    async refresh(): Promise<void> {
      await Promise.all([
        ...settings.map((setting) => refreshNamed(setting, "settings")),
        refreshStored(),
        ...(discover ? LOOPBACK_PROGRAMS.map(refreshProgram) : []),
      ]);
    },
    /** After an admin changed one. */
    refreshStored,
    lastCheck: (name: string): Check | null => checks.get(name) ?? null,
  };
}

export type Discovery = ReturnType<typeof createDiscovery>;

/**
 * Backends name models as they like; without an owner the backend is the owner. llama-server without an alias names the
 * file it runs by its path, of which the name of the file is kept.
 */
function catalogueId(backend: string, name: string): string {
  const isPath = /^([/\\.~]|[A-Za-z]:[/\\])/.test(name) || /\.gguf$/i.test(name);
  if (isPath && !name.includes("..")) return `${backend}/${withoutFolders(name)}`;
  return name.includes("/") ? name : `${backend}/${name}`;
}

function withoutFolders(path: string): string {
  const file = path.split(/[/\\]/).at(-1) ?? path;
  return file.replace(/\.gguf$/i, "").replaceAll(/\s+/g, "-");
}

function sameAddress(a: string, b: string): boolean {
  const normal = (url: string) => url.replace("//localhost", "//127.0.0.1").replace(/\/+$/, "");
  return normal(a) === normal(b);
}
