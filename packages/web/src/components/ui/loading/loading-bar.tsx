import { useContext, useSyncExternalStore } from "react";
import styles from "./loading-bar.module.css";
import { LoadingBarContext } from "./loading-bar-context.ts";
import { LOADING_BAR } from "./loading-bar-state.ts";

/** The thin bar at the top of the page during loads. Hidden from screen readers: the page announces loading itself. */
export function LoadingBar() {
  const bar = useContext(LoadingBarContext);
  const { progress, visible, failed } = useSyncExternalStore(bar.subscribe, bar.get, bar.get);
  const style = { height: LOADING_BAR.height, opacity: visible ? 1 : 0, transform: `scaleX(${progress / 100})` };
  return (
    <div
      className={`${styles.barLoading}${failed ? " error" : ""}`}
      data-testid="loading-bar"
      aria-hidden="true"
      {...(progress > 0 && { style })} // not in prerendered HTML, which may not have styles inline
    />
  );
}
