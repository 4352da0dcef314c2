import { createHash } from "node:crypto";
import { AppError } from "../../../platform/core/errors/index.ts";
import { organizationIdOf } from "../../../platform/core/models/model-keys.ts";
import type { DeploymentSpec } from "../../deployments/index.ts";
import { type HostedModel, runtimeOf } from "../../runtimes/index.ts";
import type { Machine } from "./choose-machine.ts";
import type { ClusterContext, ClusterEntry } from "./entries.ts";

/**
 * Used in place of an organization's id for models that all organizations share: in labels, and as the folder of a shared
 * cache.
 */
const SHARED_ORGANIZATION = "shared";

const REGION = "cluster";

/** Returns the reason why no pod can ever run a model, such as files that pods cannot download. Null if none is known. */
export function findSpecProblem(
  { provider, maxPods }: ClusterContext,
  { model, machine }: ClusterEntry,
): string | null {
  if (machine === null) return "No kind of machine in the cluster has the memory that it needs.";
  try {
    provider.check(toSpec(model, machine), { maxReplicas: maxPods });
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** Returns what the pods of a model run. Without a machine, no pod can be started from it. */
export function toSpec(model: HostedModel, machine: Machine | null): DeploymentSpec {
  const { contextLength = model.contextLength, sequences = 1 } = machine?.size ?? {};
  return {
    organizationId: organizationIdOf(model.id) ?? SHARED_ORGANIZATION,
    modelKey: model.id,
    revision: model.revision ?? null,
    region: REGION,
    instanceType: machine?.id ?? "",
    engineArgs: runtimeOf(model).toPodArguments(model, { contextLength, sequences }),
  };
}

/** Returns a number that depends only on the specification of the pods, so that it is the same after a restart. */
export function generationOf(spec: DeploymentSpec): number {
  return createHash("sha256").update(JSON.stringify(spec)).digest().readUInt32BE() + 1;
}
