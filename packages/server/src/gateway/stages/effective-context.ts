import type { BackendRegistry } from "../backends/registry.ts";
import type { CallableModel, CallerPlan } from "../ports.ts";

/** Returns the context length for a call in tokens: the smaller of the model's and the plan's; null if both are unknown. */
export function getEffectiveContext(model: CallableModel, { plan }: CallerPlan): number | null {
  return minContext(model.contextLength, plan.max_context_length);
}

/** Returns the smaller of two contexts in tokens, of which null is an unknown one. */
export function minContext(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** Returns a model with the context with which backends run it now, if that is known and smaller than the model's own. */
export function withRuntimeContext(
  model: CallableModel,
  registry: Pick<BackendRegistry, "contextLength">,
): CallableModel {
  const contextLength = minContext(model.contextLength, registry.contextLength(model.key));
  return contextLength === model.contextLength ? model : { ...model, contextLength };
}
