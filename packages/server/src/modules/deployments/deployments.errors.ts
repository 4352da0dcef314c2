import { AppError, invalidRequest, notFound, unauthorized } from "../../shared/errors.ts";

const NO_RETRY_HEADERS = { "x-should-retry": "false" };

/** `deployments.not_found` (404). */
export const deploymentNotFound = () => notFound("There is no such deployment.", "deployments.not_found");

/** `deployments.not_on_plan` (403): the plan has no private cloud. */
export const privateCloudNotOnPlan = (planName: string) =>
  new AppError(403, "deployments.not_on_plan", `The plan ${planName} has no private cloud. See the plans that have.`, {
    headers: NO_RETRY_HEADERS,
  });

/** `deployments.limit` (409): the organization has the maximum number of deployments. */
export const tooManyDeployments = (max: number) =>
  new AppError(409, "deployments.limit", `An organization may have ${max} deployments. Delete one first.`, {
    details: { max },
  });

/** `deployments.name_taken` (409). */
export const deploymentNameTaken = (name: string) =>
  new AppError(409, "deployments.name_taken", `There is a deployment called ${name} already.`, { param: "name" });

/** `deployments.deleting` (409): a deployment that is being deleted cannot be changed. */
export const deploymentBeingDeleted = () =>
  new AppError(409, "deployments.deleting", "This deployment is being deleted and cannot be changed any more.");

/** `invalid_request` (400) for an unknown provider, region or instance type; lists the known ones. */
export const unknownOption = (param: string, given: string, known: readonly string[]) =>
  invalidRequest(`${param} is not valid: there is no ${given}. Known: ${known.join(", ")}.`, {
    param,
    details: { known },
  });

/** `deployments.provider_unavailable` (409). */
export const providerUnavailable = (name: string, reason: string | null) =>
  new AppError(409, "deployments.provider_unavailable", `${name} is not available: ${reason ?? "it is not set up"}.`, {
    param: "provider_id",
  });

/** `invalid_request` (400): `min_replicas` is above `max_replicas`. */
export const minReplicasAboveMax = () =>
  invalidRequest("min_replicas is not valid: it may not be above max_replicas.", { param: "min_replicas" });

/** `deployments.login_ended` (401): the login link was used or has expired. */
export const loginLinkExpired = () =>
  unauthorized("This link was used already, or it has ended. Ask for a new one.", "deployments.login_ended");

/**
 * `deployments.unauthorized` (401). The same for a missing deployment, one of others and a wrong token, to reveal
 * nothing.
 */
export const deploymentUnauthorized = () =>
  unauthorized(
    "Send the token of this deployment, or a key of its organization: Authorization: Bearer <token>.",
    "deployments.unauthorized",
  );

/** `deployment_paused` (503). */
export const deploymentPaused = (name: string) =>
  new AppError(503, "deployment_paused", `${name} is paused. Whoever manages it can resume it.`, {
    headers: { ...NO_RETRY_HEADERS, "retry-after": "30" },
  });

/** `deployment_failed` (503): no replica starts; `reason` says why. */
export const deploymentFailed = (name: string, reason: string | null) =>
  new AppError(503, "deployment_failed", `${name} cannot run just now: ${reason ?? "no replica starts"}.`, {
    headers: { "retry-after": "30" },
  });

/** `capacity_exhausted` (503): the deployment has the maximum number of concurrent calls. */
export const deploymentAtCapacity = (max: number) =>
  new AppError(503, "capacity_exhausted", `This deployment works at ${max} calls already. Try again in a moment.`, {
    headers: { "retry-after": "2" },
    details: { max },
  });
