import { t } from "@lingui/core/macro";
import { type InputHTMLAttributes, type RefObject, useId, useLayoutEffect, useRef, useState } from "react";
import { isTouchDevice } from "#/lib/browser/use-initial-focus.ts";
import styles from "./field.module.css";
import { type CommonFieldProps, FieldBox } from "./field-box.tsx";
import { FieldText } from "./field-text.tsx";

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, "id"> & CommonFieldProps;

/**
 * A labelled input with a hint and error messages, linked for screen readers. With `autoFocus` it gets the focus when it
 * appears, but not on touch devices.
 */
export function Field({ label, hint, errors = [], end, type, autoFocus = false, ...input }: Props) {
  const id = useId();
  const control = useRef<HTMLDivElement>(null);
  useFocusOnMount(control, autoFocus);
  const [isVisible, setVisible] = useState(false);
  const isPassword = type === "password";
  return (
    <FieldBox end={end}>
      <label htmlFor={id}>{label}</label>
      <div ref={control} className={styles.control}>
        <input
          id={id}
          className="input"
          type={isPassword && isVisible ? "text" : type}
          aria-invalid={errors.length > 0}
          aria-describedby={`${id}-text`}
          {...input}
        />
        {isPassword ? (
          <button
            type="button"
            className={`plain ${styles.reveal}`}
            onClick={() => setVisible(!isVisible)}
            aria-label={isVisible ? t`Hide password` : t`Show password`}
          >
            {isVisible ? t`Hide` : t`Show`}
          </button>
        ) : null}
      </div>
      <FieldText id={id} errors={errors} hint={hint} />
    </FieldBox>
  );
}

/** Focuses the input in an element when it appears. In an effect, as React does not focus what the server has rendered. */
function useFocusOnMount(control: RefObject<HTMLElement | null>, autoFocus: boolean): void {
  const isWanted = useRef(autoFocus);
  useLayoutEffect(() => {
    if (isWanted.current && !isTouchDevice()) control.current?.querySelector("input")?.focus();
  }, [control]);
}
