import { t } from "@lingui/core/macro";
import { Field } from "#/components/ui/forms/field.tsx";
import type { DraftForm } from "./draft-form.ts";
import { registerDraftField } from "./register-draft-field.ts";

type Props = { form: DraftForm };

/** The id of the model. */
export function ModelField({ form }: Props) {
  return (
    <Field
      label={t`Model`}
      autoComplete="off"
      spellCheck={false}
      placeholder="owner/name"
      {...registerDraftField(form, "model_id")}
    />
  );
}
