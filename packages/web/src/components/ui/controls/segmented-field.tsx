import { type ReactNode, useId } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import styles from "./segmented-field.module.css";

type Props<Value extends string> = {
  legend: string;
  /** Whether the legend is read by screen readers only. */
  hideLegend?: boolean;
  options: readonly { value: Value; label: string }[];
  /** What react-hook-form's `register` returns for the field. */
  registered: UseFormRegisterReturn;
  hint?: ReactNode;
  errors?: readonly string[];
  /** What belongs to the chosen option, such as a field. */
  children?: ReactNode;
};

/** Radio buttons side by side, for a choice between a few short options. */
export function SegmentedField<Value extends string>(props: Props<Value>) {
  const { legend, hideLegend = false, options, registered, hint, errors = [], children } = props;
  const id = useId();
  return (
    <fieldset className={`field ${styles.field}`} aria-describedby={`${id}-text`}>
      <legend className={hideLegend ? "visually-hidden" : "name"}>{legend}</legend>
      <div className={styles.options}>
        {options.map(({ value, label }) => (
          <label key={value} className={styles.option}>
            <input type="radio" className={styles.radio} value={value} {...registered} />
            <span className={styles.text}>{label}</span>
          </label>
        ))}
      </div>
      {children}
      <div id={`${id}-text`}>
        {errors.map((error) => (
          <p key={error} className="error-text">
            {error}
          </p>
        ))}
        {hint && errors.length === 0 ? <p className="hint">{hint}</p> : null}
      </div>
    </fieldset>
  );
}
