import { type TextareaHTMLAttributes, useId } from "react";
import { type CommonFieldProps, FieldBox } from "./field-box.tsx";
import { FieldText } from "./field-text.tsx";

type TextareaFieldProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id"> & CommonFieldProps;

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
