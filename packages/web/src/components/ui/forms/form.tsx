import { t } from "@lingui/core/macro";
import { type InputHTMLAttributes, type ReactNode, useMemo, useState } from "react";
import {
  type Control,
  type DefaultValues,
  type FieldError,
  type FieldValues,
  type Path,
  useWatch,
} from "react-hook-form";
import { errorMessage } from "#/lib/error-message.ts";
import { createFieldLookup, listFieldErrors } from "#/lib/field-errors.ts";
import { useIsRetrying } from "#/lib/use-is-retrying.ts";
import type { SelectOption } from "../controls/select-props.ts";
import { CheckboxField } from "./checkbox-field.tsx";
import { Field } from "./field.tsx";
import { FormSelectField } from "./form-select-field.tsx";
import { createLazyResolver, type Schema } from "./lazy-resolver.ts";
import { TextareaField } from "./textarea-field.tsx";
import { listErrorMessages, useValidatedForm, type ValidatedForm } from "./use-validated-form.ts";

type Common<V> = { name: Path<V>; label: string; hint?: ReactNode; end?: ReactNode };
type Input = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  "type" | "autoComplete" | "inputMode" | "autoFocus" | "placeholder"
> & {
  kind?: "line";
};
type Kind =
  | Input
  | { kind: "choice"; options: readonly SelectOption[] }
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
  submit(values: V): Promise<unknown>;
  /** Whether the submit button takes the full width. */
  block?: boolean;
  /** Whether the submit button is a secondary one, if the page has a more important button. */
  secondary?: boolean;
  /** Adds a cancel button next to the submit button, for example in a dialog. */
  cancel?: () => void;
  /** Whether submitting deletes something. */
  destructive?: boolean;
  /**
   * What happens to the values after a success if the page stays; the button is then disabled until a value changes.
   */
  afterSubmit?: "keep" | "clear";
  /** Fields that seldom need another value, in a section that is closed unless one of them has an error. */
  more?: { label: string; fields: readonly FormField<V>[] };
  /** Renders something below the fields from the values as they are being entered. */
  renderSummary?: (values: V) => ReactNode;
};

/** A form validated by a zod schema. It shows every failing rule; see `useValidatedForm` for when. */
export function Form<V extends FieldValues>(props: Props<V>) {
  const { schema, initial, fields, submitLabel, submit, block = true, secondary = false, cancel, destructive } = props;
  const [formError, setFormError] = useState<string | null>(null);
  const validation = useMemo(() => createLazyResolver(schema), [schema]);
  const form = useValidatedForm<V>({ resolver: validation.resolver, initial });
  const { errors, isSubmitting, isDirty } = form.formState;
  const isRetrying = useIsRetrying(isSubmitting);
  const allFields = [...fields, ...(props.more?.fields ?? [])];
  const isUnchanged = props.afterSubmit !== undefined && !isDirty;

  async function handleValid(values: V): Promise<void> {
    setFormError(null);
    try {
      await submit(values);
      if (props.afterSubmit) form.reset(props.afterSubmit === "keep" ? values : undefined);
    } catch (error) {
      const fieldErrors = listFieldErrors(error, createFieldLookup(allFields.map(({ name }) => name)));
      for (const { field, message } of fieldErrors) form.setError(field, { type: "server", message });
      if (fieldErrors.length === 0) setFormError(errorMessage(error));
    }
  }

  const renderField = (field: FormField<V>) => (
    <FormFieldControl
      key={field.name}
      field={field}
      errors={listErrorMessages(errors[field.name] as FieldError | undefined)}
      form={form}
    />
  );
  const button = (
    <button
      type="submit"
      className={`btn${secondary ? "" : " primary"}${destructive ? " danger" : ""}${cancel ? "" : " mt-6"}${block && !cancel ? " full" : ""}`}
      disabled={isSubmitting || isUnchanged}
      aria-busy={isSubmitting}
      // A double click must not submit twice, even if the server has answered in between.
      onClick={(event) => event.detail > 1 && event.preventDefault()}
    >
      {isRetrying ? t`Trying again …` : isSubmitting ? t`Please wait …` : submitLabel}
    </button>
  );
  return (
    <form onSubmit={form.handleSubmit(handleValid)} onFocus={validation.preload} noValidate>
      {formError ? (
        <p className="notice mb-4" role="alert">
          {formError}
        </p>
      ) : null}
      {fields.map(renderField)}
      {props.renderSummary ? <FormSummary control={form.control} renderSummary={props.renderSummary} /> : null}
      {props.more ? (
        <details className="field" open={props.more.fields.some(({ name }) => errors[name]) || undefined}>
          <summary className="small muted">{props.more.label}</summary>
          <div className="mt-4">{props.more.fields.map(renderField)}</div>
        </details>
      ) : null}
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

type FormFieldControlProps<V extends FieldValues> = {
  field: FormField<V>;
  errors: string[];
  form: ValidatedForm<V>;
};

function FormFieldControl<V extends FieldValues>({ field, errors, form }: FormFieldControlProps<V>) {
  const { name, ...rest } = field;
  if (rest.kind === "choice") {
    const { kind: _, ...choice } = rest;
    return <FormSelectField errors={errors} {...choice} form={form} name={name} />;
  }
  const registered = form.register(name, { autoFocus: "autoFocus" in rest ? rest.autoFocus : false });
  if (rest.kind === "text") {
    const { kind: _, ...text } = rest;
    return <TextareaField errors={errors} {...text} {...registered} />;
  }
  if (rest.kind === "check") {
    const { kind: _, ...check } = rest;
    return <CheckboxField errors={errors} {...check} {...registered} />;
  }
  const { kind: _, ...line } = rest;
  return <Field errors={errors} {...line} {...registered} />;
}

type FormSummaryProps<V extends FieldValues> = {
  control: Control<V, unknown, V>;
  renderSummary(values: V): ReactNode;
};

function FormSummary<V extends FieldValues>({ control, renderSummary }: FormSummaryProps<V>) {
  return renderSummary(useWatch({ control }) as V);
}
