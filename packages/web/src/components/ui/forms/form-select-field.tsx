import type { ComponentProps } from "react";
import { Controller, type FieldValues, type Path } from "react-hook-form";
import { SelectField } from "./select-field.tsx";
import type { ValidatedForm } from "./use-validated-form.ts";

type Props<V extends FieldValues> = Omit<ComponentProps<typeof SelectField>, "value" | "onChange" | "name"> & {
  form: ValidatedForm<V>;
  name: Path<V>;
};

/** A select that is a field of a form. It is validated at every change. */
export function FormSelectField<V extends FieldValues>({ form, name, ...select }: Props<V>) {
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { value, ref, onBlur, onChange } }) => (
        <SelectField
          {...{ name, value, ref, onBlur }}
          {...select}
          onChange={(next) => {
            onChange(next);
            void form.trigger(name);
          }}
        />
      )}
    />
  );
}
