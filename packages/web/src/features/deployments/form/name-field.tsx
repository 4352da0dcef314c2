import { t } from "@lingui/core/macro";
import { Field } from "#/components/ui/forms/field.tsx";
import type { DraftForm } from "./draft-form.ts";
import { registerDraftField } from "./register-draft-field.ts";

type Props = { form: DraftForm };

/** The name of the deployment. */
export function NameField({ form }: Props) {
  return (
    <Field
      label={t`Name`}
      autoComplete="off"
      spellCheck={false}
      hint={t`Small letters, digits and hyphens. It cannot be changed later.`}
      {...registerDraftField(form, "name")}
    />
  );
}
