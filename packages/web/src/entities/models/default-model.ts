import type { Model } from "@feather/sdk";

/** A built-in model that answers questions about the platform. */
export const GUIDE_MODEL_ID = "feather/guide";
/** A built-in model with a fixed answer, for demonstrations. */
export const DEMO_MODEL_ID = "feather/demo";

type WarmModel = { id: string; available_on_current_plan?: boolean };

/** Returns whether the model comes with the platform. */
export const isBuiltIn = ({ id }: { id: string }): boolean => id === GUIDE_MODEL_ID || id === DEMO_MODEL_ID;

/** Leaves out the demonstration model where another one is warm than those that come with the platform. */
export function withoutNeedlessDemo<Shown extends Pick<Model, "id" | "availability">>(
  models: readonly Shown[],
): Shown[] {
  const hasRealOne = models.some((model) => model.availability.tier === "warm" && !isBuiltIn(model));
  return hasRealOne ? models.filter(({ id }) => id !== DEMO_MODEL_ID) : [...models];
}

/** Returns the default model of a chat: a real one that is warm and on the plan, else the guide. */
export function getDefaultModel(warm: readonly WarmModel[]): string {
  const real = warm.find((model) => !isBuiltIn(model) && model.available_on_current_plan !== false);
  if (real) return real.id;
  return warm.some(({ id }) => id === GUIDE_MODEL_ID) || warm.length === 0 ? GUIDE_MODEL_ID : DEMO_MODEL_ID;
}
