import { type Ref, Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import styles from "./select.module.css";
import { SelectArrow } from "./select-arrow.tsx";
import type { SelectListProps } from "./select-list.tsx";
import { useDeferredPopup } from "./use-deferred-popup.ts";

/** An option of a select; `lang` is the language of its label. */
export type SelectOption<Value extends string = string> = { value: Value; label: string; lang?: string };

/** Props of `Select`. It needs a label: one that refers to its `id`, or `aria-label`. */
export type SelectProps<Value extends string = string> = {
  options: readonly SelectOption<Value>[];
  value: Value;
  onChange(value: Value): void;
  onBlur?(): void;
  id?: string;
  /** The name of the value in the data of a form. */
  name?: string;
  disabled?: boolean;
  /** A field takes the whole width, a button is as wide as its text, a chip is a small button. */
  look?: "field" | "button" | "chip";
  className?: string | undefined;
  ref?: Ref<HTMLButtonElement>;
  "aria-label"?: string | undefined;
  "aria-invalid"?: boolean;
  "aria-describedby"?: string;
};

const LOOKS = { field: "input", button: "btn", chip: "chip" };

const load = async () => (await import("./select-list.tsx")).SelectList;
const SelectList = lazyComponent<SelectListProps>(load);

/** Chooses one of several options in a list below the button that shows the choice. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { options, value, onChange, onBlur, name, look = "field", className = "", ...trigger } = props;
  const { opening, buttonProps } = useDeferredPopup(load);
  const classes = `${LOOKS[look]} ${styles.trigger} ${className}`;
  return (
    <Suspense>
      {opening ? (
        <SelectList
          {...{ options, value, name, onBlur, trigger }}
          className={classes}
          // The list has no other values than those of the options.
          onChange={(next) => onChange(next as Value)}
        />
      ) : (
        <>
          <button
            {...buttonProps}
            role="combobox"
            aria-haspopup="listbox"
            aria-expanded="false"
            {...trigger}
            {...(onBlur && { onBlur })}
            className={classes}
          >
            <span className={styles.value}>{options.find((option) => option.value === value)?.label ?? value}</span>
            <SelectArrow />
          </button>
          {name === undefined ? null : <input type="hidden" {...{ name, value }} disabled={trigger.disabled} />}
        </>
      )}
    </Suspense>
  );
}
