import { t } from "@lingui/core/macro";
import { Field } from "#/components/ui/forms/field.tsx";
import type { DraftForm } from "./draft-form.ts";
import { registerDraftField } from "./register-draft-field.ts";

type Props = { form: DraftForm };

/** The revision of the model. */
export function RevisionField({ form }: Props) {
  return (
    <Field
      label={t`Revision (optional)`}
      autoComplete="off"
      spellCheck={false}
      hint={t`A branch, tag or commit. Left empty, it runs what is here.`}
      {...registerDraftField(form, "revision")}
    />
  );
}
