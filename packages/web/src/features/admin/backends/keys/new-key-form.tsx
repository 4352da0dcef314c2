import { t } from "@lingui/core/macro";
import { z } from "zod";
import { Form } from "#/components/ui/forms/form.tsx";
import { requiredText } from "../../forms/field-schemas.ts";
import { keyWeight, MAX_LABEL, WEIGHT_FIELD } from "./key-fields.ts";

const newKeySchema = z.object({
  key: requiredText(t`Key`, { max: 4000 }),
  label: z.string().max(MAX_LABEL, { error: t`Label may have at most 64 characters.` }),
  weight: keyWeight,
});
/** The values of the form that adds a key. */
export type NewKeyValues = z.infer<typeof newKeySchema>;

/** The form that adds a key. */
export function NewKeyForm({ submit }: { submit(values: NewKeyValues): Promise<unknown> }) {
  return (
    <Form
      schema={newKeySchema}
      initial={{ key: "", label: "", weight: "1" }}
      fields={[
        { name: "key", label: t`Key`, type: "password", autoComplete: "off" },
        { name: "label", label: t`Label`, autoComplete: "off", hint: t`What you call it; a number if this is empty.` },
        WEIGHT_FIELD,
      ]}
      submitLabel={t`Add the key`}
      submit={submit}
    />
  );
}
