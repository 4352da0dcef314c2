import { AppError, invalidRequest, notFound, unauthorized } from "../../shared/errors.ts";

const FINAL = { "x-should-retry": "false" };

export const noSuchDeployment = () => notFound("There is no such deployment.", "deployments.not_found");

export const noPrivateCloud = (planName: string) =>
  new AppError(403, "deployments.not_on_plan", `The plan ${planName} has no private cloud. See the plans that have.`, {
    headers: FINAL,
  });

export const tooManyDeployments = (max: number) =>
  new AppError(409, "deployments.limit", `An organization may have ${max} deployments. Delete one first.`, {
    details: { max },
  });

export const nameTaken = (name: string) =>
  new AppError(409, "deployments.name_taken", `There is a deployment called ${name} already.`, { param: "name" });

export const isBeingDeleted = () =>
  new AppError(409, "deployments.deleting", "This deployment is being deleted and cannot be changed any more.");

export const noSuchChoice = (param: string, given: string, known: readonly string[]) =>
  invalidRequest(`${param} is not valid: there is no ${given}. Known: ${known.join(", ")}.`, {
    param,
    details: { known },
  });

export const providerUnavailable = (name: string, reason: string | null) =>
  new AppError(409, "deployments.provider_unavailable", `${name} is not available: ${reason ?? "it is not set up"}.`, {
    param: "provider_id",
  });

export const minAboveMax = () =>
  invalidRequest("min_replicas is not valid: it may not be above max_replicas.", { param: "min_replicas" });

export const linkEnded = () =>
  unauthorized("This link was used already, or it has ended. Ask for a new one.", "deployments.login_ended");

/** The same for an address that does not exist, one that is not yours, and a wrong token. */
export const notOpened = () =>
  unauthorized(
    "Send the token of this deployment, or a key of its organization: Authorization: Bearer <token>.",
    "deployments.unauthorized",
  );

export const deploymentPaused = (name: string) =>
  new AppError(503, "deployment_paused", `${name} is paused. Whoever manages it can resume it.`, {
    headers: { ...FINAL, "retry-after": "30" },
  });

export const deploymentFailed = (name: string, reason: string | null) =>
  new AppError(503, "deployment_failed", `${name} cannot run just now: ${reason ?? "no replica starts"}.`, {
    headers: { "retry-after": "30" },
  });

export const deploymentFull = (max: number) =>
  new AppError(503, "capacity_exhausted", `This deployment works at ${max} calls already. Try again in a moment.`, {
    headers: { "retry-after": "2" },
    details: { max },
  });
