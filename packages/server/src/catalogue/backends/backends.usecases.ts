import type { components } from "@feather/openapi/schema";
import {
  API_NAMES,
  type ApiName,
  type Backend,
  type BackendKeySpec,
  type BackendRegistry,
  type BackendSetting,
  chooseModels,
  DEFAULT_API,
  type Discovery,
  findKeyProblem,
  identifyModels,
  type ModelAlias,
  modelAliases,
  type OwnKeyMode,
  type StoredBackend,
  toKeySpecs,
} from "../../gateway/index.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Outgoing } from "../../platform/core/network/outgoing.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import { fillAddress, findProvider, findProviderAt, type Provider, withKnownIds } from "../providers/index.ts";
import { parseAliasesColumn, toAliasesColumn } from "./aliases-column.ts";
import { type BackendKeyDto, toBackendKeyDto } from "./backend-keys.dto.ts";
import type { BackendKeyRow, BackendKeysRepository } from "./backend-keys.repository.ts";
import { addBackendKey, type BackendKeyUpdate, removeBackendKey, updateBackendKey } from "./backend-keys.usecases.ts";
import type { BackendFields, BackendRow, BackendsRepository } from "./backends.repository.ts";
import { type BackendTestDto, type FindSizes, testAddress, toEngineTest } from "./test-backend.ts";

/** The contract's schema of a backend. */
export type BackendDto = components["schemas"]["Backend"];
/** The body that creates or changes a backend. */
export type BackendInput = components["schemas"]["BackendInput"];
type BackendKeyCreate = components["schemas"]["BackendKeyCreate"];

/** A backend before the catalogue is asked for the sizes of its models. */
type DescribedBackend = Omit<BackendDto, "unsized_models">;

type Deps = {
  backendsRepository: BackendsRepository;
  backendKeysRepository: BackendKeysRepository;
  registry: BackendRegistry;
  discovery: Discovery;
  findSizes: FindSizes;
  /** Deletes what models have shown at a backend. */
  deleteProbes(backend: string): Promise<void>;
  settings: readonly BackendSetting[];
  sealer: Sealer;
  /** Sends requests to addresses that administrators configure, after checking them. */
  outgoing: Outgoing;
  clock: Clock;
  ids: Ids;
};

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
    addKey,
    updateKey,
    removeKey,
    test: testBackend,
  });
}

export type BackendsUseCases = ReturnType<typeof createBackends>;

async function listBackends(deps: Deps): Promise<BackendDto[]> {
  const { backendsRepository, backendKeysRepository, registry, settings } = deps;
  const [rows, keyRows] = await Promise.all([backendsRepository.list(), backendKeysRepository.list()]);
  const configuredNames = new Set([...rows, ...settings].map(({ name }) => name));
  const others = registry.list().filter(({ name }) => !configuredNames.has(name));
  return withUnsizedModels(deps, [
    ...others.map((backend) => toRunningBackendDto(deps, backend)),
    ...settings.map((setting) => toConfiguredBackendDto(deps, setting)),
    ...rows.map((row) =>
      toStoredBackendDto(
        deps,
        row,
        keyRows.filter(({ backend_id }) => backend_id === row.id),
      ),
    ),
  ]);
}

/** Adds to backends which of their models are of unknown size. */
async function withUnsizedModels({ findSizes }: Deps, backends: readonly DescribedBackend[]): Promise<BackendDto[]> {
  const sizes = await findSizes(backends.flatMap(({ models }) => models));
  return backends.map((backend) => ({
    ...backend,
    unsized_models: backend.models.filter((id) => sizes.get(id.toLowerCase()) === null),
  }));
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
  return getBackend(deps, row.id);
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
  if (row.name !== existing.name || row.base_url !== existing.base_url) await deps.deleteProbes(existing.name);
  await deps.discovery.refreshStored();
  return getBackend(deps, row.id);
}

async function deleteBackend(deps: Deps, id: string): Promise<void> {
  const row = await deps.backendsRepository.delete(id);
  if (!row) throw await createNotEditableError(deps, id);
  await deps.deleteProbes(row.name);
  await deps.discovery.refreshStored();
}

