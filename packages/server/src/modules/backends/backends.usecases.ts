import type { components } from "@feather/openapi/schema";
import { bind } from "../../core/bind.ts";
import type { Clock } from "../../core/clock.ts";
import { type AppError, errors } from "../../core/errors/index.ts";
import type { Ids } from "../../core/ids.ts";
import type { Outgoing } from "../../core/outgoing.ts";
import type { Sealer } from "../../core/sealing.ts";
import {
  type Backend,
  type BackendRegistry,
  type BackendSetting,
  type Discovery,
  listModels,
} from "../../gateway/index.ts";
import type { BackendFields, BackendRow, BackendsRepository } from "./backends.repository.ts";

/** The contract's schema of a backend. */
export type BackendDto = components["schemas"]["Backend"];
/** The body that creates or replaces a backend. */
export type BackendInput = components["schemas"]["BackendInput"];

/** The result of requesting a backend's models, with its duration in milliseconds. */
export type BackendTestResult = ({ ok: true; models: readonly string[] } | { ok: false; error: string }) & {
  durationMs: number;
};

type Deps = {
  backendsRepository: BackendsRepository;
  registry: BackendRegistry;
  discovery: Discovery;
  settings: readonly BackendSetting[];
  sealer: Sealer;
  /** Sends requests to addresses that administrators configure, after checking them. */
  outgoing: Outgoing;
  clock: Clock;
  ids: Ids;
};

const TEST_TIMEOUT_MS = 5_000;
/** Names of backends that the platform creates or discovers. */
const RESERVED_NAMES = new Set(["engine", "ollama", "lm-studio", "llama-server", "vllm"]);

/** Use cases of backends: from the settings, discovered on this machine, and added by administrators. */
export function createBackends(deps: Deps) {
  return bind(deps, {
    list: listBackends,
    get: getBackend,
    create: createBackend,
    update: updateBackend,
    delete: deleteBackend,
    test: testBackend,
  });
}

export type BackendsUseCases = ReturnType<typeof createBackends>;

async function listBackends(deps: Deps): Promise<BackendDto[]> {
  const { backendsRepository, registry, settings } = deps;
  const rows = await backendsRepository.list();
  const configuredNames = new Set([...rows, ...settings].map(({ name }) => name));
  const others = registry.list().filter(({ name }) => !configuredNames.has(name));
  return [
    ...others.map((backend) => toRunningBackendDto(deps, backend)),
    ...settings.map((setting) => toConfiguredBackendDto(deps, setting)),
    ...rows.map((row) => toStoredBackendDto(deps, row)),
  ];
}

async function getBackend(deps: Deps, id: string): Promise<BackendDto> {
  const found = (await listBackends(deps)).find((backend) => backend.id === id);
  if (!found) throw errors.backends.notFound();
  return found;
}

async function createBackend(deps: Deps, input: BackendInput): Promise<BackendDto> {
  const { backendsRepository, clock, ids } = deps;
  const fields = await toFields(deps, input, undefined);
  assertNameIsFree(deps, fields.name);
  const row = await backendsRepository.create(ids.next("bck"), fields, clock.now());
  if (!row) throw backendNameTaken();
  await deps.discovery.refreshStored();
  return toStoredBackendDto(deps, row);
}

async function updateBackend(deps: Deps, id: string, input: BackendInput): Promise<BackendDto> {
  const { backendsRepository, clock } = deps;
  const existing = await backendsRepository.find(id);
  if (!existing) throw await createNotEditableError(deps, id);
  const fields = await toFields(deps, input, existing);
  if (fields.name !== existing.name) assertNameIsFree(deps, fields.name);
  const row = await backendsRepository.update(id, fields, clock.now());
  if (row === null) throw backendNameTaken();
  if (!row) throw errors.backends.notFound();
  await deps.discovery.refreshStored();
  return toStoredBackendDto(deps, row);
}

async function deleteBackend(deps: Deps, id: string): Promise<void> {
  const row = await deps.backendsRepository.delete(id);
  if (!row) throw await createNotEditableError(deps, id);
  await deps.discovery.refreshStored();
}

/** Requests a backend's models. An engine behind a Unix socket counts as healthy while it is in the registry. */
async function testBackend(deps: Deps, id: string): Promise<BackendTestResult> {
  const backend = await getBackend(deps, id);
  const started = performance.now();
  const live = findRunning(deps, backend.name);
  if (live?.socketPath !== undefined) return { ok: true, models: [...live.models.keys()], durationMs: 0 };
  const dispatcher = backend.source === "admin" ? deps.outgoing.dispatcher : undefined;
  const result = await listModels(backend.base_url, await findApiKey(deps, backend), {
    timeoutMs: TEST_TIMEOUT_MS,
    dispatcher,
  });
  const durationMs = Math.round(performance.now() - started);
  return result.ok
    ? { ok: true, models: result.models.map(({ name }) => name), durationMs }
    : { ...result, durationMs };
}

