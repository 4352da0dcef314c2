import { zodResolver } from "@hookform/resolvers/zod";
import { t } from "@lingui/core/macro";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { FieldErrors } from "react-hook-form";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { Field } from "#/components/ui/forms/field.tsx";
import { listErrorMessages, useValidatedForm } from "#/components/ui/forms/use-validated-form.ts";
import { listFieldErrors } from "#/lib/field-errors.ts";
import type { ScopeOption } from "../scopes.ts";
import styles from "./key-form.module.css";
import { createKeySchema, MAX_KEY_NAME_LENGTH } from "./key-form-schema.ts";
import { type KeyFormValues, toFieldName } from "./key-form-values.ts";
import { KeyLimitFields } from "./key-limit-fields.tsx";

type Props<Body> = {
  initial: KeyFormValues;
  /** When the key expires so far. */
  expiresAt: Date | null;
  scopes: readonly ScopeOption[];
  /** Number of units of the plan; null for no limit. */
  units: number | null;
  /** The time at which the form was opened: periods such as 30 days begin then. */
  now: Date;
  /** Whether the limits are shown from the beginning. */
  showLimits: boolean;
  note?: ReactNode;
  submitLabel: string;
  toBody(values: KeyFormValues): Body;
  /** An error it throws is shown at the fields that the server names, or above the form. */
  save(body: Body): Promise<unknown>;
  cancel(): void;
  /** Tells whether anything was changed. */
  onDirtyChange(isDirty: boolean): void;
};

/** The form of an API key: its name, and behind a disclosure all that limits it. */
export function KeyForm<Body>(props: Props<Body>) {
  const { initial, expiresAt, now, submitLabel, toBody, save, cancel, onDirtyChange } = props;
  const resolver = useMemo(() => zodResolver(createKeySchema({ now, expiresAt })), [now, expiresAt]);
  const form = useValidatedForm<KeyFormValues>({ resolver, initial });
  const [areLimitsOpen, setLimitsOpen] = useState(props.showLimits);
  const [failure, setFailure] = useState<unknown>(null);
  const { errors, isDirty, isSubmitting } = form.formState;
  useEffect(() => onDirtyChange(isDirty), [isDirty, onDirtyChange]);

  async function submit(values: KeyFormValues): Promise<void> {
    setFailure(null);
    try {
      await save(toBody(values));
    } catch (error) {
      if (!showFieldErrors(error)) setFailure(error);
    }
  }

  /** Shows an error of the server at the fields that it names. Returns false when it names none. */
  function showFieldErrors(error: unknown): boolean {
    const fieldErrors = listFieldErrors(error, toFieldName);
    for (const { field, message } of fieldErrors) form.setError(field, { type: "server", message });
    if (fieldErrors.some(({ field }) => field !== "name")) setLimitsOpen(true);
    return fieldErrors.length > 0;
  }

  /** Opens the disclosure where an error is inside it. */
  function showInvalid(invalid: FieldErrors<KeyFormValues>): void {
    if (Object.keys(invalid).some((name) => name !== "name")) setLimitsOpen(true);
  }

  return (
    <form className={styles.form} onSubmit={form.handleSubmit(submit, showInvalid)} noValidate>
      <ErrorNotice error={failure} />
      {props.note ? <p className="notice quiet">{props.note}</p> : null}
      <Field
        label={t`Name`}
        maxLength={MAX_KEY_NAME_LENGTH}
        autoComplete="off"
        autoFocus
        errors={listErrorMessages(errors.name)}
        hint={t`To tell it from others, such as laptop or production.`}
        {...form.register("name", { autoFocus: true })}
      />
      <KeyLimitFields
        form={form}
        scopes={props.scopes}
        units={props.units}
        now={now}
        isOpen={areLimitsOpen}
        setOpen={setLimitsOpen}
      />
      <div className="actions">
        <button type="button" className="btn" onClick={cancel}>
          {t`Cancel`}
        </button>
        <button type="submit" className="btn primary" disabled={isSubmitting} aria-busy={isSubmitting}>
          {isSubmitting ? t`Working …` : submitLabel}
        </button>
      </div>
    </form>
  );
}
