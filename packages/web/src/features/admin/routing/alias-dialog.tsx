import type { RoutingAlias } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { isModelId } from "../backends/aliases.ts";
import { parseList } from "../forms/field-schemas.ts";
import { FormDialog } from "../forms/form-dialog.tsx";

const ALIAS_NAME = /^[A-Za-z0-9][\w.-]{0,95}(\/[A-Za-z0-9][\w.-]{0,95})?$/;
const MAX_MODELS = 8;

const aliasSchema = z.object({
  name: z.string().refine((name) => ALIAS_NAME.test(name.trim()), {
    error: t`Name is not valid: letters, digits, dots and hyphens, in one part or two with a slash between them.`,
  }),
  models: z
    .string()
    .refine((text) => parseList(text).length > 0 && parseList(text).every(isModelId), {
      error: t`Models are not valid: one id a line, each written owner/name.`,
    })
    .refine((text) => parseList(text).length <= MAX_MODELS, {
      error: t`An alias stands for at most ${MAX_MODELS} models.`,
    }),
});
type AliasFormValues = z.infer<typeof aliasSchema>;

/** Adds an alias of models, or changes what it stands for. The name of an alias that there is stays. */
export function AliasDialog({ alias, close }: { alias: RoutingAlias | null; close(): void }) {
  const save = useAction(
    ({ name, models }: AliasFormValues) =>
      feather.admin.routing.aliases.set(alias?.name ?? name.trim(), { models: parseList(models) }),
    {
      success: ({ name, models }) => t`${name} stands for ${models.join(", ")}`,
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  const name = alias?.name ?? "";
  return (
    <FormDialog<AliasFormValues>
      open
      title={alias ? t`Change ${name}` : t`Add an alias`}
      description={t`Calls of the name go to the first of its models that can answer.`}
      close={close}
      schema={aliasSchema}
      initial={{ name, models: alias?.models.join("\n") ?? "" }}
      fields={[
        ...(alias
          ? []
          : [{ name: "name" as const, label: t`Name`, hint: t`Such as fast, or company/default. No id of a model.` }]),
        {
          name: "models",
          label: t`Models`,
          kind: "text",
          rows: 4,
          hint: t`One id a line, in the order in which they are tried.`,
        },
      ]}
      submitLabel={alias ? t`Save the alias` : t`Add the alias`}
      submit={save.submit}
    />
  );
}
