import { t } from "@lingui/core/macro";
import {
  type InputHTMLAttributes,
  type ReactNode,
  type RefObject,
  type TextareaHTMLAttributes,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { isTouchDevice } from "#/lib/use-initial-focus.ts";
import styles from "./field.module.css";
import { Select, type SelectProps } from "./select.tsx";

type Common = {
  label: string;
  hint?: ReactNode;
  errors?: readonly string[];
  /** Shown next to the label. The keyboard reaches it after the control. */
  end?: ReactNode;
};
type Props = Omit<InputHTMLAttributes<HTMLInputElement>, "id"> & Common;

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

type SelectFieldProps = Omit<SelectProps, "id" | "look" | "className" | "aria-invalid" | "aria-describedby"> & Common;

/** A labelled select, with the same hint and errors as `Field`. */
export function SelectField({ label, hint, errors = [], end, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <FieldBox end={end}>
      <label htmlFor={id}>{label}</label>
      <Select id={id} aria-invalid={errors.length > 0} aria-describedby={`${id}-text`} {...select} />
      <FieldText id={id} errors={errors} hint={hint} />
    </FieldBox>
  );
}

type TextareaFieldProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id"> & Common;

/** A labelled textarea, with the same hint and errors as `Field`. */
export function TextareaField({ label, hint, errors = [], end, ...area }: TextareaFieldProps) {
  const id = useId();
  return (
    <FieldBox end={end}>
      <label htmlFor={id}>{label}</label>
      <textarea id={id} className="input" aria-invalid={errors.length > 0} aria-describedby={`${id}-text`} {...area} />
      <FieldText id={id} errors={errors} hint={hint} />
    </FieldBox>
  );
}

/** A checkbox with its label, and the same hint and errors as `Field`. */
export function CheckboxField({ label, hint, errors = [], end, ...input }: Props) {
  const id = useId();
  return (
    <div className="field">
      <div className="row between">
        <label className="check" htmlFor={id}>
          <input id={id} type="checkbox" aria-invalid={errors.length > 0} aria-describedby={`${id}-text`} {...input} />
          <span>{label}</span>
        </label>
        {end}
      </div>
      <FieldText id={id} errors={errors} hint={hint} />
    </div>
  );
}

function FieldBox({ end, children }: { end: ReactNode; children: ReactNode }) {
  if (!end) return <div className="field">{children}</div>;
  return (
    <div className={`field ${styles.withEnd}`}>
      {children}
      <div className={styles.end}>{end}</div>
    </div>
  );
}

/** Focuses the input in an element when it appears. In an effect, as React does not focus what the server has rendered. */
function useFocusOnMount(control: RefObject<HTMLElement | null>, autoFocus: boolean): void {
  const isWanted = useRef(autoFocus);
  useLayoutEffect(() => {
    if (isWanted.current && !isTouchDevice()) control.current?.querySelector("input")?.focus();
  }, [control]);
}

function FieldText({ id, errors, hint }: { id: string; errors: readonly string[]; hint: ReactNode }) {
  return (
    <div id={`${id}-text`}>
      {errors.map((error) => (
        <p key={error} className="error-text">
          {error}
        </p>
      ))}
      {hint && errors.length === 0 ? <p className="hint">{hint}</p> : null}
    </div>
  );
}
