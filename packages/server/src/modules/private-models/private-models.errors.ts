import type { components } from "@feather/openapi/schema";
import { AppError, notFound } from "../../shared/errors.ts";

export const noSuchPrivateModel = () =>
  notFound("Your organization has no private model with this id.", "private_models.not_found");

export const noPrivateModels = (planName: string) =>
  new AppError(
    403,
    "private_models.not_on_plan",
    `The plan ${planName} has no private models. See the plans that have.`,
    { headers: { "x-should-retry": "false" } },
  );

export const tooManyPrivateModels = (max: number) =>
  new AppError(409, "private_models.limit", `Your plan has ${max} private models. Delete one first.`, {
    details: { max },
  });

export const tokenRequired = (id: string) =>
  new AppError(
    403,
    "model_gated_needs_oauth",
    `${id} is gated by its publisher. Send hf_token: a token of the hub that may read it.`,
    { param: "hf_token", headers: { "x-should-retry": "false" } },
  );

export const incompatible = (id: string, checks: components["schemas"]["Compatibility"]["checks"]) => {
  const failed = checks.filter(({ ok }) => !ok);
  const why = failed.map(({ label, detail }) => `${label}: ${detail}`).join(" ");
  return new AppError(422, "private_models.incompatible", `${id} cannot be served here. ${why}`, {
    details: { checks: failed },
  });
};

export const isDeployed = (count: number) =>
  new AppError(409, "private_models.deployed", `${count} deployments run this model. Delete them first.`, {
    details: { deployments: count },
  });
