import type { SignedInActor } from "../../core/auth/actor.ts";
import { errors } from "../../core/errors/index.ts";
import type { CallableModel, CallerPlan } from "../ports.ts";

/** Throws `key_scope_denied` when the API key may not call the model. */
export function admitKey({ credential }: SignedInActor, model: CallableModel): void {
  if (credential.type !== "key") return;
  const { allowedModels } = credential.limits;
  const allowed = allowedModels.length === 0 || allowedModels.some((id) => id.toLowerCase() === model.id.toLowerCase());
  if (!allowed)
    throw errors.keyScopeDenied(`This API key may not call ${model.id}.`, {
      param: "model",
      details: { allowed_models: allowedModels },
    });
}

/** Throws `model_not_on_plan` when the plan does not include the model. */
export function admitPlan(
  { plan }: Pick<CallerPlan, "plan">,
  model: Pick<CallableModel, "id" | "planIds" | "parameterSize">,
): void {
  if (model.planIds !== null && !model.planIds.includes(plan.id))
    throw errors.modelNotOnPlan(`${model.id} is not in the plan ${plan.name}.`, {
      param: "model",
      details: { plan_id: plan.id, plan_ids: model.planIds },
    });
  const tooLarge = plan.max_model_size !== null && (model.parameterSize ?? 0) > plan.max_model_size;
  if (!tooLarge) return;
  const size = (value: number) => `${Math.round(value / 1e8) / 10}B`;
  throw errors.modelNotOnPlan(
    `${model.id} has ${size(model.parameterSize ?? 0)} parameters; the plan ${plan.name} goes up to ${size(plan.max_model_size ?? 0)}.`,
    {
      param: "model",
      details: { plan_id: plan.id, max_model_size: plan.max_model_size, parameter_size: model.parameterSize },
    },
  );
}
