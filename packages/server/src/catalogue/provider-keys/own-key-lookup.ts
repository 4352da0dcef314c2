import type { Logger } from "pino";
import { type FindOwnKeys, NO_OWN_KEYS, type OwnKeys, toOwnKey } from "../../gateway/index.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { type CacheOptions, createCache } from "../../platform/core/replicas/cache.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import { MINUTE_MS } from "../../platform/core/time.ts";
import { findProvider } from "../providers/index.ts";
import type { ProviderKeyRow, ProviderKeysRepository } from "./provider-keys.repository.ts";

/** Organizations without keys are kept too, so that their calls do not ask the database. A change clears all at once. */
const CACHE: CacheOptions = { max: 50_000, ttlMs: MINUTE_MS, tables: ["provider_keys"] };
/** A key that is refused with every call is noted once in this time. */
const NOTE_INTERVAL_MS = MINUTE_MS;

type Deps = {
  providerKeysRepository: ProviderKeysRepository;
  sealer: Sealer;
  replicas: Replicas;
  clock: Clock;
  log: Pick<Logger, "warn">;
};

/** Creates the lookup of organizations' own keys for calls, with a cache. */
export function createOwnKeyLookup(deps: Deps) {
  const cache = createCache<OwnKeys>(deps.replicas, CACHE);
  async function load(organizationId: string): Promise<OwnKeys> {
    const rows = await deps.providerKeysRepository.list(organizationId);
    return rows.length === 0 ? NO_OWN_KEYS : new Map(rows.map((row) => [row.provider, openKey(deps, row)]));
  }
  const find: FindOwnKeys = (organizationId) => cache.read(organizationId, () => load(organizationId));
  return {
    find,
    /** Makes the next call of this process read the keys of an organization from the database. */
    invalidate: cache.delete,
  };
}

/** The lookup of organizations' own keys. */
export type OwnKeyLookup = ReturnType<typeof createOwnKeyLookup>;

function openKey({ providerKeysRepository, sealer, clock, log }: Deps, { id, provider, sealed_key }: ProviderKeyRow) {
  let notedAtMs = Number.NEGATIVE_INFINITY;
  return toOwnKey(findProvider(provider)?.name ?? provider, sealer.open(sealed_key), (error) => {
    const at = clock.now();
    if (at.getTime() - notedAtMs < NOTE_INTERVAL_MS) return;
    notedAtMs = at.getTime();
    providerKeysRepository
      .noteRefusal(id, { error, at })
      .catch((err: unknown) => log.warn({ err, provider_key: id }, "the refusal of a provider key could not be noted"));
  });
}
