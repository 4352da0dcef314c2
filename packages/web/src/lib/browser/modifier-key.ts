import { useIsHydrating } from "./use-is-hydrating.ts";

/** The label in prerendered pages, which do not know the platform of their reader. */
const COMMON_LABEL = "Ctrl";

/** Returns the label of the modifier key for shortcuts on this platform. */
export function useModifierKey(): string {
  const isHydrating = useIsHydrating();
  return !isHydrating && /mac|iphone|ipad/i.test(navigator.platform) ? "⌘" : COMMON_LABEL;
}
