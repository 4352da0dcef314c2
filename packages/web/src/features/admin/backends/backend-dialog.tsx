import type { Body } from "@feather/sdk";
import { z } from "zod";
import { feather } from "#/lib/feather.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { entriesOf, numberOf, textOf, whole, words } from "../forms/rules.ts";
import { useSaved } from "../use-act.ts";
import type { Backend } from "./queries.ts";

const rules = z.object({
  name: words("Name", { max: 64 }),
  base_url: z
    .string()
    .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), {
      error: "Address is not valid: it begins with http:// or https://.",
    })
    .max(2000, { error: "Address may have at most 2000 characters." }),
  models: z.string(),
  weight: whole("Weight", { min: 1, max: 1000 }),
  api_key: z.string().max(500, { error: "Key may have at most 500 characters." }),
  enabled: z.boolean(),
});
type Values = z.infer<typeof rules>;

/** What the server is told. A key that was not typed and models that were not changed stay as they are. */
export function inputOf(values: Values, before: readonly string[] = []): Body<"admin.backends.create"> {
  const key = textOf(values.api_key);
  const models = entriesOf(values.models);
  return {
    name: values.name.trim(),
    base_url: values.base_url.trim(),
    ...(models.join() !== before.join() && { models }),
    weight: numberOf(values.weight) ?? 1,
    enabled: values.enabled,
    ...(key !== null && { api_key: key }),
  };
}

/** Adds a backend, or changes one. */
export function BackendDialog({ backend, close }: { backend: Backend | null; close(): void }) {
  const saved = useSaved();
  return (
    <FormDialog
      open
      title={backend ? `Change ${backend.name}` : "Add a backend"}
      description="An address that answers as OpenAI's does: vLLM, llama.cpp, Ollama, another Feather."
      close={close}
      schema={rules}
      initial={{
        name: backend?.name ?? "",
        base_url: backend?.base_url ?? "",
        models: backend?.models.join("\n") ?? "",
        weight: String(backend?.weight ?? 1),
        api_key: "",
        enabled: backend?.enabled ?? true,
      }}
      fields={[
        { name: "name", label: "Name", autoFocus: true },
        { name: "base_url", label: "Address", type: "url", hint: "Such as https://models.example.com/v1" },
        {
          name: "models",
          label: "Models",
          kind: "text",
          rows: 3,
          hint: "One a line. Empty: those it names itself when it is asked.",
        },
        { name: "weight", label: "Weight", inputMode: "numeric", hint: "Its share of the requests beside others." },
        {
          name: "api_key",
          label: "Key",
          type: "password",
          autoComplete: "off",
          hint: backend?.has_api_key ? "One is set. Leave this empty to keep it." : "Only if the address asks for one.",
        },
        { name: "enabled", label: "Takes requests", kind: "check" },
      ]}
      submitLabel={backend ? "Save the backend" : "Add the backend"}
      submit={async (values) => {
        const input = inputOf(values, backend?.models);
        if (backend) await feather.admin.backends.update(backend.id, input);
        else await feather.admin.backends.create(input);
        await saved(backend ? `${input.name} is saved` : `${input.name} is added`);
      }}
    />
  );
}
