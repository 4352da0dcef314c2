import type { BulkResult } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { z } from "zod";
import { BulkResults } from "#/components/list/bulk/bulk-results.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "../admin.module.css";
import { optionalText, parseList } from "../forms/field-schemas.ts";
import { CompatibilityCheck } from "./compatibility-check.tsx";
import { MODEL_ID_PATTERN } from "./model-fields.ts";

/** How many models can be imported at once. */
export const MAX_IMPORT_IDS = 100;

const importSchema = z.object({
  ids: z
    .string()
    .refine((value) => parseList(value).length > 0, { error: t`Models are not valid: name at least one.` })
    .refine((value) => parseList(value).length <= MAX_IMPORT_IDS, {
      error: t`At most ${MAX_IMPORT_IDS} models at a time.`,
    })
    .superRefine((value, context) => {
      const invalidIds = parseList(value).filter((id) => !MODEL_ID_PATTERN.test(id));
      if (invalidIds.length > 0)
        context.addIssue({
          code: "custom",
          message: t`Not an id of the form owner/name: ${invalidIds.slice(0, 3).join(", ")}.`,
        });
    }),
  model_class: optionalText(t`Class`, 100),
  access_token: optionalText(t`Token`, 500),
});
type ImportFormValues = z.infer<typeof importSchema>;

/** Imports models from the hub into the catalogue and shows the result for each. */
export function ImportForm({ initial }: { initial: string }) {
  const [results, setResults] = useState<readonly BulkResult[] | null>(null);
  const importing = useAction(
    ({ ids, model_class, access_token }: ImportFormValues) =>
      feather.admin.models.import({
        ids: parseList(ids),
        ...(model_class.trim() !== "" && { model_class: model_class.trim() }),
        ...(access_token.trim() !== "" && { access_token: access_token.trim() }),
      }),
    {
      success: (response) => {
        const doneCount = response.results.filter(({ ok }) => ok).length;
        return t`${doneCount} of ${response.results.length} models are in the catalogue`;
      },
      onSuccess: (response) => setResults(response.results),
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  async function submitImport(values: ImportFormValues): Promise<void> {
    setResults(null);
    await importing.submit(values);
  }
  return (
    <>
      {results ? (
        <BulkResults
          title={t`Import`}
          doneLabel={t`is in the catalogue`}
          results={results}
          close={() => setResults(null)}
        />
      ) : null}
      <div className={styles.form}>
        <Form
          schema={importSchema}
          initial={{ ids: initial, model_class: "", access_token: "" }}
          fields={[
            {
              name: "ids",
              label: t`Models`,
              kind: "text",
              rows: 4,
              hint: t`owner/name, one a line or between commas. Those that are there already are read anew.`,
            },
            { name: "model_class", label: t`Class`, hint: t`Of all of them. Empty: told from the files of each.` },
            {
              name: "access_token",
              label: t`Token of the hub`,
              type: "password",
              autoComplete: "off",
              hint: t`For gated or private repositories. It is not kept.`,
            },
          ]}
          renderSummary={({ ids }) => (
            <CompatibilityCheck
              ids={parseList(ids ?? "")
                .filter((id) => MODEL_ID_PATTERN.test(id))
                .slice(0, MAX_IMPORT_IDS)}
            />
          )}
          submitLabel={t`Import`}
          block={false}
          submit={submitImport}
        />
      </div>
    </>
  );
}
