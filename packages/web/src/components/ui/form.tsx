import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type InputHTMLAttributes, type ReactNode, useMemo, useState } from "react";
import {
  type Control,
  type DefaultValues,
  type FieldError,
  type FieldValues,
  type Path,
  type UseFormRegisterReturn,
  useWatch,
} from "react-hook-form";
import { wordsOf } from "#/lib/fault.ts";
import { CheckField, ChoiceField, Field, type Option, TextField } from "./field.tsx";
import { lazyResolver, type Schema } from "./lazy-resolver.ts";
import { errorMessages, useValidatedForm } from "./use-validated-form.ts";

type Common<V> = { name: Path<V>; label: string; hint?: ReactNode; end?: ReactNode };
type Input = Pick<InputHTMLAttributes<HTMLInputElement>, "type" | "autoComplete" | "inputMode" | "autoFocus"> & {
  kind?: "line";
};
type Kind =
  | Input
  | { kind: "choice"; options: readonly Option[] }
  | { kind: "text"; rows?: number }
  | { kind: "check" };
export type FormField<V> = Common<V> & Kind;

type Props<V extends FieldValues> = {
  /** The rules, or how to get them: of a public page they come when somebody enters the form. */
  schema: Schema<V>;
  initial: DefaultValues<V>;
  fields: readonly FormField<V>[];
  submitLabel: string;
  /** What is done with good values. What it throws is shown: at the fields that the server names, or above the form. */
  submit(values: V): Promise<void>;
  /** Whether the button is as wide as the form. */
  block?: boolean;
  /** Whether the button stands back, where the page has a more important one. */
  quiet?: boolean;
  /** The way out, beside the button: of a dialog, for example. */
  cancel?: () => void;
  /** Whether what is done takes something away. */
  destructive?: boolean;
  /** What becomes of the values once it is done, on a page that stays: then there is something to do only after a change. */
  afterwards?: "keep" | "clear";
  /** Something about the values as they are being entered, below the fields. */
  about?: (values: V) => ReactNode;
};

/** A form whose rules come from a schema. Every failing rule is shown; `useValidatedForm` says when. */
export function Form<V extends FieldValues>(props: Props<V>) {
  const { schema, initial, fields, submitLabel, submit, block = true, quiet = false, cancel, destructive } = props;
  const [fault, setFault] = useState<string | null>(null);
  const rules = useMemo(() => lazyResolver(schema), [schema]);
  const form = useValidatedForm<V>({ resolver: rules.resolver, initial });
  const { errors, isSubmitting, isDirty } = form.formState;
  const nothingToDo = props.afterwards !== undefined && !isDirty;

  async function send(values: V): Promise<void> {
    setFault(null);
    try {
      await submit(values);
      if (props.afterwards) form.reset(props.afterwards === "keep" ? values : undefined);
    } catch (error) {
      if (!isApiError(error)) return setFault(t`The server cannot be reached. Check the connection and try again.`);
      const { param, message } = error;
      const named = error.fields.length === 0 && param !== null ? [{ field: param, message }] : error.fields;
      const known = named.filter((item) => fields.some((field) => field.name === item.field));
      for (const item of known) form.setError(item.field as Path<V>, { message: item.message });
      if (known.length === 0) setFault(wordsOf(error));
    }
  }

  const button = (
    <button
      type="submit"
      className={`btn${quiet ? "" : " primary"}${destructive ? " danger" : ""}${cancel ? "" : " mt-6"}${block && !cancel ? " full" : ""}`}
      disabled={isSubmitting || nothingToDo}
      aria-busy={isSubmitting}
      // The second press of a double click is no wish of its own, however fast the server was.
      onClick={(event) => event.detail > 1 && event.preventDefault()}
    >
      {isSubmitting ? t`One moment …` : submitLabel}
    </button>
  );
  return (
    <form onSubmit={form.handleSubmit(send)} onFocus={rules.prepare} noValidate>
      {fault ? (
        <p className="notice mb-4" role="alert">
          {fault}
        </p>
      ) : null}
      {fields.map((field) => (
        <FormPart
          key={field.name}
          field={field}
          errors={errorMessages(errors[field.name] as FieldError | undefined)}
          registered={form.register(field.name)}
        />
      ))}
      {props.about ? <About control={form.control} about={props.about} /> : null}
      {cancel ? (
        <div className="actions">
          <button type="button" className="btn" onClick={cancel}>
            {t`Cancel`}
          </button>
          {button}
        </div>
      ) : (
        button
      )}
    </form>
  );
}

type PartProps<V> = { field: FormField<V>; errors: string[]; registered: UseFormRegisterReturn };

function FormPart<V>({ field, errors, registered }: PartProps<V>) {
  const { name: _, ...rest } = field;
  if (rest.kind === "choice") {
    const { kind: __, ...choice } = rest;
    return <ChoiceField errors={errors} {...choice} {...registered} />;
  }
  if (rest.kind === "text") {
    const { kind: __, ...text } = rest;
    return <TextField errors={errors} {...text} {...registered} />;
  }
  if (rest.kind === "check") {
    const { kind: __, ...check } = rest;
    return <CheckField errors={errors} {...check} {...registered} />;
  }
  const { kind: __, ...line } = rest;
  return <Field errors={errors} {...line} {...registered} />;
}

type AboutProps<V extends FieldValues> = {
  control: Control<V, unknown, V>;
  about(values: V): ReactNode;
};

function About<V extends FieldValues>({ control, about }: AboutProps<V>) {
  return about(useWatch({ control }) as V);
}
