import type { CallableModel, CallerPlan } from "../ports.ts";

/** Returns the context length for a call in tokens: the smaller of the model's and the plan's; null if both are unknown. */
export function getEffectiveContext(model: CallableModel, { plan }: CallerPlan): number | null {
  const { contextLength } = model;
  const limit = plan.max_context_length;
  return contextLength === null || limit === null ? (contextLength ?? limit) : Math.min(contextLength, limit);
}
