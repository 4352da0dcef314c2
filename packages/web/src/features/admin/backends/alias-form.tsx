import { t } from "@lingui/core/macro";
import { z } from "zod";
import { Form } from "#/components/ui/forms/form.tsx";
import { InlineForm } from "#/components/ui/forms/inline-form.tsx";
import { isModelId } from "./aliases.ts";

const aliasSchema = z.object({
  as: z.string().refine((value) => isModelId(value.trim()), { error: t`The id is not valid: owner/name.` }),
});

/** Asks for the id of a model that cannot be called without an alias. */
export function AliasForm({ name, save }: { name: string; save(as: string): Promise<unknown> }) {
  return (
    <InlineForm>
      <Form
        schema={aliasSchema}
        initial={{ as: "" }}
        fields={[{ name: "as", label: t`Id of ${name}`, placeholder: "owner/name", autoComplete: "off" }]}
        submitLabel={t`Save the id`}
        secondary
        block={false}
        submit={({ as }) => save(as.trim())}
      />
    </InlineForm>
  );
}
