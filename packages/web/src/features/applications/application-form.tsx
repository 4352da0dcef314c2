import { zodResolver } from "@hookform/resolvers/zod";
import { t } from "@lingui/core/macro";
import { type ReactNode, type TextareaHTMLAttributes, useId, useState } from "react";
import { ChoiceList } from "#/components/ui/controls/choice-list.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { Field } from "#/components/ui/forms/field.tsx";
import { listErrorMessages, useValidatedForm } from "#/components/ui/forms/use-validated-form.ts";
import { listFieldErrors } from "#/lib/field-errors.ts";
import styles from "./application-form.module.css";
import { type ApplicationValues, applicationSchema, toFieldName } from "./application-schema.ts";
import { CLIENT_TYPES, SCOPES } from "./labels.ts";

type Props = {
  initial: ApplicationValues;
  /** Whether the application is being created: its type cannot be changed later. */
  isNew: boolean;
  submitLabel: string;
  save(values: ApplicationValues): Promise<unknown>;
  end?: ReactNode;
};

/** The form of an application. Errors of the server appear at their fields, and the input is kept. */
export function ApplicationForm({ initial, isNew, submitLabel, save, end }: Props) {
  const form = useValidatedForm<ApplicationValues>({ resolver: zodResolver(applicationSchema), initial });
  const { errors, isSubmitting } = form.formState;
  const [failure, setFailure] = useState<unknown>(null);
  const [isSaved, setSaved] = useState(false);
  // A new application is sent once: the page is left afterwards.
  const isBusy = isSubmitting || (isNew && isSaved);
  async function submit(values: ApplicationValues): Promise<void> {
    setFailure(null);
    try {
      await save(values);
      setSaved(true);
    } catch (error) {
      const fieldErrors = listFieldErrors(error, toFieldName);
      for (const { field, message } of fieldErrors) form.setError(field, { type: "server", message });
      if (fieldErrors.length === 0) setFailure(error);
    }
  }

  const messagesOf = (name: keyof ApplicationValues): string[] => listErrorMessages(errors[name]);

  return (
    <form className={styles.applicationForm} onSubmit={form.handleSubmit(submit)} noValidate>
      <ErrorNotice error={failure} />
      <Field
        label={t`Name`}
        errors={messagesOf("name")}
        hint={t`People see it when they are asked to allow it.`}
        {...form.register("name")}
      />
      <TextArea label={t`Description`} rows={2} errors={messagesOf("description")} {...form.register("description")} />
      <Field
        label={t`Homepage`}
        type="url"
        inputMode="url"
        errors={messagesOf("homepage_url")}
        placeholder="https://"
        {...form.register("homepage_url")}
      />
      <Field
        label={t`Logo`}
        type="url"
        inputMode="url"
        errors={messagesOf("logo_url")}
        placeholder="https://"
        {...form.register("logo_url")}
      />
      <TextArea
        label={t`Redirect addresses`}
        rows={3}
        spellCheck={false}
        errors={messagesOf("redirect_uris")}
        hint={t`One a line, ten at most. People come back to one of them, exactly as written; on localhost any port will do.`}
        {...form.register("redirect_uris")}
      />
      {isNew ? (
        <ChoiceList legend={t`Type`}>
          {Object.entries(CLIENT_TYPES).map(([value, { name, hint }]) => (
            <label key={value}>
              <input type="radio" value={value} {...form.register("client_type")} />
              <span>
                <strong>{name}</strong> <span className="muted small">{hint}</span>
              </span>
            </label>
          ))}
        </ChoiceList>
      ) : null}
      <ChoiceList legend={t`Asks for`}>
        {SCOPES.map(({ id, name, hint }) => (
          <label key={id}>
            <input type="checkbox" value={id} {...form.register("scopes")} />
            <span>
              <strong>{name}</strong> <code className="mono tiny faint">{id}</code>{" "}
              <span className="muted small">{hint}</span>
            </span>
          </label>
        ))}
        {messagesOf("scopes").map((text) => (
          <p key={text} className="error-text">
            {text}
          </p>
        ))}
      </ChoiceList>
      <ChoiceList legend={t`Devices`}>
        <label>
          <input type="checkbox" {...form.register("device_flow")} />
          <span>
            <strong>{t`Sign-in on devices`}</strong>{" "}
            <span className="muted small">{t`For terminals and devices without a browser: they show a code that people enter here.`}</span>
          </span>
        </label>
      </ChoiceList>
      <div className="row mt-6">
        <button type="submit" className={`btn${isNew ? " primary" : ""}`} disabled={isBusy} aria-busy={isBusy}>
          {isBusy ? t`Please wait …` : submitLabel}
        </button>
        {end}
      </div>
    </form>
  );
}

type TextAreaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id"> & {
  label: string;
  hint?: string;
  errors: readonly string[];
};

/** A labelled text area. */
function TextArea({ label, hint, errors, ...area }: TextAreaProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea id={id} className="input" aria-invalid={errors.length > 0} aria-describedby={`${id}-text`} {...area} />
      <div id={`${id}-text`}>
        {errors.map((error) => (
          <p key={error} className="error-text">
            {error}
          </p>
        ))}
        {hint && errors.length === 0 ? <p className="hint">{hint}</p> : null}
      </div>
    </div>
  );
}
