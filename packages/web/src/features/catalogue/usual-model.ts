/** A built-in model that answers questions about the platform. */
export const GUIDE = "feather/guide";
/** A built-in model with a fixed answer, for demonstrations. */
export const DEMO = "feather/demo";

type Warm = { id: string; available_on_current_plan?: boolean };

/** Returns the default model of a chat: a real one that is warm and on the plan, else the guide. */
export function usualModel(warm: readonly Warm[]): string {
  const real = warm.find(
    ({ id, available_on_current_plan }) => id !== GUIDE && id !== DEMO && available_on_current_plan !== false,
  );
  if (real) return real.id;
  return warm.some(({ id }) => id === GUIDE) || warm.length === 0 ? GUIDE : DEMO;
}
