import { Slider as Base } from "@base-ui/react/slider";
import type { ReactNode } from "react";
import { ControlProvider } from "./control-provider.tsx";
import styles from "./slider.module.css";

type Props = {
  value: number;
  onChange(value: number): void;
  onBlur?(): void;
  min: number;
  max: number;
  step?: number;
  /** The name of the value in the data of a form. */
  name?: string;
  disabled?: boolean;
  /** The label, or the id of the element that is the label. */
  "aria-label"?: string;
  "aria-labelledby"?: string;
  /** The value in words, where the number alone does not say it. */
  valueText?: string;
  /** A drawing of the value in place of the line and its handle. */
  children?: ReactNode;
};

/** Chooses a number between two others by dragging, or with the arrow keys. */
export function Slider(props: Props) {
  const { value, onChange, onBlur, min, max, step = 1, name, disabled = false, valueText, children, ...labels } = props;
  return (
    <ControlProvider>
      <Base.Root
        className={styles.root}
        {...{ value, min, max, step, disabled }}
        {...(name !== undefined && { name })}
        onValueChange={(next) => onChange(next as number)}
      >
        <Base.Control className={children ? styles.drawn : styles.control}>
          {children}
          <Base.Track className={children ? styles.hidden : styles.track}>
            <Base.Indicator className={children ? undefined : styles.indicator} />
            <Base.Thumb
              className={children ? styles.handle : styles.thumb}
              {...(onBlur && { onBlur })}
              {...(valueText !== undefined && { getAriaValueText: () => valueText })}
              {...labels}
            />
          </Base.Track>
        </Base.Control>
      </Base.Root>
    </ControlProvider>
  );
}
