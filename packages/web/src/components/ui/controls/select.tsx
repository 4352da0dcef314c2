import { Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import styles from "./select.module.css";
import { SelectArrow } from "./select-arrow.tsx";
import type { SelectListProps } from "./select-list.tsx";
import type { SelectProps } from "./select-props.ts";
import { useDeferredPopup } from "./use-deferred-popup.ts";

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
