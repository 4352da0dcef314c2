import type { components } from "@feather/openapi/schema";
import type { BackendSetting } from "../../config/settings.ts";
import type { Discovery } from "../../gateway/backends/discovery.ts";
import { listModels } from "../../gateway/backends/list-models.ts";
import type { Backend, BackendRegistry } from "../../gateway/backends/registry.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, invalidRequest, notFound } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import type { Outgoing } from "../../shared/outgoing.ts";
import type { Sealer } from "../../shared/sealing.ts";
import type { BackendFields, BackendRow, BackendsRepository } from "./backends.repository.ts";

/** The contract's schema of a backend. */
export type PresentedBackend = components["schemas"]["Backend"];
/** The body that creates or replaces a backend. */
export type BackendInput = components["schemas"]["BackendInput"];

/** The result of requesting a backend's models, with its duration in milliseconds. */
export type Tried = ({ ok: true; models: string[] } | { ok: false; error: string }) & { durationMs: number };

type Deps = {
  backends: BackendsRepository;
  registry: BackendRegistry;
  discovery: Discovery;
  settings: readonly BackendSetting[];
  sealer: Sealer;
  /** Sends requests to URLs that administrators configure, with the address checks. */
  outgoing: Outgoing;
  clock: Clock;
  ids: Ids;
};

const TEST_TIMEOUT = 5_000;
/** Names of backends that the platform creates or discovers. */
const RESERVED = new Set(["engine", "ollama", "lm-studio", "llama-server", "vllm"]);

