import type { Backend, BackendInput } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { parseList, parseNumber, requiredInteger, requiredText, textOrNull } from "../forms/field-schemas.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { formatAliases, parseAliases } from "./aliases.ts";
import { OWN_KEY_MODES, OWN_KEYS_FIELD } from "./own-keys-field.ts";

const backendSchema = z.object({
  name: requiredText(t`Name`, { max: 64 }),
  base_url: z
    .string()
    .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), {
      error: t`Address is not valid: it begins with http:// or https://.`,
    })
    .max(2000, { error: t`Address may have at most 2000 characters.` }),
  api: z.enum(["openai", "responses", "anthropic", "gemini", "bedrock", "cohere", "vertex"]),
  models: z.string(),
  aliases: z.string().refine((value) => parseAliases(value) !== null, {
    error: t`Aliases are not valid: one a line, such as its/name/there = owner/name.`,
  }),
  weight: requiredInteger(t`Weight`, { min: 1, max: 1000 }),
  api_key: z.string().max(4000, { error: t`Key may have at most 4,000 characters.` }),
  own_keys: z.enum(OWN_KEY_MODES),
  enabled: z.boolean(),
});
type BackendFormValues = z.infer<typeof backendSchema>;

/** Returns the request body. An empty key, and models and aliases that are unchanged, are omitted, which keeps the stored ones. */
export function toBackendInput(values: BackendFormValues, previous: Backend | null): BackendInput {
  const key = textOrNull(values.api_key);
  const models = parseList(values.models);
  const aliases = parseAliases(values.aliases) ?? [];
  return {
    name: values.name.trim(),
    base_url: values.base_url.trim(),
    ...(values.api !== (previous?.api ?? "openai") && { api: values.api }),
    ...(models.join() !== (previous?.configured_models ?? []).join() && { models }),
    ...(formatAliases(aliases) !== formatAliases(previous?.aliases ?? []) && { aliases }),
    weight: parseNumber(values.weight) ?? 1,
    enabled: values.enabled,
    ...(values.own_keys !== (previous?.own_keys ?? "off") && { own_keys: values.own_keys }),
    ...(key !== null && { api_key: key }),
  };
}

type Props = {
  backend: Backend | null;
  close(): void;
  /** Called with a backend that was added. */
  onAdded?: (backend: Backend) => void;
};

/** Adds a backend, or changes one. */
export function BackendDialog({ backend, close, onAdded }: Props) {
  const save = useAction<ReturnType<typeof toBackendInput>, Backend>(
    (input) => (backend ? feather.admin.backends.update(backend.id, input) : feather.admin.backends.create(input)),
    {
      success: ({ name }) => (backend ? t`${name} is saved` : t`${name} is added`),
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  return (
    <FormDialog
      open
      title={backend ? t`Change ${backend.name}` : t`Add another server`}
      description={t`An address that answers as OpenAI's does: vLLM, llama.cpp, Ollama, another Feather.`}
      close={close}
      schema={backendSchema}
      initial={{
        name: backend?.name ?? "",
        base_url: backend?.base_url ?? "",
        api: backend?.api ?? "openai",
        models: backend?.configured_models.join("\n") ?? "",
        aliases: formatAliases(backend?.aliases ?? []),
        weight: String(backend?.weight ?? 1),
        api_key: "",
        own_keys: backend?.own_keys ?? "off",
        enabled: backend?.enabled ?? true,
      }}
      fields={[
        { name: "name", label: t`Name`, autoFocus: true },
        { name: "base_url", label: t`Address`, type: "url", hint: t`Such as https://models.example.com/v1` },
        {
          name: "api",
          label: t`API`,
          kind: "choice",
          options: [
            { value: "openai", label: t`OpenAI, as most programs and providers` },
            { value: "responses", label: t`OpenAI Responses` },
            { value: "anthropic", label: t`Anthropic Messages` },
            { value: "gemini", label: t`Google Gemini` },
            { value: "bedrock", label: t`Amazon Bedrock Converse` },
            { value: "cohere", label: t`Cohere` },
            { value: "vertex", label: t`Google Vertex AI` },
          ],
        },
        {
          name: "models",
          label: t`Models`,
          kind: "text",
          rows: 3,
          hint: t`Their names there, one a line. Empty: those it names itself when it is asked.`,
        },
        {
          name: "aliases",
          label: t`Aliases`,
          kind: "text",
          rows: 2,
          hint: t`Ids under which models are called here, one a line: its/name/there = owner/name`,
        },
        { name: "weight", label: t`Weight`, inputMode: "numeric", hint: t`Its share of the requests beside others.` },
        {
          name: "api_key",
          label: t`Key`,
          type: "password",
          autoComplete: "off",
          hint: backend?.has_api_key
            ? t`One is set. Leave this empty to keep it. Another one replaces all keys.`
            : t`Only if the address asks for one.`,
        },
        // Other servers cannot take keys of organizations.
        ...(backend?.provider ? [OWN_KEYS_FIELD] : []),
        { name: "enabled", label: t`Takes requests`, kind: "check" },
      ]}
      submitLabel={backend ? t`Save the backend` : t`Add the backend`}
      submit={async (values) => {
        const saved = await save.submit(toBackendInput(values, backend));
        if (!backend) onAdded?.(saved);
      }}
    />
  );
}
