import { t } from "@lingui/core/macro";
import { useNavigate } from "react-router-dom";
import { z } from "zod";
import { Form, type FormField } from "#/components/ui/form.tsx";
import { feather } from "#/lib/feather.ts";
import { adminPaths } from "../paths.ts";
import { useSaved } from "../use-act.ts";
import { changesOf, FACT_FIELDS, factRules, MODEL_ID, NO_FACTS } from "./model-fields.ts";

const rules = factRules.extend({
  id: z
    .string()
    .regex(MODEL_ID, { error: t`Id is not valid: owner/name of letters, digits, dots, _ and -.` })
    .max(200, { error: t`Id may have at most 200 characters.` }),
  model_class: z
    .string()
    .refine((value) => value.trim() !== "", { error: t`Class is not valid.` })
    .max(100, { error: t`Class may have at most 100 characters.` }),
});
type Values = z.infer<typeof rules>;

const FIELDS: readonly FormField<Values>[] = [
  { name: "id", label: t`Id`, hint: "owner/name" },
  ...(FACT_FIELDS as readonly FormField<Values>[]),
];

/** Adds a model that is not on the hub. */
export function OwnModelForm() {
  const navigate = useNavigate();
  const saved = useSaved();
  return (
    <div className="admin-form">
      <Form
        schema={rules}
        initial={{ ...NO_FACTS, id: "" }}
        fields={FIELDS}
        submitLabel={t`Create the model`}
        block={false}
        submit={async ({ id, ...facts }) => {
          const model = await feather.admin.models.create({ id, ...changesOf(NO_FACTS, facts) });
          await saved(t`${model.id} is in the catalogue`);
          navigate(adminPaths.model(model.id));
        }}
      />
    </div>
  );
}
