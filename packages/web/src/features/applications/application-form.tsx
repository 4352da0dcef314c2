import { isApiError } from "@feather/sdk";
import { zodResolver } from "@hookform/resolvers/zod";
import { t } from "@lingui/core/macro";
import { type ReactNode, type TextareaHTMLAttributes, useId, useState } from "react";
import { FaultNotice } from "#/components/ui/fault-notice.tsx";
import { Field } from "#/components/ui/field.tsx";
import { errorMessages, useValidatedForm } from "#/components/ui/use-validated-form.ts";
import { useAttempt } from "#/lib/use-attempt.ts";
import { type ApplicationValues, applicationShape, fieldOf } from "./rules.ts";
import { CLIENT_TYPES, SCOPES } from "./words.ts";

type Props = {
  initial: ApplicationValues;
  /** Whether the application is being created: its type cannot be changed later. */
  isNew: boolean;
  submitLabel: string;
  save(values: ApplicationValues, options: { idempotencyKey: string }): Promise<void>;
  end?: ReactNode;
};

/** The form of an application. Errors of the server appear at their fields, and the input is kept. */
export function ApplicationForm({ initial, isNew, submitLabel, save, end }: Props) {
  const form = useValidatedForm<ApplicationValues>({ resolver: zodResolver(applicationShape), initial });
  const { errors } = form.formState;
  const [placed, setPlaced] = useState(false);
  const attempt = useAttempt(
    async (values: ApplicationValues, options) => {
      try {
        await save(values, options);
      } catch (error) {
        setPlaced(isApiError(error) && place(error));
        throw error;
      }
    },
    { once: isNew },
  );

  /** Shows a server error at the fields it names. Returns false when it names none. */
  function place(error: {
    message: string;
    param: string | null;
    fields: { field: string; message: string }[];
  }): boolean {
    const faults = error.fields.length > 0 ? error.fields : [{ field: error.param ?? "", message: error.message }];
    const known = faults.flatMap(({ field, message }) => {
      const name = fieldOf(field);
      return name === null ? [] : [{ name, message }];
    });
    for (const { name, message } of known) form.setError(name, { message });
    return known.length > 0;
  }

  const textsOf = (name: keyof ApplicationValues): string[] => errorMessages(errors[name]);

  return (
    <form
      className="application-form"
      onSubmit={form.handleSubmit((values) => attempt.run(values).then(() => {}))}
      noValidate
    >
      <FaultNotice error={placed ? null : attempt.error} />
      <Field
        label={t`Name`}
        errors={textsOf("name")}
        hint={t`People see it when they are asked to allow it.`}
        {...form.register("name")}
      />
      <Area label={t`Description`} rows={2} errors={textsOf("description")} {...form.register("description")} />
      <Field
        label={t`Homepage`}
        type="url"
        inputMode="url"
        errors={textsOf("homepage_url")}
        placeholder="https://"
        {...form.register("homepage_url")}
      />
      <Field
        label={t`Logo`}
        type="url"
        inputMode="url"
        errors={textsOf("logo_url")}
        placeholder="https://"
        {...form.register("logo_url")}
      />
      <Area
        label={t`Redirect addresses`}
        rows={3}
        spellCheck={false}
        errors={textsOf("redirect_uris")}
        hint={t`One a line, ten at most. People come back to one of them, exactly as written; on localhost any port will do.`}
        {...form.register("redirect_uris")}
      />
      {isNew ? (
        <fieldset className="field choices-list">
          <legend className="name">{t`Type`}</legend>
          {Object.entries(CLIENT_TYPES).map(([value, { name, hint }]) => (
            <label key={value}>
              <input type="radio" value={value} {...form.register("client_type")} />
              <span>
                <strong>{name}</strong> <span className="mid small hint-line">{hint}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ) : null}
      <fieldset className="field choices-list">
        <legend className="name">{t`Asks for`}</legend>
        {SCOPES.map(({ id, name, hint }) => (
          <label key={id}>
            <input type="checkbox" value={id} {...form.register("scopes")} />
            <span>
              <strong>{name}</strong> <code className="mono tiny dim">{id}</code>{" "}
              <span className="mid small hint-line">{hint}</span>
            </span>
          </label>
        ))}
        {textsOf("scopes").map((text) => (
          <p key={text} className="err">
            {text}
          </p>
        ))}
      </fieldset>
      <fieldset className="field choices-list">
        <legend className="name">{t`Devices`}</legend>
        <label>
          <input type="checkbox" {...form.register("device_flow")} />
          <span>
            <strong>{t`Sign-in on devices`}</strong>{" "}
            <span className="mid small hint-line">{t`For terminals and devices without a browser: they show a code that people enter here.`}</span>
          </span>
        </label>
      </fieldset>
      <div className="row mt-6">
        <button
          type="submit"
          className={`btn${isNew ? " primary" : ""}`}
          disabled={attempt.busy}
          aria-busy={attempt.busy}
        >
          {attempt.busy ? t`One moment …` : submitLabel}
        </button>
        {end}
      </div>
    </form>
  );
}

type AreaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id"> & {
  label: string;
  hint?: string;
  errors: readonly string[];
};

/** A labelled text area. */
function Area({ label, hint, errors, ...area }: AreaProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea id={id} className="input" aria-invalid={errors.length > 0} aria-describedby={`${id}-text`} {...area} />
      <div id={`${id}-text`}>
        {errors.map((error) => (
          <p key={error} className="err">
            {error}
          </p>
        ))}
        {hint && errors.length === 0 ? <p className="hint">{hint}</p> : null}
      </div>
    </div>
  );
}