/** Adds a key to a backend that an administrator added. */
async function addKey(deps: Deps, id: string, input: BackendKeyCreate): Promise<BackendKeyDto> {
  const row = await deps.backendsRepository.find(id);
  if (!row) throw await createNotEditableError(deps, id);
  assertKey(toApiName(row.api), input.key, "key");
  return addBackendKey(deps, id, input);
}

/** Changes a key of a backend that an administrator added. */
async function updateKey(deps: Deps, id: string, keyId: string, change: BackendKeyUpdate): Promise<BackendKeyDto> {
  if (!(await deps.backendsRepository.find(id))) throw await createNotEditableError(deps, id);
  await updateBackendKey(deps, id, keyId, change);
  const key = (await getBackend(deps, id)).keys.find((found) => found.id === keyId);
  if (key === undefined) throw errors.backends.keyNotFound(); // removed meanwhile
  return key;
}

/** Removes a key from a backend that an administrator added. Returns its label. */
async function removeKey(deps: Deps, id: string, keyId: string): Promise<string> {
  if (!(await deps.backendsRepository.find(id))) throw await createNotEditableError(deps, id);
  return removeBackendKey(deps, id, keyId);
}

/** Requests a backend's models and calls one, which `model` may name. An engine behind a Unix socket is not called. */
async function testBackend(deps: Deps, id: string, model?: string): Promise<BackendTestDto> {
  const { findSizes, outgoing, registry } = deps;
  const backend = await getBackend(deps, id);
  const live = findRunning(deps, backend.name);
  if (live?.socketPath !== undefined) return toEngineTest({ findSizes }, backend, [...live.models.keys()]);
  const apiKey = await findApiKey(deps, backend);
  return testAddress(
    {
      findSizes,
      dispatcher: backend.source === "admin" ? outgoing.dispatcher : undefined,
      accessTokens: registry.accessTokens,
    },
    backend,
    apiKey,
    model,
  );
}

function findRunning({ registry }: Deps, name: string): Backend | undefined {
  return registry.list().find((backend) => backend.name === name);
}

function toStoredBackendDto(deps: Deps, row: BackendRow, keyRows: readonly BackendKeyRow[]): DescribedBackend {
  const running = findRunning(deps, row.name);
  const chosen = { base_url: row.base_url, models: row.models, aliases: parseAliasesColumn(row.aliases) };
  return {
    ...toCommonFields(deps, row.name, running),
    ...toModelFields(row.name, chosen, running),
    id: row.id,
    base_url: row.base_url,
    api: toApiName(row.api),
    provider: findProviderAt(row.base_url),
    weight: Number(row.weight),
    enabled: row.enabled,
    own_keys: toOwnKeyMode(row.own_keys),
    source: "admin",
    has_api_key: row.sealed_api_key !== null,
    keys: toKeyDtos(deps, openKeys(keyRows, deps.sealer), running),
    ...(!row.enabled && { state: "disabled" as const }),
  };
}

function toConfiguredBackendDto(deps: Deps, setting: BackendSetting): DescribedBackend {
  const running = findRunning(deps, setting.name);
  return {
    ...toCommonFields(deps, setting.name, running),
    ...toModelFields(setting.name, setting, running),
    base_url: setting.base_url,
    api: setting.api ?? DEFAULT_API,
    provider: findProviderAt(setting.base_url),
    weight: setting.weight,
    enabled: true,
    own_keys: "off",
    source: "settings",
    has_api_key: toKeySpecs(setting).length > 0,
    keys: toKeyDtos(
      deps,
      toKeySpecs(setting).map((key) => ({ ...key, id: key.label })),
      running,
    ),
  };
}

