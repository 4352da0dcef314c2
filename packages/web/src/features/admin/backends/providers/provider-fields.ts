import type { Backend, BackendInput, BackendProvider } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { type ZodType, z } from "zod";
import type { FormField } from "#/components/ui/forms/form.tsx";
import { parseList, parseNumber, requiredInteger, requiredText } from "../../forms/field-schemas.ts";
import { OWN_KEY_MODES, OWN_KEYS_FIELD } from "../own-keys-field.ts";
import { placeholderLabel } from "./provider-labels.ts";

/** The values of the form: those of every provider, and those that complete its address, by their names. */
export type ProviderValues = Record<string, string>;

/** Returns the rules for the form of a provider. */
export function createProviderSchema({
  placeholders,
  lists_models,
}: BackendProvider): ZodType<ProviderValues, ProviderValues> {
  const ofAddress = placeholders.map(({ name, pattern, suggestions }) => [
    name,
    z.string().refine((value) => new RegExp(`^(?:${pattern})$`).test(value.trim()), {
      error: t`${placeholderLabel(name)} is not valid: such as ${suggestions[0] ?? ""}.`,
    }),
  ]);
  const models = lists_models ? z.string() : requiredText(t`Models`, { max: 100_000 });
  return z.object({
    ...Object.fromEntries(ofAddress),
    api_key: requiredText(t`Key`, { max: 4000 }),
    models,
    name: requiredText(t`Name`, { max: 64 }),
    weight: requiredInteger(t`Weight`, { min: 1, max: 1000 }),
    own_keys: z.string(),
  }) as ZodType<ProviderValues, ProviderValues>;
}

/** Returns the fields that a provider needs. `keyLink` stands beside the key. */
export function listProviderFields(
  { placeholders, lists_models, model_examples }: BackendProvider,
  keyLink: ReactNode,
): FormField<ProviderValues>[] {
  return [
    ...placeholders.map(({ name, description, suggestions }) => ({
      name,
      label: placeholderLabel(name),
      hint: t`${description}, such as ${suggestions.join(", ")}.`,
      autoComplete: "off",
    })),
    {
      name: "api_key",
      label: t`Key`,
      type: "password",
      autoComplete: "off",
      autoFocus: placeholders.length === 0,
      end: keyLink,
    },
    ...(lists_models
      ? []
      : [
          {
            name: "models",
            label: t`Models`,
            kind: "text" as const,
            rows: 3,
            hint: t`Their names there, one a line, such as ${model_examples.join(", ")}. The provider does not list them.`,
          },
        ]),
  ];
}

/** Returns the fields that seldom need another value. */
export function listFurtherFields({ lists_models }: BackendProvider): FormField<ProviderValues>[] {
  return [
    {
      name: "name",
      label: t`Name`,
      hint: t`What the backend is called here. Models without an owner in their name get it as owner.`,
    },
    { name: "weight", label: t`Weight`, inputMode: "numeric", hint: t`Its share of the requests beside others.` },
    ...(lists_models
      ? [
          {
            name: "models",
            label: t`Models`,
            kind: "text" as const,
            rows: 3,
            hint: t`Their names there, one a line. Empty: those it names itself when it is asked.`,
          },
        ]
      : []),
    OWN_KEYS_FIELD,
  ];
}

/** Returns the values that a form begins with. The name is the provider's id, with a number if a backend has it. */
export function toInitialValues(provider: BackendProvider, backends: readonly Pick<Backend, "name">[]): ProviderValues {
  const taken = new Set(backends.map(({ name }) => name));
  let name = provider.id;
  for (let number = 2; taken.has(name); number += 1) name = `${provider.id}-${number}`;
  const ofAddress = Object.fromEntries(provider.placeholders.map((placeholder) => [placeholder.name, ""]));
  return { ...ofAddress, api_key: "", models: "", name, weight: "1", own_keys: "off" };
}

/** Returns the request body that adds a provider. */
export function toProviderInput({ id, placeholders }: BackendProvider, values: ProviderValues): BackendInput {
  const { api_key = "", models = "", name = "", weight = "" } = values;
  const ownKeys = OWN_KEY_MODES.find((mode) => mode === values.own_keys);
  const names = parseList(models);
  return {
    provider: id,
    name: name.trim(),
    api_key: api_key.trim(),
    weight: parseNumber(weight) ?? 1,
    ...(placeholders.length > 0 && {
      placeholders: Object.fromEntries(placeholders.map((one) => [one.name, (values[one.name] ?? "").trim()])),
    }),
    ...(names.length > 0 && { models: names }),
    ...(ownKeys !== undefined && ownKeys !== "off" && { own_keys: ownKeys }),
  };
}

/** Returns whether a key that was entered may be that of another provider. */
export function isUnusualKey({ key_prefix }: BackendProvider, key = ""): boolean {
  return key_prefix !== null && key.trim() !== "" && !key.trim().startsWith(key_prefix);
}
