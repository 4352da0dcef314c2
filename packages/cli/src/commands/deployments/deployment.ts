import type { Deployment, Feather } from "@feather/sdk";
import type { Context } from "../../context.ts";
import { pickItem } from "../../pick-item.ts";
import { findNearest } from "../../suggest.ts";
import { formatState } from "../../views/deployment.ts";
import type { WorkStatus } from "../../wait.ts";

/** Fields that `--json` accepts. */
export const DEPLOYMENT_FIELDS = [
  "id",
  "organization_id",
  "name",
  "provider_id",
  "region",
  "instance_type",
  "model_id",
  "revision",
  "min_replicas",
  "max_replicas",
  "scale_to_zero_after_s",
  "autoscale",
  "engine_args",
  "visibility",
  "state",
  "state_reason",
  "settings_version",
  "observed_settings_version",
  "ready_replicas",
  "desired_replicas",
  "url",
  "created_by",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof Deployment)[];

/** The argument that names a deployment. */
export const DEPLOYMENT_ARGUMENT = {
  name: "[deployment]",
  summary: "its name, or its id; you are asked at a terminal",
  values: "deployments",
} as const;

/** Returns all deployments of the organization. */
export async function listAllDeployments(
  { deployments }: Feather,
  signal: AbortSignal,
): Promise<readonly Deployment[]> {
  const found: Deployment[] = [];
  for await (const deployment of deployments.list({ perPage: 100 }, { signal })) found.push(deployment);
  return found;
}

/**
 * Returns the id and the name of a deployment given by either, or lets the person pick one. Ids contain an underscore, names
 * cannot. Throws `UsageError` when nobody can be asked.
 */
export async function resolveDeployment(
  context: Context,
  feather: Feather,
  idOrName: string,
): Promise<Pick<Deployment, "id" | "name">> {
  const { signal } = context;
  if (idOrName === "") return pickDeployment(context, feather);
  if (idOrName.includes("_")) return { id: idOrName, name: idOrName };
  const known = await listAllDeployments(feather, signal);
  const [found] = known.filter(({ name }) => name === idOrName);
  if (found !== undefined) return found;
  const names = known.map(({ name }) => name);
  // Lets the server respond with its 404, and adds the closest names to it.
  return feather.deployments.get(idOrName, { signal }).catch(rethrowWithSuggestions(findNearest(idOrName, names)));
}

function pickDeployment(context: Context, feather: Feather): Promise<Deployment> {
  return pickItem(context, {
    label: "Deployment",
    alternative: "the deployment's name or id: feather deployments list",
    empty: ["there are no deployments yet", "feather deployments create <name> -m <model>"],
    list: () => listAllDeployments(feather, context.signal),
    toChoice: (one) => ({ label: one.name, note: formatState(one), value: one }),
  });
}

function rethrowWithSuggestions(suggestions: readonly string[]) {
  return async (error: unknown): Promise<never> => {
    const { isNotFound } = await import("@feather/sdk");
    if (isNotFound(error)) error.details.suggestions ??= suggestions;
    throw error;
  };
}

const OUTCOMES: Partial<Record<Deployment["state"], "succeeded" | "failed">> = {
  running: "succeeded",
  scaled_to_zero: "succeeded",
  failed: "failed",
  update_failed: "failed",
  paused: "failed",
  deleting: "failed",
};

/** What helps in states in which waiting does not. */
const REMEDIES: Partial<Record<Deployment["state"], (name: string) => string>> = {
  failed: (name) => `feather deployments logs ${name}`,
  update_failed: (name) => `feather deployments logs ${name}`,
  paused: (name) => `feather deployments resume ${name}`,
  deleting: () => "feather deployments list",
};

/** Returns how far a deployment has come in applying this version of its settings. */
export function toWorkStatus(deployment: Deployment, version: number): WorkStatus {
  const { state, state_reason: reason, ready_replicas: ready, desired_replicas: desired } = deployment;
  const isObserved = deployment.observed_settings_version >= version;
  const lacksReplicas = state === "running" && ready < deployment.min_replicas;
  const outcome = isObserved && !lacksReplicas ? OUTCOMES[state] : undefined;
  const replicaCount = desired === 0 ? undefined : `${ready} of ${desired} replica${desired === 1 ? "" : "s"}`;
  const detail = reason ?? replicaCount;
  const remedy = REMEDIES[state]?.(deployment.name);
  return {
    state: state.replaceAll("_", " "),
    ...(remedy !== undefined && { remedy }),
    ...(detail !== undefined && { detail }),
    ...(outcome !== undefined && { outcome }),
  };
}