function toRunningBackendDto(deps: Deps, backend: Backend): DescribedBackend {
  return {
    ...toCommonFields(deps, backend.name, backend),
    ...toModelFields(backend.name, { base_url: backend.baseUrl, models: [], aliases: [] }, backend),
    base_url: backend.baseUrl,
    api: DEFAULT_API,
    provider: null,
    weight: backend.weight,
    enabled: true,
    own_keys: "off",
    source: backend.source,
    has_api_key: backend.keys.list.length > 0,
    keys: [],
  };
}

function toKeyDtos({ clock }: Deps, keys: readonly OpenedKey[], backend: Backend | undefined): BackendKeyDto[] {
  const running = backend?.keys.list ?? [];
  const isSame = (a: BackendKeySpec, b: BackendKeySpec) => a.label === b.label && a.secret === b.secret;
  return keys.map((key) =>
    toBackendKeyDto(
      key,
      running.find((other) => isSame(key, other)),
      clock.now().getTime(),
    ),
  );
}

function toModelFields(
  name: string,
  { base_url, ...chosen }: Pick<BackendSetting, "base_url" | "models" | "aliases">,
  backend: Backend | undefined,
) {
  const named = withKnownIds(base_url, chooseModels(chosen, []));
  const configured = identifyModels(name, named, chosen.aliases).flatMap(({ id }) => id ?? []);
  return {
    models: [...(backend?.models.keys() ?? configured)],
    configured_models: chosen.models,
    aliases: chosen.aliases,
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
    resumes_at: isCircuitOpen ? new Date(backend.circuitOpenUntil).toISOString() : null,
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
  const provider = toProvider(input);
  const baseUrl = input.base_url ?? toProviderAddress(provider, input) ?? existing?.base_url;
  const name = input.name ?? existing?.name ?? provider?.id;
  if (baseUrl === undefined) throw errors.invalidRequest("Send provider or base_url.", { param: "base_url" });
  if (name === undefined) throw errors.invalidRequest("Send provider or name.", { param: "name" });
  assertAddress(baseUrl);
  if (existing && existing.sealed_api_key !== null && api_key === undefined)
    assertSameServer(existing.base_url, baseUrl);
  const api = input.api ?? (provider ? (provider.api ?? DEFAULT_API) : toApiName(existing?.api));
  if (api_key) assertKey(api, api_key, "api_key");
  const ownKeys = toOwnKeyMode(input.own_keys ?? existing?.own_keys);
  // The address of Vertex AI has the operator's project, for which accounts of others have no rights.
  if (ownKeys !== "off" && (findProviderAt(baseUrl) === null || api === "vertex"))
    throw errors.backends.ownKeysNeedProvider({ param: "own_keys" });
  await outgoing.checkReachable(baseUrl);
  return {
    name: name.trim(),
    base_url: baseUrl,
    api,
    models: input.models ?? existing?.models ?? [],
    aliases: toAliasesColumn(toAliases(input) ?? parseAliasesColumn(existing?.aliases)),
    weight: input.weight ?? Number(existing?.weight ?? 1),
    enabled: input.enabled ?? existing?.enabled ?? true,
    own_keys: ownKeys,
    ...(api_key !== undefined && { sealed_api_key: api_key === null ? null : sealer.seal(api_key) }),
  };
}

/** Returns the provider that a request names; undefined if it names none. Throws `invalid_request` if it is unknown. */
function toProvider({ provider: id }: BackendInput): Provider | undefined {
  if (id === undefined) return undefined;
  const provider = findProvider(id);
  if (provider) return provider;
  throw errors.invalidRequest("There is no such provider. GET /api/admin/providers lists them.", { param: "provider" });
}

/** Returns the provider's address with the values of a request. Throws `invalid_request` if one is missing or not valid. */
function toProviderAddress(provider: Provider | undefined, { placeholders = {} }: BackendInput): string | undefined {
  if (!provider) return undefined;
  const { url, invalid } = fillAddress(provider, placeholders);
  if (invalid === null) return url;
  throw errors.invalidRequest(`The address of ${provider.name} needs a valid ${invalid}.`, {
    param: `placeholders.${invalid}`,
  });
}

/** Throws `invalid_request` for a key that does not have the form of those of an API. */
function assertKey(api: ApiName, key: string, param: string): void {
  const problem = findKeyProblem(api, key);
  if (problem !== null) throw errors.invalidRequest(problem, { param });
}

function assertAddress(baseUrl: string): void {
  if (!URL.canParse(baseUrl)) throw errors.invalidRequest("base_url is not an address.", { param: "base_url" });
  const { username, password } = new URL(baseUrl);
  if (username !== "" || password !== "")
    throw errors.invalidRequest("Put the key into api_key, not into the address.", { param: "base_url" });
}

/** Returns the aliases of a request; undefined if it has none. Throws `invalid_request` if they are not valid. */
function toAliases({ aliases }: BackendInput): ModelAlias[] | undefined {
  if (aliases === undefined) return undefined;
  const { data, error } = modelAliases.safeParse(aliases);
  if (data) return data;
  const messages = error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `aliases.${path.join(".")} ${message}.`,
  );
  throw errors.invalidRequest([...new Set(messages)].join(" "), { param: "aliases" });
}

