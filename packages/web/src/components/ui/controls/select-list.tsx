import { Select as Base } from "@base-ui/react/select";
import { ControlProvider } from "./control-provider.tsx";
import styles from "./select.module.css";
import { SelectArrow } from "./select-arrow.tsx";
import type { SelectOption, SelectProps } from "./select-props.ts";

type Trigger = Pick<SelectProps, "id" | "disabled" | "ref" | "aria-label" | "aria-invalid" | "aria-describedby">;
/** Props of `SelectList`. */
export type SelectListProps = {
  options: readonly SelectOption[];
  value: string;
  onChange(value: string): void;
  onBlur: (() => void) | undefined;
  name: string | undefined;
  trigger: Trigger;
  className: string;
};

/** The button of a `Select` with its list, which is open at first: a reader has just asked for it. */
export function SelectList({ options, value, onChange, onBlur, name, trigger, className }: SelectListProps) {
  return (
    <ControlProvider>
      <Base.Root<string>
        defaultOpen
        items={[...options]}
        value={value}
        onValueChange={(next) => next !== null && onChange(next)}
        modal={false}
        disabled={trigger.disabled ?? false}
        {...(name !== undefined && { name })}
      >
        <Base.Trigger {...trigger} className={className} {...(onBlur && { onBlur })}>
          <span className={styles.value}>
            <Base.Value>{options.find((option) => option.value === value)?.label ?? value}</Base.Value>
          </span>
          <SelectArrow />
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
      <path d="m2.5 6.5 2.500 2.500 4.500-5.500" fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
