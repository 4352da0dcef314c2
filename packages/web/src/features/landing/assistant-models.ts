import type { Model } from "#/features/catalogue/queries.ts";

/**
 * Returns the models that a coding assistant can use: those that support tools, warm ones first, without duplicates.
 */
export function assistantModels(warm: readonly Model[], coding: readonly Model[]): Model[] {
  const able = [...warm, ...coding].filter(({ features }) => features.tool_use);
  const awake = (model: Model) => (model.availability.tier === "warm" ? 0 : 1);
  return [...new Map(able.map((model) => [model.id, model])).values()].sort((a, b) => awake(a) - awake(b));
}
