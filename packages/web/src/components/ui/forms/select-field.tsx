import { useId } from "react";
import { Select } from "../controls/select.tsx";
import type { SelectProps } from "../controls/select-props.ts";
import { type CommonFieldProps, FieldBox } from "./field-box.tsx";
import { FieldText } from "./field-text.tsx";

type SelectFieldProps = Omit<SelectProps, "id" | "look" | "className" | "aria-invalid" | "aria-describedby"> &
  CommonFieldProps;

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
