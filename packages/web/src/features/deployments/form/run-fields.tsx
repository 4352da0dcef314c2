import { t } from "@lingui/core/macro";
import { FormSelectField } from "#/components/ui/forms/form-select-field.tsx";
import { TextareaField } from "#/components/ui/forms/textarea-field.tsx";
import { type DraftForm, errorsOfField } from "./draft-form.ts";
import { registerDraftField } from "./register-draft-field.ts";

type Props = { form: DraftForm };

/** Fields of visibility and engine arguments. */
export function RunFields({ form }: Props) {
  return (
    <>
      <FormSelectField
        label={t`Who may call it`}
        options={[
          { value: "private", label: t`Its token, and keys of the organization` },
          { value: "public", label: t`Everybody who knows its address` },
        ]}
        form={form}
        name="visibility"
        errors={errorsOfField(form, "visibility")}
      />
      <TextareaField
        label={t`Engine arguments (optional)`}
        rows={3}
        spellCheck={false}
        className="input mono"
        placeholder="context=4096"
        hint={
          form.getValues("provider_id") === "local"
            ? t`One a line, name=value. This machine knows context, sequences and threads.`
            : t`One a line, name=value, as what runs the model there knows them.`
        }
        {...registerDraftField(form, "engine_args")}
      />
    </>
  );
}