/** Returns the key with which a backend is tested: that of its next call, or its first one. */
async function findApiKey(deps: Deps, { id, name, source }: BackendDto): Promise<string | undefined> {
  const setting = deps.settings.find((candidate) => candidate.name === name);
  const keys =
    source === "admin"
      ? openKeys(
          (await deps.backendKeysRepository.list()).filter(({ backend_id }) => backend_id === id),
          deps.sealer,
        )
      : setting
        ? toKeySpecs(setting)
        : [];
  const running = findRunning(deps, name);
  const next = running && deps.registry.chooseKey(running)?.secret;
  return keys.find(({ secret }) => secret === next)?.secret ?? keys[0]?.secret;
}

async function createNotEditableError(deps: Deps, id: string): Promise<AppError> {
  if (!(await listBackends(deps)).some((backend) => backend.id === id)) return errors.backends.notFound();
  return errors.backends.notEditable();
}

/** Returns the enabled backends that administrators added. One of whose keys none can be decrypted is left out. */
export async function listStoredBackends(
  { backendsRepository, backendKeysRepository }: Pick<Deps, "backendsRepository" | "backendKeysRepository">,
  sealer: Sealer,
): Promise<StoredBackend[]> {
  const [rows, keyRows] = await Promise.all([backendsRepository.list(), backendKeysRepository.list()]);
  return rows.flatMap((row) => {
    if (!row.enabled) return [];
    const aliases = parseAliasesColumn(row.aliases);
    const { id, name, base_url, models } = row;
    const setting = {
      ...{ name, base_url, models, aliases },
      api: toApiName(row.api),
      weight: Number(row.weight),
      own_keys: toOwnKeyMode(row.own_keys),
    };
    if (row.sealed_api_key === null) return [setting];
    const keys = openKeys(
      keyRows.filter(({ backend_id }) => backend_id === id),
      sealer,
    );
    if (keys.length === 0) return [];
    return [{ ...setting, api_keys: keys.map(({ label, weight, secret }) => ({ key: secret, label, weight })) }];
  });
}

/** A stored key with its text. */
type OpenedKey = BackendKeySpec & { id: string };

/** Decrypts keys. Those that cannot be decrypted are left out. */
function openKeys(rows: readonly BackendKeyRow[], sealer: Sealer): OpenedKey[] {
  return rows.flatMap(({ id, label, weight, sealed_key }) => {
    try {
      return sealed_key === null ? [] : [{ id, label, weight, secret: sealer.open(sealed_key) }];
    } catch {
      return [];
    }
  });
}

/** Returns the name of an API in a row, which a check of the database limits to those there are. */
function toApiName(name: string | undefined): ApiName {
  return API_NAMES.find((known) => known === name) ?? DEFAULT_API;
}

/** Returns the mode in a row, which a check of the database limits to those there are; `off` without one. */
function toOwnKeyMode(mode: string | undefined): OwnKeyMode {
  return mode === "allowed" || mode === "required" ? mode : "off";
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
