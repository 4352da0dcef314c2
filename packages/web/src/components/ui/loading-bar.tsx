import { createContext, useContext, useEffect, useSyncExternalStore } from "react";
import loadingBarStyles from "./loading-bar.module.css";
import { createLoadingBar, LOADING_BAR, type LoadingBarStore } from "./loading-bar-state.ts";

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

/** Placeholder for a page or a part of it that is being loaded; it reserves space to avoid a layout shift. */
export function LoadingPlaceholder() {
  useLoadingBar(true);
  return <div className={loadingBarStyles.loadingRoom} aria-busy="true" />;
}

/** The thin bar at the top of the page during loads. Hidden from screen readers: the page announces loading itself. */
export function LoadingBar() {
  const bar = useContext(LoadingBarContext);
  const { progress, visible, failed } = useSyncExternalStore(bar.subscribe, bar.get, bar.get);
  const style = { height: LOADING_BAR.height, opacity: visible ? 1 : 0, transform: `scaleX(${progress / 100})` };
  return (
    <div
      className={`${loadingBarStyles.barLoading}${failed ? " error" : ""}`}
      data-testid="loading-bar"
      aria-hidden="true"
      {...(progress > 0 && { style })} // not in prerendered HTML, which may not have styles inline
    />
  );
}
