import { type InputHTMLAttributes, useId } from "react";
import type { CommonFieldProps } from "./field-box.tsx";
import { FieldText } from "./field-text.tsx";

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, "id"> & CommonFieldProps;

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
