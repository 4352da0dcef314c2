import type { ReactNode } from "react";
import { LanesExample } from "./lanes-example.tsx";
import styles from "./units-explained.module.css";

/** Shows a text about units next to an example of how requests hold them. */
export function UnitsExplained({ children }: { children: ReactNode }) {
  return (
    <div className={styles.explained}>
      <div>{children}</div>
      <LanesExample />
    </div>
  );
}
