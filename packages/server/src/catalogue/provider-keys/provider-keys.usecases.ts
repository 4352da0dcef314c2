import type { components } from "@feather/openapi/schema";
import { type Backend, type BackendRegistry, nameOfApi, type ReadRoutingRules } from "../../gateway/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { refuseLimitedKey } from "../../platform/core/auth/refuse-limited-key.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Outgoing } from "../../platform/core/network/outgoing.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import { type BackendTestDto, type FindSizes, testAddress, toLastCharacters } from "../backends/index.ts";
import { findProvider } from "../providers/index.ts";
import type { OwnKeyLookup } from "./own-key-lookup.ts";
import { nameOfProvider, type ProviderDto, type ProviderKeyDto, toProviderKeyDto } from "./provider-keys.dto.ts";
import type { ProviderKeyRow, ProviderKeysRepository } from "./provider-keys.repository.ts";

type ProviderKeyList = components["schemas"]["ProviderKeyList"];
type ProviderKeySetRequest = components["schemas"]["ProviderKeySetRequest"];
type ProviderKeyTest = components["schemas"]["ProviderKeyTest"];

type Deps = {
  db: Database;
  providerKeysRepository: ProviderKeysRepository;
  ownKeys: OwnKeyLookup;
  registry: Pick<BackendRegistry, "list" | "accessTokens">;
  readRules: ReadRoutingRules;
  findSizes: FindSizes;
  outgoing: Pick<Outgoing, "dispatcher">;
  sealer: Sealer;
  audit: Audit;
  clock: Clock;
  ids: Ids;
};

/** What a test says of the key itself, and not of the model or the connection. */
const KEY_PROBLEMS: ReadonlySet<BackendTestDto["problem"]> = new Set(["key", "permission", "quota"] as const);

/** Creates the use cases of organizations' own keys for providers. */
export function createProviderKeys(deps: Deps) {
  return bind(deps, { list: listKeys, set: setKey, delete: deleteKey, test: testKey });
}

export type ProviderKeyUseCases = ReturnType<typeof createProviderKeys>;

async function listKeys(deps: Deps, { organizationId }: SignedInActor): Promise<ProviderKeyList> {
  const { providerKeysRepository, readRules } = deps;
  const [rows, { ownKeyFeePercent }] = await Promise.all([providerKeysRepository.list(organizationId), readRules()]);
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name, "en");
  return {
    items: rows.map((row) => toProviderKeyDto(row, listBackendsOf(deps, row.provider).length > 0)).sort(byName),
    providers: listProviders(deps).sort(byName),
    fee_percent: ownKeyFeePercent,
  };
}

/** Sets the key of the organization for a provider. Throws `provider_keys.not_allowed`. */
async function setKey(
  deps: Deps,
  actor: SignedInActor,
  provider: string,
  { key, label: given }: ProviderKeySetRequest,
): Promise<ProviderKeyDto> {
  const { db, providerKeysRepository, ownKeys, sealer, audit, clock, ids } = deps;
  refuseLimitedKey(actor);
  if (listBackendsOf(deps, provider).length === 0) throw notAllowed(deps, provider);
  const { organizationId } = actor;
  const label = given?.trim() ?? null;
  const row = {
    id: ids.next("pky"),
    organization_id: organizationId,
    provider,
    label,
    sealed_key: sealer.seal(key),
    last_characters: toLastCharacters(key),
    created_by: actor.userId,
    created_at: clock.now(),
  };
  await db.transaction().execute(async (trx) => {
    await providerKeysRepository.set(row, trx);
    await audit.record({ actor, action: "provider_keys.set", target: provider, details: { label } }, trx);
  });
  ownKeys.invalidate(organizationId);
  const stored = (await providerKeysRepository.list(organizationId)).find((other) => other.provider === provider);
  if (stored === undefined) throw errors.providerKeys.notFound(); // removed meanwhile
  return toProviderKeyDto(stored, true);
}

/** Removes the key of the organization for a provider. Throws `provider_keys.not_found`. */
async function deleteKey(
  { db, providerKeysRepository, ownKeys, audit }: Deps,
  actor: SignedInActor,
  provider: string,
): Promise<void> {
  refuseLimitedKey(actor);
  const { organizationId } = actor;
  await db.transaction().execute(async (trx) => {
    if (!(await providerKeysRepository.delete(organizationId, provider, trx))) throw errors.providerKeys.notFound();
    await audit.record({ actor, action: "provider_keys.delete", target: provider }, trx);
  });
  ownKeys.invalidate(organizationId);
}

/**
 * Calls the provider with the key of the organization, and notes whether it was refused. Throws `provider_keys.not_found` and
 * `provider_keys.not_allowed`.
 */
async function testKey(deps: Deps, actor: SignedInActor, provider: string): Promise<ProviderKeyTest> {
  const { providerKeysRepository, sealer } = deps;
  refuseLimitedKey(actor);
  const row = await providerKeysRepository.find(actor.organizationId, provider);
  if (!row) throw errors.providerKeys.notFound();
  const [backend] = listBackendsOf(deps, provider);
  if (backend === undefined) throw notAllowed(deps, provider);
  const tested = await testBackend(deps, backend, sealer.open(row.sealed_key));
  await noteResult(deps, row, tested);
  const { ok, problem, error, advice, call, duration_ms } = tested;
  return { ok, problem, error, advice, call, duration_ms };
}

function testBackend(
  { findSizes, outgoing, registry: { accessTokens } }: Deps,
  backend: Backend,
  secret: string,
): Promise<BackendTestDto> {
  const { name, baseUrl: base_url, source, api, aliases = [], models } = backend;
  const described = {
    name,
    base_url,
    api: nameOfApi(api),
    aliases: [...aliases],
    configured_models: [...models.values()],
  };
  return testAddress(
    { findSizes, dispatcher: source === "admin" ? outgoing.dispatcher : undefined, accessTokens },
    described,
    secret,
  );
}

async function noteResult(
  { providerKeysRepository, clock }: Deps,
  { id }: ProviderKeyRow,
  { ok, problem, error }: BackendTestDto,
): Promise<void> {
  if (ok) await providerKeysRepository.noteRefusal(id, null);
  else if (KEY_PROBLEMS.has(problem) && error !== null)
    await providerKeysRepository.noteRefusal(id, { error, at: clock.now() });
}

/** Returns the backends at which keys of organizations for a provider are used. */
function listBackendsOf({ registry }: Pick<Deps, "registry">, provider: string): Backend[] {
  return registry.list().filter((backend) => backend.ownKeys !== "off" && backend.provider === provider);
}

/** Returns the providers of which a backend takes keys of organizations. */
function listProviders(deps: Pick<Deps, "registry">): ProviderDto[] {
  const ids = new Set(
    deps.registry.list().flatMap(({ ownKeys, provider }) => (ownKeys === "off" ? [] : (provider ?? []))),
  );
  return [...ids].flatMap((id) => {
    const provider = findProvider(id);
    if (provider === undefined) return [];
    const isRequired = listBackendsOf(deps, id).every(({ ownKeys }) => ownKeys === "required");
    const { name, keyUrl, keyPrefix = null } = provider;
    return [{ id, name, key_url: keyUrl, key_prefix: keyPrefix, is_required: isRequired }];
  });
}

function notAllowed(deps: Deps, provider: string): AppError {
  const names = listProviders(deps).map(({ name }) => name);
  const allowed = names.length === 0 ? "It uses none." : `It uses those for ${names.join(", ")}.`;
  return errors.providerKeys.notAllowed({ provider: nameOfProvider(provider), allowed }, { param: "provider" });
}
