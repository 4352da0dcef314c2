import { t } from "@lingui/core/macro";

/**
 * Returns in words whether answers of a model can be held to a JSON schema: `yes` if the program that runs the model
 * enforces schemas, else `unknown`, also where nothing runs the model.
 */
export function formatSchemaSupport({ json_mode }: { json_mode: boolean }): string {
  return json_mode ? t`yes` : t`unknown`;
}
