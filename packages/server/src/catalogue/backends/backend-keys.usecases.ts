import type { components } from "@feather/openapi/schema";
import { type BackendRegistry, type Discovery, MAX_KEYS } from "../../gateway/index.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import { type BackendKeyDto, toBackendKeyDto } from "./backend-keys.dto.ts";
import type { BackendKeysRepository } from "./backend-keys.repository.ts";

/** The body that adds a key. */
type BackendKeyCreate = components["schemas"]["BackendKeyCreate"];

/** The body that changes a key. */
export type BackendKeyUpdate = components["schemas"]["BackendKeyUpdate"];

type Deps = {
  backendKeysRepository: BackendKeysRepository;
  registry: BackendRegistry;
  discovery: Discovery;
  sealer: Sealer;
  clock: Clock;
  ids: Ids;
};

/** Adds a key to a backend. Throws if there is no such backend, or it has the label or too many keys already. */
export async function addBackendKey(
  { backendKeysRepository, discovery, sealer, clock, ids }: Deps,
  backendId: string,
  { key: secret, label, weight = 1 }: BackendKeyCreate,
): Promise<BackendKeyDto> {
  const now = clock.now();
  const fields = {
    id: ids.next("bky"),
    label: label?.trim(),
    weight,
    sealed_key: sealer.seal(secret),
    created_at: now,
  };
  const added = await backendKeysRepository.add(backendId, fields, MAX_KEYS);
  if (added.outcome !== "added") throw toError(added.outcome);
  await discovery.refreshStored();
  return toBackendKeyDto({ ...added.row, secret }, undefined, now.getTime());
}

function toError(outcome: "no_backend" | "too_many" | "label_taken"): AppError {
  if (outcome === "no_backend") return errors.backends.notFound();
  if (outcome === "too_many") return errors.backends.tooManyKeys({ max: String(MAX_KEYS) });
  return errors.backends.keyLabelTaken({ param: "label" });
}

/** Changes the label or the weight of a key. Throws if the backend does not have it, or has another one with the label. */
export async function updateBackendKey(
  { backendKeysRepository, discovery }: Deps,
  backendId: string,
  keyId: string,
  { label, weight }: BackendKeyUpdate,
): Promise<void> {
  const change = { ...(label !== undefined && { label: label.trim() }), ...(weight !== undefined && { weight }) };
  const outcome = await backendKeysRepository.update(backendId, keyId, change);
  if (outcome === "no_key") throw errors.backends.keyNotFound();
  if (outcome === "label_taken") throw errors.backends.keyLabelTaken({ param: "label" });
  await discovery.refreshStored();
}

/** Removes a key from a backend. Throws if it does not have it. Returns the label. */
export async function removeBackendKey(
  { backendKeysRepository, discovery }: Deps,
  backendId: string,
  keyId: string,
): Promise<string> {
  const removed = await backendKeysRepository.remove(backendId, keyId);
  if (!removed) throw errors.backends.keyNotFound();
  await discovery.refreshStored();
  return removed.label;
}
