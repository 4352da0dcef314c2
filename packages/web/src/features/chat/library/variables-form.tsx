import { fillPrompt, promptVariables } from "@feather/sdk/prompts";
import { t } from "@lingui/core/macro";
import { useMemo } from "react";
import { z } from "zod";
import { Form } from "#/components/ui/forms/form.tsx";

/** The most characters of a value. */
const MAX_VALUE_LENGTH = 100_000;
const VALUE = z.string().max(MAX_VALUE_LENGTH, { error: t`A value is too long: attach long texts as files.` });

type Props = {
  /** The text of the prompt, with variables. */
  text: string;
  /** Receives the text with the values in place of the variables. */
  submit(text: string): void;
  cancel(): void;
};

/** Asks for the values of a prompt's variables. A value may be empty. */
export function VariablesForm({ text, submit, cancel }: Props) {
  // Names of fields are numbered, since names of variables can be those of properties of objects.
  const fields = useMemo(() => promptVariables(text).map((label, index) => ({ name: `value${index}`, label })), [text]);
  const schema = useMemo(() => z.object(Object.fromEntries(fields.map(({ name }) => [name, VALUE]))), [fields]);
  return (
    <div className="mt-4">
      <p className="small muted mb-4 user-text">{text}</p>
      <Form<Record<string, string>>
        schema={schema}
        initial={Object.fromEntries(fields.map(({ name }) => [name, ""]))}
        fields={fields.map((field) => ({ ...field, kind: "text" as const, rows: 2 }))}
        submitLabel={t`Put into the message`}
        cancel={cancel}
        submit={async (values) =>
          submit(fillPrompt(text, Object.fromEntries(fields.map(({ name, label }) => [label, values[name] ?? ""]))))
        }
      />
    </div>
  );
}
