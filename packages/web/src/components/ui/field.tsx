import { t } from "@lingui/core/macro";
import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId, useState } from "react";
import styles from "./field.module.css";
import { Select, type SelectProps } from "./select.tsx";

type Common = { label: string; hint?: ReactNode; errors?: readonly string[]; end?: ReactNode };
type Props = Omit<InputHTMLAttributes<HTMLInputElement>, "id"> & Common;

/** A labelled input with a hint and error messages, linked for screen readers. */
export function Field({ label, hint, errors = [], end, type, ...input }: Props) {
  const id = useId();
  const [isVisible, setVisible] = useState(false);
  const isPassword = type === "password";
  return (
    <div className="field">
      <FieldLabel id={id} label={label} end={end} />
      <div className={styles.control}>
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
    </div>
  );
}

type SelectFieldProps = Omit<SelectProps, "id" | "look" | "className" | "aria-invalid" | "aria-describedby"> & Common;

/** A labelled select, with the same hint and errors as `Field`. */
export function SelectField({ label, hint, errors = [], end, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <FieldLabel id={id} label={label} end={end} />
      <Select id={id} aria-invalid={errors.length > 0} aria-describedby={`${id}-text`} {...select} />
      <FieldText id={id} errors={errors} hint={hint} />
    </div>
  );
}

type TextareaFieldProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id"> & Common;

/** A labelled textarea, with the same hint and errors as `Field`. */
export function TextareaField({ label, hint, errors = [], end, ...area }: TextareaFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <FieldLabel id={id} label={label} end={end} />
      <textarea id={id} className="input" aria-invalid={errors.length > 0} aria-describedby={`${id}-text`} {...area} />
      <FieldText id={id} errors={errors} hint={hint} />
    </div>
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

function FieldLabel({ id, label, end }: { id: string; label: string; end: ReactNode }) {
  return (
    <div className="row between">
      <label htmlFor={id}>{label}</label>
      {end}
    </div>
  );
}

function FieldText({ id, errors, hint }: { id: string; errors: readonly string[]; hint: ReactNode }) {
  return (
    <div id={`${id}-text`}>
      {errors.map((error) => (
        <p key={error} className="err">
          {error}
        </p>
      ))}
      {hint && errors.length === 0 ? <p className="hint">{hint}</p> : null}
    </div>
  );
}
