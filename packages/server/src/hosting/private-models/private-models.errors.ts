import type { components } from "@feather/openapi/schema";
import { errors } from "../../platform/core/errors/index.ts";

/** `private_models.limit_reached` (409): the organization has as many as its plan allows. */
export const tooManyPrivateModels = (max: number) => errors.privateModels.limitReached({ max }, { details: { max } });

/** `model_gated_needs_oauth` (403): a gated repository needs a token of the hub. */
export const hubTokenRequired = (id: string) =>
  errors.modelGatedNeedsOauth(`${id} is gated by its publisher. Send hf_token: a token of the hub that may read it.`, {
    param: "hf_token",
  });

/** `private_models.incompatible` (422) with the failed checks. */
export const privateModelIncompatible = (id: string, checks: components["schemas"]["Compatibility"]["checks"]) => {
  const failedChecks = checks.filter(({ ok }) => !ok);
  const why = failedChecks.map(({ label, detail }) => `${label}: ${detail}`).join(" ");
  return errors.privateModels.incompatible({ model: id, problem: why }, { details: { checks: failedChecks } });
};

/** `private_models.deployed` (409): the model still has deployments. */
export const privateModelDeployed = (count: number) =>
  errors.privateModels.deployed({ count }, { details: { deployments: count } });
