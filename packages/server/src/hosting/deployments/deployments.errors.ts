import { errors } from "../../platform/core/errors/index.ts";

/** Returns `deployments.limit_reached` (409): the organization has the maximum number of deployments. */
export const tooManyDeployments = (max: number) => errors.deployments.limitReached({ max }, { details: { max } });

/** Returns `deployments.name_taken` (409). */
export const deploymentNameTaken = (name: string) => errors.deployments.nameTaken({ name }, { param: "name" });

/** Returns `invalid_request` (400) for an unknown provider, region or instance type. The message lists the known ones. */
export const unknownOption = (param: string, given: string, known: readonly string[]) =>
  errors.invalidRequest(`${param} is not valid: there is no ${given}. Known: ${known.join(", ")}.`, {
    param,
    details: { known },
  });

/** Returns `deployments.provider_unavailable` (409). */
export const providerUnavailable = (name: string, reason: string | null) =>
  errors.deployments.providerUnavailable(
    { provider: name, reason: reason ?? "it is not set up" },
    { param: "provider_id" },
  );

/** Returns `invalid_request` (400): `min_replicas` is above `max_replicas`. */
export const minReplicasAboveMax = () =>
  errors.invalidRequest("min_replicas is not valid: it may not be above max_replicas.", { param: "min_replicas" });

/** Returns `deployment_paused` (503). */
export const deploymentPaused = (name: string) => errors.deploymentPaused({ deployment: name });

/** Returns `deployment_failed` (503): no replica starts. `reason` says why. */
export const deploymentFailed = (name: string, reason: string | null) =>
  errors.deploymentFailed({ deployment: name, reason: reason ?? "no replica starts" });

/** Returns `capacity_exhausted` (503): the deployment has the maximum number of concurrent calls. */
export const deploymentAtCapacity = (max: number) =>
  errors.capacityExhausted(`This deployment works at ${max} calls already. Try again in a moment.`, {
    retryAfterSeconds: 2,
    details: { max },
  });
