import styles from "./select.module.css";

/** The arrow of a button that opens a list. */
export function SelectArrow() {
  return (
    <svg className={styles.arrow} width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <path d="m3 4.5 3 3 3-3" fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
