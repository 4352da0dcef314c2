import type { components } from "@feather/openapi/schema";
import { AppError, notFound } from "../../shared/errors.ts";

/** `private_models.not_found` (404). */
export const privateModelNotFound = () =>
  notFound("Your organization has no private model with this id.", "private_models.not_found");

/** `private_models.not_on_plan` (403): the plan has no private models. */
export const privateModelsNotOnPlan = (planName: string) =>
  new AppError(
    403,
    "private_models.not_on_plan",
    `The plan ${planName} has no private models. See the plans that have.`,
    { headers: { "x-should-retry": "false" } },
  );

/** `private_models.limit` (409): the organization has as many as its plan allows. */
export const tooManyPrivateModels = (max: number) =>
  new AppError(409, "private_models.limit", `Your plan has ${max} private models. Delete one first.`, {
    details: { max },
  });

/** `model_gated_needs_oauth` (403): a gated repository needs a token of the hub. */
export const hubTokenRequired = (id: string) =>
  new AppError(
    403,
    "model_gated_needs_oauth",
    `${id} is gated by its publisher. Send hf_token: a token of the hub that may read it.`,
    { param: "hf_token", headers: { "x-should-retry": "false" } },
  );

/** `private_models.incompatible` (422) with the failed checks. */
export const privateModelIncompatible = (id: string, checks: components["schemas"]["Compatibility"]["checks"]) => {
  const failedChecks = checks.filter(({ ok }) => !ok);
  const why = failedChecks.map(({ label, detail }) => `${label}: ${detail}`).join(" ");
  return new AppError(422, "private_models.incompatible", `${id} cannot be served here. ${why}`, {
    details: { checks: failedChecks },
  });
};

/** `private_models.deployed` (409): the model still has deployments. */
export const privateModelDeployed = (count: number) =>
  new AppError(409, "private_models.deployed", `${count} deployments run this model. Delete them first.`, {
    details: { deployments: count },
  });
