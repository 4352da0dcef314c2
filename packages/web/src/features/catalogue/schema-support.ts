import { t } from "@lingui/core/macro";

/**
 * Returns whether answers of a model are held to a JSON schema, in words. It is known of the programs that can; of others,
 * and where nothing runs the model, it is not known.
 */
export function formatSchemaSupport({ json_mode }: { json_mode: boolean }): string {
  return json_mode ? t`yes` : t`unknown`;
}
