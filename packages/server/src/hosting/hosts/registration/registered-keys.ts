import type { EnsureModels } from "../../../gateway/index.ts";
import { bind } from "../../../platform/core/bind.ts";
import { privateModelKey } from "../../../platform/core/models/model-keys.ts";

/** A stored model. It is public if `organization_id` is null. */
type StoredRow = { model_id: string; organization_id: string | null; parameter_size: number | null };
type Context = {
  /** Adds missing models to the catalogue. Returns the canonical id of each. */
  adopt: EnsureModels;
  /** The keys of private models. */
  privateKeys: Set<string>;
  /** The keys of public models, by the model id in their rows. */
  publicKeys: Map<string, string>;
};

/** Creates the keys of the registered models of the store. A key names a model in the host and in the registry. */
export function createRegisteredKeys(adopt: EnsureModels) {
  const context: Context = { adopt, privateKeys: new Set(), publicKeys: new Map() };
  return {
    ...bind(context, { resolve: resolveKey, of: keyOf }),
    listPrivate: (): string[] => [...context.privateKeys],
    delete: (key: string): void => void context.privateKeys.delete(key),
  };
}

/** The keys of the registered models of the store. */
export type RegisteredKeys = ReturnType<typeof createRegisteredKeys>;

/**
 * Returns the key of a model that is being registered, and stores it. A public model that the catalogue lacks is added to
 * it.
 */
async function resolveKey(
  { adopt, privateKeys, publicKeys }: Context,
  { model_id: id, organization_id, parameter_size: parameterSize }: StoredRow,
  contextLength: number | null,
): Promise<string> {
  if (organization_id !== null) {
    const key = privateModelKey(organization_id, id);
    privateKeys.add(key);
    return key;
  }
  const canonical = await adopt([{ id, contextLength, parameterSize }]);
  const key = canonical.get(id) ?? id;
  publicKeys.set(id, key);
  return key;
}

/** Returns the key of a registered model. */
function keyOf(
  { publicKeys }: Context,
  { model_id, organization_id }: Pick<StoredRow, "model_id" | "organization_id">,
): string {
  return organization_id === null ? (publicKeys.get(model_id) ?? model_id) : privateModelKey(organization_id, model_id);
}