function findRunning({ registry }: Deps, name: string): Backend | undefined {
  return registry.list().find((backend) => backend.name === name);
}

function toStoredBackendDto(deps: Deps, row: BackendRow): BackendDto {
  const running = findRunning(deps, row.name);
  return {
    ...toCommonFields(deps, row.name, running),
    id: row.id,
    base_url: row.base_url,
    models: row.models.length > 0 ? row.models : [...(running?.models.keys() ?? [])],
    weight: Number(row.weight),
    enabled: row.enabled,
    source: "admin",
    has_api_key: row.sealed_api_key !== null,
    ...(!row.enabled && { state: "disabled" as const }),
  };
}

function toConfiguredBackendDto(deps: Deps, setting: BackendSetting): BackendDto {
  const running = findRunning(deps, setting.name);
  return {
    ...toCommonFields(deps, setting.name, running),
    base_url: setting.base_url,
    models: [
      ...(running?.models.keys() ?? setting.models.map((model) => (typeof model === "string" ? model : model.as))),
    ],
    weight: setting.weight,
    enabled: true,
    source: "settings",
    has_api_key: setting.api_key !== undefined,
  };
}

function toRunningBackendDto(deps: Deps, backend: Backend): BackendDto {
  return {
    ...toCommonFields(deps, backend.name, backend),
    base_url: backend.baseUrl,
    models: [...backend.models.keys()],
    weight: backend.weight,
    enabled: true,
    source: backend.source,
    has_api_key: backend.apiKey !== undefined,
  };
}

function toCommonFields({ discovery, clock }: Deps, name: string, backend: Backend | undefined) {
  const check = discovery.lastCheck(name);
  const isCircuitOpen = backend !== undefined && backend.circuitOpenUntil > clock.now().getTime();
  const reachable = backend !== undefined && (check === null || check.error === null);
  const state: BackendDto["state"] = isCircuitOpen ? "cooling_down" : reachable ? "healthy" : "unreachable";
  return {
    id: name,
    name,
    state,
    in_flight: backend?.inFlight ?? 0,
    last_error: check?.error ?? backend?.lastError ?? check?.note ?? null,
    checked_at: check?.at.toISOString() ?? null,
  };
}

function assertNameIsFree({ settings }: Deps, name: string): void {
  if (RESERVED_NAMES.has(name) || settings.some((setting) => setting.name === name)) throw backendNameTaken();
}

async function toFields(
  { outgoing, sealer }: Deps,
  input: BackendInput,
  existing: BackendRow | undefined,
): Promise<BackendFields> {
  const { api_key } = input;
  if (!URL.canParse(input.base_url)) throw errors.invalidRequest("base_url is not an address.", { param: "base_url" });
  const { username, password } = new URL(input.base_url);
  if (username !== "" || password !== "")
    throw errors.invalidRequest("Put the key into api_key, not into the address.", { param: "base_url" });
  if (existing && existing.sealed_api_key !== null && api_key === undefined)
    assertSameServer(existing.base_url, input.base_url);
  await outgoing.checkReachable(input.base_url);
  return {
    name: input.name.trim(),
    base_url: input.base_url,
    models: input.models ?? existing?.models ?? [],
    weight: input.weight ?? Number(existing?.weight ?? 1),
    enabled: input.enabled ?? existing?.enabled ?? true,
    sealed_api_key:
      api_key === undefined ? (existing?.sealed_api_key ?? null) : api_key === null ? null : sealer.seal(api_key),
  };
}

async function findApiKey(deps: Deps, { id, name, source }: BackendDto): Promise<string | undefined> {
  if (source !== "admin") return deps.settings.find((setting) => setting.name === name)?.api_key;
  const row = await deps.backendsRepository.find(id);
  return row?.sealed_api_key ? deps.sealer.open(row.sealed_api_key) : undefined;
}

async function createNotEditableError(deps: Deps, id: string): Promise<AppError> {
  if (!(await listBackends(deps)).some((backend) => backend.id === id)) return errors.backends.notFound();
  return errors.backends.notEditable();
}

/** Returns the enabled backends that administrators added. One whose key cannot be decrypted is left out. */
export async function listStoredBackends(
  backendsRepository: BackendsRepository,
  sealer: Sealer,
): Promise<BackendSetting[]> {
  const rows = (await backendsRepository.list()).filter((row) => row.enabled);
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
function assertSameServer(previousUrl: string, nextUrl: string): void {
  if (new URL(previousUrl).origin === new URL(nextUrl).origin) return;
  throw errors.invalidRequest(
    "The stored key belongs to the address before. Send api_key again with the new address, or null for none.",
    { param: "api_key" },
  );
}

function backendNameTaken(): AppError {
  return errors.backends.nameTaken({ param: "name" });
}
