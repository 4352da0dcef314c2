import { t } from "@lingui/core/macro";
import { useState } from "react";
import { z } from "zod";
import { Form } from "#/components/ui/form.tsx";
import { feather } from "#/lib/feather.ts";
import { entriesOf, optionalWords } from "../forms/rules.ts";
import { type BulkResult, Results } from "../results.tsx";
import { useSaved } from "../use-act.ts";
import { CompatibilityCheck } from "./compatibility-check.tsx";
import { MODEL_ID } from "./model-fields.ts";

/** How many models can be imported at once. */
export const MOST_IDS = 100;

const rules = z.object({
  ids: z
    .string()
    .refine((value) => entriesOf(value).length > 0, { error: t`Models are not valid: name at least one.` })
    .refine((value) => entriesOf(value).length <= MOST_IDS, { error: t`At most ${MOST_IDS} models at a time.` })
    .superRefine((value, context) => {
      const wrong = entriesOf(value).filter((id) => !MODEL_ID.test(id));
      if (wrong.length > 0)
        context.addIssue({
          code: "custom",
          message: t`Not an id of the form owner/name: ${wrong.slice(0, 3).join(", ")}.`,
        });
    }),
  model_class: optionalWords(t`Class`, 100),
  access_token: optionalWords(t`Token`, 500),
});
type Values = z.infer<typeof rules>;

/** Imports models from the hub into the catalogue and shows the result for each. */
export function ImportForm({ initial }: { initial: string }) {
  const saved = useSaved();
  const [results, setResults] = useState<readonly BulkResult[] | null>(null);
  async function run({ ids, model_class, access_token }: Values): Promise<void> {
    setResults(null);
    const answer = await feather.admin.models.import({
      ids: entriesOf(ids),
      ...(model_class.trim() !== "" && { model_class: model_class.trim() }),
      ...(access_token.trim() !== "" && { access_token: access_token.trim() }),
    });
    setResults(answer.results);
    const done = answer.results.filter(({ ok }) => ok).length;
    await saved(t`${done} of ${answer.results.length} models are in the catalogue`);
  }
  return (
    <>
      {results ? (
        <Results title={t`Import`} done={t`is in the catalogue`} results={results} close={() => setResults(null)} />
      ) : null}
      <div className="admin-form">
        <Form
          schema={rules}
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
          about={({ ids }) => (
            <CompatibilityCheck
              ids={entriesOf(ids ?? "")
                .filter((id) => MODEL_ID.test(id))
                .slice(0, MOST_IDS)}
            />
          )}
          submitLabel={t`Import`}
          block={false}
          submit={run}
        />
      </div>
    </>
  );
}
