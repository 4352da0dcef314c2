import { request } from "undici";
import type { BackendSetting } from "../../config/settings.ts";
import { isModelId } from "../../http/canonical-url.ts";
import type { BackendRegistry, BackendSpec } from "./registry.ts";

/** Programs that serve models on this machine, at the ports they use unless told otherwise. */
export const LOOPBACK_PROGRAMS = [
  { name: "ollama", port: 11434 },
  { name: "lm-studio", port: 1234 },
  { name: "llama-server", port: 8080 },
  { name: "vllm", port: 8000 },
] as const;

const TIMEOUT = 1_500;

/** Makes sure that models are in the catalogue, by their ids or with class defaults; answers their canonical ids. */
export type AdoptModels = (ids: readonly string[]) => Promise<Map<string, string>>;

type Deps = {
  registry: BackendRegistry;
  adopt: AdoptModels;
  settings: readonly BackendSetting[];
  discover: boolean;
  ownPort: number;
};

/** Asks the backends of the settings, and those found on this machine, what they run, and brings the registry up to that. */
export function createDiscovery({ registry, adopt, settings, discover, ownPort }: Deps) {
  async function refreshSetting({ name, base_url, api_key, models, weight }: BackendSetting): Promise<void> {
    const names = models.length > 0 ? models : await listModels(base_url, api_key);
    if (names === null) return; // it does not answer: what is known of it stays
    await enter({ name, source: "settings", baseUrl: base_url, apiKey: api_key, weight }, names);
  }

  async function refreshProgram({ name, port }: { name: string; port: number }): Promise<void> {
    if (port === ownPort) return;
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    if (settings.some((setting) => sameAddress(setting.base_url, baseUrl))) return;
    const names = await listModels(baseUrl, undefined);
    if (names === null) registry.remove(name);
    else await enter({ name, source: "discovered", baseUrl, weight: 1 }, names);
  }

  async function enter(spec: Omit<BackendSpec, "models">, names: readonly string[]): Promise<void> {
    const byId = new Map(names.map((name) => [catalogueId(spec.name, name), name]));
    const usable = [...byId.keys()].filter(isModelId);
    const canonical = await adopt(usable);
    registry.set({ ...spec, models: new Map(usable.map((id) => [canonical.get(id) ?? id, byId.get(id) ?? id])) });
  }

  return {
    async refresh(): Promise<void> {
      await Promise.all([...settings.map(refreshSetting), ...(discover ? LOOPBACK_PROGRAMS.map(refreshProgram) : [])]);
    },
  };
}

/** Backends name models as they like; without an owner the backend is the owner. */
function catalogueId(backend: string, name: string): string {
  return name.includes("/") ? name : `${backend}/${name}`;
}

function sameAddress(a: string, b: string): boolean {
  const normal = (url: string) => url.replace("//localhost", "//127.0.0.1").replace(/\/+$/, "");
  return normal(a) === normal(b);
}

/** Names of the models a backend runs, or null when it does not answer like one. */
async function listModels(baseUrl: string, apiKey: string | undefined): Promise<string[] | null> {
  try {
    const response = await request(`${baseUrl.replace(/\/+$/, "")}/models`, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const body: unknown = await response.body.json();
    if (
      response.statusCode !== 200 ||
      typeof body !== "object" ||
      body === null ||
      !("data" in body) ||
      !Array.isArray(body.data)
    )
      return null;
    return body.data.map((entry: { id?: unknown }) => entry.id).filter((id) => typeof id === "string");
  } catch {
    return null;
  }
}
