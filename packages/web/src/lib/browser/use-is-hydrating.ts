import { useSyncExternalStore } from "react";

const subscribeToNothing = () => () => {};

/**
 * Returns whether a prerendered page is being hydrated (or prerendered), so that the first render has to be the one of a
 * visitor about whom nothing is known. React renders again right after it.
 */
export const useIsHydrating = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => false,
    () => true,
  );
