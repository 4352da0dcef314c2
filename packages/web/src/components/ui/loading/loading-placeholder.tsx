import { useLoadingBar } from "./loading-bar-context.ts";
import styles from "./loading-placeholder.module.css";

/** Placeholder for a page or a part of it that is being loaded; it reserves space to avoid a layout shift. */
export function LoadingPlaceholder() {
  useLoadingBar(true);
  return <div className={styles.loadingRoom} aria-busy="true" />;
}
