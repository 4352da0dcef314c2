import type { Model } from "@feather/sdk";

/** Whether a call to the model is answered here, at once or after it is loaded. */
export const isCallable = ({ availability }: Model): boolean => availability.tier !== "offline";

/**
 * Returns the models that a coding assistant can use: those that support tools, warm ones first, without duplicates.
 */
export function selectAssistantModels(warm: readonly Model[], coding: readonly Model[]): Model[] {
  const withTools = [...warm, ...coding].filter(({ features }) => features.tool_use);
  const warmRank = (model: Model) => (model.availability.tier === "warm" ? 0 : 1);
  return [...new Map(withTools.map((model) => [model.id, model])).values()].sort((a, b) => warmRank(a) - warmRank(b));
}
