import { Select as Base } from "@base-ui/react/select";
import type { Ref } from "react";
import { useIsHydrating } from "#/lib/use-is-hydrating.ts";
import { ControlProvider } from "./control-provider.tsx";
import styles from "./select.module.css";

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
  className?: string;
  ref?: Ref<HTMLButtonElement>;
  "aria-label"?: string | undefined;
  "aria-invalid"?: boolean;
  "aria-describedby"?: string;
};

const LOOKS = { field: "input", button: "btn", chip: "chip" };

/** Chooses one of several options in a list below the button that shows the choice. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const {
    options,
    value,
    onChange,
    onBlur,
    name,
    disabled = false,
    look = "field",
    className = "",
    ...trigger
  } = props;
  const classes = `${LOOKS[look]} ${styles.trigger} ${className}`;
  const label = options.find((option) => option.value === value)?.label;
  // Prerendered HTML may not have inline styles, which the library's hidden input has.
  if (useIsHydrating())
    return (
      <button type="button" role="combobox" aria-expanded="false" className={classes} disabled={disabled} {...trigger}>
        <span className={styles.value}>{label}</span>
        <Arrow />
      </button>
    );
  return (
    <ControlProvider>
      <Base.Root<Value>
        items={[...options]}
        value={value}
        onValueChange={(next) => next !== null && onChange(next)}
        modal={false}
        disabled={disabled}
        {...(name !== undefined && { name })}
      >
        <Base.Trigger className={classes} {...(onBlur && { onBlur })} {...trigger}>
          <span className={styles.value}>
            <Base.Value>{label ?? value}</Base.Value>
          </span>
          <Arrow />
        </Base.Trigger>
        <Base.Portal>
          <Base.Positioner className={styles.positioner} alignItemWithTrigger={false} sideOffset={4} align="start">
            <Base.Popup className={styles.popup}>
              <Base.List>
                {options.map((option) => (
                  <Base.Item key={option.value} value={option.value} className={styles.item} lang={option.lang}>
                    <Base.ItemText className={styles.text}>{option.label}</Base.ItemText>
                    <Base.ItemIndicator className={styles.mark} aria-hidden="true">
                      <Check />
                    </Base.ItemIndicator>
                  </Base.Item>
                ))}
              </Base.List>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </ControlProvider>
  );
}

function Check() {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <path d="m2.5 6.500 2.500 2.500 4.500-5.500" fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}

function Arrow() {
  return (
    <svg className={styles.arrow} width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <path d="m3 4.5 3 3 3-3" fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
