import { createContext, useContext, useEffect, useSyncExternalStore } from "react";
import { createLoadingBar, LOADING_BAR, type LoadingBarStore } from "./loading-bar-state.ts";

export const LoadingBarContext = createContext<LoadingBarStore>(createLoadingBar());

/** Shows the bar as long as `loading` holds. */
export function useLoading(loading: boolean): void {
  const bar = useContext(LoadingBarContext);
  useEffect(() => (loading ? bar.start() : undefined), [loading, bar]);
}

/** Ends the bar in the colour of an error, once. */
export function useFailedLoading(): void {
  const bar = useContext(LoadingBarContext);
  useEffect(() => bar.fail(), [bar]);
}

/** A page, or a part of one, that is being loaded. It takes the room, so that nothing jumps when it comes. */
export function Loading() {
  useLoading(true);
  return <div className="loading-room" aria-busy="true" />;
}

/** The thin bar at the top while something loads. What it says is said by the page itself to those who listen. */
export function LoadingBar() {
  const bar = useContext(LoadingBarContext);
  const { progress, visible, failed } = useSyncExternalStore(bar.subscribe, bar.get, bar.get);
  return (
    <div
      className={`bar-loading${failed ? " error" : ""}`}
      data-testid="loading-bar"
      aria-hidden="true"
      style={{ height: LOADING_BAR.height, opacity: visible ? 1 : 0, transform: `scaleX(${progress / 100})` }}
    />
  );
}
