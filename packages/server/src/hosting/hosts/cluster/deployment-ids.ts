import { createHash } from "node:crypto";
import { organizationIdOf } from "../../../platform/core/models/model-keys.ts";

/**
 * Prefixes of the ids of deployments that run models of the installation. Ids of deployments that organizations create have
 * other prefixes.
 */
const SHARED_PREFIX = "shared_";

const PRIVATE_PREFIX = "private_";

const ID_HASH_LENGTH = 20;

/** Returns whether a deployment in the cluster runs a model of the installation, shared or private. */
export const isHostedModelId = (id: string) => id.startsWith(SHARED_PREFIX) || id.startsWith(PRIVATE_PREFIX);

/**
 * Returns the id of the deployment that runs a model. It contains a hash of the model's key, because keys have characters
 * that labels may not have.
 */
export function hostedModelId(key: string): string {
  const prefix = organizationIdOf(key) === null ? SHARED_PREFIX : PRIVATE_PREFIX;
  return prefix + createHash("sha256").update(key).digest("hex").slice(0, ID_HASH_LENGTH);
}
