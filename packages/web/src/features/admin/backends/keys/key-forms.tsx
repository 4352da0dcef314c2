import type { BackendKey } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { Form } from "#/components/ui/forms/form.tsx";
import { requiredInteger, requiredText } from "../../forms/field-schemas.ts";

const MAX_LABEL = 64;
const weight = requiredInteger(t`Weight`, { min: 1, max: 1000 });

const newKeySchema = z.object({
  key: requiredText(t`Key`, { max: 4000 }),
  label: z.string().max(MAX_LABEL, { error: t`Label may have at most 64 characters.` }),
  weight,
});
const changedKeySchema = z.object({ label: requiredText(t`Label`, { max: MAX_LABEL }), weight });

/** The values of the form that adds a key. */
export type NewKeyValues = z.infer<typeof newKeySchema>;
/** The values of the form that changes a key. */
export type ChangedKeyValues = z.infer<typeof changedKeySchema>;

const weightField = {
  name: "weight",
  label: t`Weight`,
  inputMode: "numeric",
  hint: t`Its share of the calls beside the others.`,
} as const;

/** The form that adds a key. */
export function NewKeyForm({ submit }: { submit(values: NewKeyValues): Promise<unknown> }) {
  return (
    <Form
      schema={newKeySchema}
      initial={{ key: "", label: "", weight: "1" }}
      fields={[
        { name: "key", label: t`Key`, type: "password", autoComplete: "off" },
        { name: "label", label: t`Label`, autoComplete: "off", hint: t`What you call it; a number if this is empty.` },
        weightField,
      ]}
      submitLabel={t`Add the key`}
      submit={submit}
    />
  );
}

type ChangeProps = { of: BackendKey; submit(values: ChangedKeyValues): Promise<unknown>; cancel(): void };

/** The form that changes the label and the weight of a key. */
export function ChangeKeyForm({ of: { label, weight: current }, submit, cancel }: ChangeProps) {
  return (
    <Form
      schema={changedKeySchema}
      initial={{ label, weight: String(current) }}
      fields={[{ name: "label", label: t`Label`, autoComplete: "off", autoFocus: true }, weightField]}
      submitLabel={t`Save`}
      submit={submit}
      cancel={cancel}
    />
  );
}
