import type { AdminModelCreate } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useNavigate } from "react-router-dom";
import { z } from "zod";
import { Form, type FormField } from "#/components/ui/forms/form.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "../admin.module.css";
import { adminPaths } from "../paths.ts";
import {
  EMPTY_MODEL_FORM,
  MODEL_FORM_FIELDS,
  MODEL_ID_PATTERN,
  modelFormSchema,
  toModelUpdate,
} from "./model-fields.ts";

const customModelSchema = modelFormSchema.extend({
  id: z
    .string()
    .regex(MODEL_ID_PATTERN, { error: t`Id is not valid: owner/name of letters, digits, dots, _ and -.` })
    .max(200, { error: t`Id may have at most 200 characters.` }),
  model_class: z
    .string()
    .refine((value) => value.trim() !== "", { error: t`Class is not valid.` })
    .max(100, { error: t`Class may have at most 100 characters.` }),
});
type CustomModelValues = z.infer<typeof customModelSchema>;

const FIELDS: readonly FormField<CustomModelValues>[] = [
  { name: "id", label: t`Id`, hint: "owner/name" },
  ...(MODEL_FORM_FIELDS as readonly FormField<CustomModelValues>[]),
];

/** Adds a model that is not on the hub. */
export function CustomModelForm() {
  const navigate = useNavigate();
  const create = useAction((body: AdminModelCreate) => feather.admin.models.create(body), {
    success: ({ id }) => t`${id} is in the catalogue`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  return (
    <div className={styles.form}>
      <Form
        schema={customModelSchema}
        initial={{ ...EMPTY_MODEL_FORM, id: "" }}
        fields={FIELDS}
        submitLabel={t`Create the model`}
        block={false}
        submit={async ({ id, ...values }) => {
          const model = await create.submit({ id, ...toModelUpdate(EMPTY_MODEL_FORM, values) });
          navigate(adminPaths.model(model.id));
        }}
      />
    </div>
  );
}
