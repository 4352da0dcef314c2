/** Comes with the platform and answers questions about it. */
export const GUIDE = "feather/guide";
/** Comes with the platform and always says the same: a test pattern. */
export const DEMO = "feather/demo";

type Warm = { id: string; available_on_current_plan?: boolean };

/** The model to talk to when none was chosen: a real one that answers now and may be called, else the guide. */
export function usualModel(warm: readonly Warm[]): string {
  const real = warm.find(
    ({ id, available_on_current_plan }) => id !== GUIDE && id !== DEMO && available_on_current_plan !== false,
  );
  if (real) return real.id;
  return warm.some(({ id }) => id === GUIDE) || warm.length === 0 ? GUIDE : DEMO;
}