/** Use cases of backends: from the settings, discovered on this machine, and added by administrators. */
export function createBackends({ backends, registry, discovery, settings, sealer, outgoing, clock, ids }: Deps) {
  const running = (name: string) => registry.list().find((backend) => backend.name === name);

  function presentRow(row: BackendRow): PresentedBackend {
    return {
      ...described(row.name, running(row.name)),
      id: row.id,
      base_url: row.base_url,
      models: row.models.length > 0 ? row.models : [...(running(row.name)?.models.keys() ?? [])],
      weight: Number(row.weight),
      enabled: row.enabled,
      source: "admin",
      has_api_key: row.sealed_api_key !== null,
      ...(!row.enabled && { state: "disabled" as const }),
    };
  }

  function presentSetting(setting: BackendSetting): PresentedBackend {
    return {
      ...described(setting.name, running(setting.name)),
      base_url: setting.base_url,
      models: [...(running(setting.name)?.models.keys() ?? setting.models)],
      weight: setting.weight,
      enabled: true,
      source: "settings",
      has_api_key: setting.api_key !== undefined,
    };
  }

  function presentRunning(backend: Backend): PresentedBackend {
    return {
      ...described(backend.name, backend),
      base_url: backend.baseUrl,
      models: [...backend.models.keys()],
      weight: backend.weight,
      enabled: true,
      source: backend.source,
      has_api_key: backend.apiKey !== undefined,
    };
  }

  function described(name: string, backend: Backend | undefined) {
    const check = discovery.lastCheck(name);
    const resting = backend !== undefined && backend.coolUntil > clock.now().getTime();
    const reachable = backend !== undefined && (check === null || check.error === null);
    const state: PresentedBackend["state"] = resting ? "cooling_down" : reachable ? "healthy" : "unreachable";
    return {
      id: name,
      name,
      state,
      in_flight: backend?.inFlight ?? 0,
      last_error: check?.error ?? backend?.lastError ?? check?.note ?? null,
      checked_at: check?.at.toISOString() ?? null,
    };
  }

  async function list(): Promise<PresentedBackend[]> {
    const rows = await backends.list();
    const named = new Set([...rows, ...settings].map(({ name }) => name));
    const others = registry.list().filter(({ name }) => !named.has(name));
    return [...others.map(presentRunning), ...settings.map(presentSetting), ...rows.map(presentRow)];
  }

  function refuseTakenName(name: string): void {
    if (RESERVED.has(name) || settings.some((setting) => setting.name === name)) throw nameTaken();
  }

  async function fieldsOf(input: BackendInput, before: BackendRow | undefined): Promise<BackendFields> {
    const { api_key } = input;
    if (!URL.canParse(input.base_url)) throw invalidRequest("base_url is not an address.", { param: "base_url" });
    const { username, password } = new URL(input.base_url);
    if (username !== "" || password !== "")
      throw invalidRequest("Put the key into api_key, not into the address.", { param: "base_url" });
    if (before && before.sealed_api_key !== null && api_key === undefined)
      refuseOtherServer(before.base_url, input.base_url);
    await outgoing.checkReachable(input.base_url);
    return {
      name: input.name.trim(),
      base_url: input.base_url,
      models: input.models ?? before?.models ?? [],
      weight: input.weight ?? Number(before?.weight ?? 1),
      enabled: input.enabled ?? before?.enabled ?? true,
      sealed_api_key:
        api_key === undefined ? (before?.sealed_api_key ?? null) : api_key === null ? null : sealer.seal(api_key),
    };
  }

  /** Drops the state of backends whose URL or key may have changed, and reads the stored ones again. */
  async function takeUp(names: readonly string[]): Promise<void> {
    for (const name of names) registry.remove(name);
    await discovery.refreshStored();
  }

  return {
    list,

    async get(id: string): Promise<PresentedBackend> {
      const found = (await list()).find((backend) => backend.id === id);
      if (!found) throw noSuchBackend();
      return found;
    },

    async create(input: BackendInput): Promise<PresentedBackend> {
      const fields = await fieldsOf(input, undefined);
      refuseTakenName(fields.name);
      const row = await backends.create(ids.next("bck"), fields, clock.now());
      if (!row) throw nameTaken();
      await takeUp([]);
      return presentRow(row);
    },

    async update(id: string, input: BackendInput): Promise<PresentedBackend> {
      const before = await backends.find(id);
      if (!before) throw await cannotBeChanged(id);
      const fields = await fieldsOf(input, before);
      if (fields.name !== before.name) refuseTakenName(fields.name);
      const row = await backends.update(id, fields, clock.now());
      if (row === null) throw nameTaken();
      if (!row) throw noSuchBackend();
      await takeUp([before.name, row.name]);
      return presentRow(row);
    },

    async delete(id: string): Promise<void> {
      const row = await backends.delete(id);
      if (!row) throw await cannotBeChanged(id);
      await takeUp([row.name]);
    },

    /** Requests a backend's models. An engine behind a Unix socket counts as healthy while it is in the registry. */
    async test(id: string): Promise<Tried> {
      const backend = await this.get(id);
      const started = performance.now();
      const live = running(backend.name);
      const answer =
        live?.socketPath === undefined
          ? await listModels(
              backend.base_url,
              await keyOf(backend),
              TEST_TIMEOUT,
              backend.source === "admin" ? outgoing.dispatcher : undefined,
            )
          : { ok: true as const, models: [...live.models.keys()] };
      return { ...answer, durationMs: Math.round(performance.now() - started) };
    },
  };

  async function keyOf({ id, name, source }: PresentedBackend): Promise<string | undefined> {
    if (source !== "admin") return settings.find((setting) => setting.name === name)?.api_key;
    const row = await backends.find(id);
    return row?.sealed_api_key ? sealer.open(row.sealed_api_key) : undefined;
  }

  async function cannotBeChanged(id: string): Promise<AppError> {
    if (!(await list()).some((backend) => backend.id === id)) return noSuchBackend();
    return new AppError(
      409,
      "backends.not_editable",
      "This backend comes from the settings or was found on this machine. Change it there.",
    );
  }
}

export type BackendsUseCases = ReturnType<typeof createBackends>;

/** Returns the enabled backends that administrators added. One whose key cannot be decrypted is left out. */
export async function storedBackends(backends: BackendsRepository, sealer: Sealer): Promise<BackendSetting[]> {
  const rows = (await backends.list()).filter((row) => row.enabled);
  return rows.flatMap((row) => {
    const setting = { name: row.name, base_url: row.base_url, models: row.models, weight: Number(row.weight) };
    if (row.sealed_api_key === null) return [setting];
    try {
      return [{ ...setting, api_key: sealer.open(row.sealed_api_key) }];
    } catch {
      return [];
    }
  });
}

/** Throws if the stored key would be sent to another server: a new origin needs the key, or null, in the request. */
function refuseOtherServer(before: string, after: string): void {
  if (new URL(before).origin === new URL(after).origin) return;
  throw invalidRequest(
    "The stored key belongs to the address before. Send api_key again with the new address, or null for none.",
    { param: "api_key" },
  );
}

function noSuchBackend(): AppError {
  return notFound("There is no backend with this id.", "backends.not_found");
}

function nameTaken(): AppError {
  return new AppError(409, "backends.name_taken", "There is a backend of this name already.", { param: "name" });
}
