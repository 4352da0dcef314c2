import type { components } from "@feather/openapi/schema";
import { modelIdOf } from "../../platform/core/models/model-keys.ts";
import { type DeploymentNames, type DeploymentRow, toDeploymentSpec } from "./deployments.repository.ts";

/** The contract's schema of a deployment. */
export type Deployment = components["schemas"]["Deployment"];

/** Returns the base URL of a deployment's API. */
export const deploymentUrl = (publicUrl: string, id: string): string => `${publicUrl}/api/deployments/${id}/v1`;

/** Maps a row to the contract's `Deployment`. */
export function toDeploymentDto(row: DeploymentRow, publicUrl: string): Deployment {
  return {
    id: row.id,
    organization_id: row.organization_id,
    name: row.name,
    provider_id: row.provider_id,
    region: row.region,
    instance_type: row.instance_type,
    model_id: modelIdOf(row.model_id),
    revision: row.revision,
    min_replicas: row.min_replicas,
    max_replicas: row.max_replicas,
    scale_to_zero_after_s: row.scale_to_zero_after_s,
    autoscale: {
      metric: row.autoscale_metric as Deployment["autoscale"]["metric"],
      target: row.autoscale_target,
    },
    engine_args: toDeploymentSpec(row).engineArgs,
    visibility: row.visibility as Deployment["visibility"],
    state: toStateDto(row),
    state_reason: row.deleting ? null : row.state_reason,
    settings_version: row.settings_version,
    observed_settings_version: row.observed_settings_version,
    ready_replicas: row.ready_replicas,
    desired_replicas: row.deleting || row.paused ? 0 : row.desired_replicas,
    url: row.deleting ? null : deploymentUrl(publicUrl, row.id),
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Maps a row to the contract's `AdminDeployment`, with its organization and creator. */
export function toAdminDeploymentDto(
  row: DeploymentRow,
  names: DeploymentNames | undefined,
  publicUrl: string,
): components["schemas"]["AdminDeployment"] {
  const { organization = "", user_id = null, user_name = null, user_email = null } = names ?? {};
  return {
    ...toDeploymentDto(row, publicUrl),
    organization: { id: row.organization_id, name: organization },
    creator:
      user_id === null || user_name === null || user_email === null
        ? null
        : { id: user_id, name: user_name, email: user_email },
  };
}

/** Returns `deleting` and `paused` at once, before the reconciler has updated the stored state. */
function toStateDto({ deleting, paused, state }: DeploymentRow): Deployment["state"] {
  if (deleting) return "deleting";
  if (paused) return "paused";
  return state === "paused" ? "initializing" : (state as Deployment["state"]);
}
