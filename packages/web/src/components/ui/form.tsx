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
/** A field of `Form`; `kind` chooses the control, a single-line input by default. */
export type FormField<V> = Common<V> & Kind;

type Props<V extends FieldValues> = {
  /** The schema, or a function that loads it: on public pages it is loaded when the form gets the focus. */
  schema: Schema<V>;
  initial: DefaultValues<V>;
  fields: readonly FormField<V>[];
  submitLabel: string;
  /** Receives the valid values. An error it throws is shown at the fields the server names, or above the form. */
  submit(values: V): Promise<void>;
  /** Whether the submit button takes the full width. */
  block?: boolean;
  /** Whether the submit button is a secondary one, if the page has a more important button. */
  quiet?: boolean;
  /** Adds a cancel button beside the submit button, for example in a dialog. */
  cancel?: () => void;
  /** Whether submitting deletes something. */
  destructive?: boolean;
  /**
   * What happens to the values after a success if the page stays; the button is then disabled until a value changes.
   */
  afterwards?: "keep" | "clear";
  /** Renders something below the fields from the values as they are being entered. */
  about?: (values: V) => ReactNode;
};

/** A form validated by a zod schema. It shows every failing rule; see `useValidatedForm` for when. */
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
      // A double click must not submit twice, even if the server has answered in between.
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
