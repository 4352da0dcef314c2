import styles from "./skeleton.module.css";

/** A placeholder for content that is being loaded; sizes in pixels or CSS units. */
export function Skeleton({ width = "100%", height = 14 }: { width?: number | string; height?: number }) {
  // An SVG, because the Content Security Policy allows its size attributes in prerendered HTML, but no inline styles.
  return <svg className={styles.skeleton} width={width} height={height} aria-hidden="true" />;
}
