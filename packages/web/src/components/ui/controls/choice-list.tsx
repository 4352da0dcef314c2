import type { ReactNode } from "react";
import styles from "./choice-list.module.css";

type Props = {
  legend: string;
  /** For the only choices of a page, whose heading is the legend. */
  isLarge?: boolean;
  /** The id of the errors. */
  describedBy?: string;
  /** Labels, each with its radio button or checkbox, a name in `<strong>`, and hints in `<span>`. */
  children: ReactNode;
};

/** Radio buttons or checkboxes below each other, with a name and a hint each. */
export function ChoiceList({ legend, isLarge = false, describedBy, children }: Props) {
  return (
    <fieldset
      className={isLarge ? `${styles.choices} ${styles.large} mt-4` : `field ${styles.choices}`}
      aria-describedby={describedBy}
    >
      <legend className={isLarge ? "visually-hidden" : "name"}>{legend}</legend>
      {children}
    </fieldset>
  );
}
