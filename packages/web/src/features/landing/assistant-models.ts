import type { Model } from "#/features/catalogue/queries.ts";

/** Models that an assistant can work with: those that take tools, what is warm before what is not, each once. */
export function assistantModels(warm: readonly Model[], coding: readonly Model[]): Model[] {
  const able = [...warm, ...coding].filter(({ features }) => features.tool_use);
  const awake = (model: Model) => (model.availability.tier === "warm" ? 0 : 1);
  return [...new Map(able.map((model) => [model.id, model])).values()].sort((a, b) => awake(a) - awake(b));
}
