import type { BackendKey } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { Form } from "#/components/ui/forms/form.tsx";
import { requiredText } from "../../forms/field-schemas.ts";
import { keyWeight, MAX_LABEL, WEIGHT_FIELD } from "./key-fields.ts";

const changedKeySchema = z.object({ label: requiredText(t`Label`, { max: MAX_LABEL }), weight: keyWeight });
/** The values of the form that changes a key. */
export type ChangedKeyValues = z.infer<typeof changedKeySchema>;

type Props = { of: BackendKey; submit(values: ChangedKeyValues): Promise<unknown>; cancel(): void };

/** The form that changes the label and the weight of a key. */
export function ChangeKeyForm({ of: { label, weight }, submit, cancel }: Props) {
  return (
    <Form
      schema={changedKeySchema}
      initial={{ label, weight: String(weight) }}
      fields={[{ name: "label", label: t`Label`, autoComplete: "off", autoFocus: true }, WEIGHT_FIELD]}
      submitLabel={t`Save`}
      submit={submit}
      cancel={cancel}
    />
  );
}
