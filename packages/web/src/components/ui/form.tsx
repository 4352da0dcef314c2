import { isApiError } from "@feather/sdk";
import { zodResolver } from "@hookform/resolvers/zod";
import { type InputHTMLAttributes, type ReactNode, useState } from "react";
import { type DefaultValues, type FieldValues, type Path, useForm } from "react-hook-form";
import type { ZodType } from "zod";
import { Field } from "./field.tsx";

type Input<V> = Pick<InputHTMLAttributes<HTMLInputElement>, "type" | "autoComplete" | "inputMode" | "autoFocus"> & {
  name: Path<V>;
  label: string;
  hint?: ReactNode;
  end?: ReactNode;
};

type Props<V extends FieldValues> = {
  schema: ZodType<V, V>;
  initial: DefaultValues<V>;
  fields: readonly Input<V>[];
  submitLabel: string;
  /** What is done with good values. What it throws is shown: at the fields that the server names, or above the form. */
  submit(values: V): Promise<void>;
  /** Whether the button is as wide as the form. */
  block?: boolean;
  /** Whether the button stands back, where the page has a more important one. */
  quiet?: boolean;
};

/** A form whose rules come from a schema. Every failing rule is shown, on leaving a field and on changing it. */
export function Form<V extends FieldValues>({
  schema,
  initial,
  fields,
  submitLabel,
  submit,
  block = true,
  quiet = false,
}: Props<V>) {
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm<V, unknown, V>({
    resolver: zodResolver(schema),
    mode: "onBlur",
    reValidateMode: "onChange",
    criteriaMode: "all",
    defaultValues: initial,
  });
  const { errors, isSubmitting } = form.formState;

  async function send(values: V): Promise<void> {
    setFault(null);
    try {
      await submit(values);
    } catch (error) {
      if (!isApiError(error)) return setFault("The server cannot be reached. Check the connection and try again.");
      const known = error.fields.filter((item) => fields.some((field) => field.name === item.field));
      for (const { field, message } of known) form.setError(field as Path<V>, { message });
      if (known.length === 0) setFault(error.message);
    }
  }

  return (
    <form onSubmit={form.handleSubmit(send)} noValidate>
      {fault ? (
        <p className="notice mb-4" role="alert">
          {fault}
        </p>
      ) : null}
      {fields.map(({ name, ...input }) => {
        const message = errors[name]?.message;
        return (
          <Field key={name} errors={typeof message === "string" ? [message] : []} {...input} {...form.register(name)} />
        );
      })}
      <button
        type="submit"
        className={`btn mt-6${quiet ? "" : " primary"}${block ? " block" : ""}`}
        disabled={isSubmitting}
        aria-busy={isSubmitting}
      >
        {isSubmitting ? "One moment …" : submitLabel}
      </button>
    </form>
  );
}
