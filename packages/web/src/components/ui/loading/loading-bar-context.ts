import { createContext, useContext, useEffect } from "react";
import { createLoadingBar, type LoadingBarStore } from "./loading-bar-state.ts";

/** The store of the loading bar. */
export const LoadingBarContext = createContext<LoadingBarStore>(createLoadingBar());

/** Shows the loading bar while `loading` is true. */
export function useLoadingBar(loading: boolean): void {
  const bar = useContext(LoadingBarContext);
  useEffect(() => (loading ? bar.start() : undefined), [loading, bar]);
}

/** Ends the loading bar in the error colour on mount. */
export function useFailLoadingBar(): void {
  const bar = useContext(LoadingBarContext);
  useEffect(() => bar.fail(), [bar]);
}
