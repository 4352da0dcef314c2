import type { Body } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import type { FormField } from "#/components/ui/form.tsx";
import { entriesOf, numberOf, optionalWhole, optionalWords, textOf } from "../forms/rules.ts";
import type { AdminModel } from "./queries.ts";

/** Matches `owner/name`. */
export const MODEL_ID = /^[A-Za-z0-9][A-Za-z0-9._-]*\/[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Validates the form of a model. */
export const factRules = z.object({
  model_class: optionalWords(t`Class`, 100),
  family: optionalWords(t`Family`, 64),
  sub_type: optionalWords(t`Sub-type`, 64),
  parameter_size: optionalWhole(t`Parameters`, { min: 1, max: 100_000_000_000_000 }),
  context_length: optionalWhole(t`Context`, { min: 1, max: 100_000_000 }),
  max_completion_tokens: optionalWhole(t`Longest answer`, { min: 1, max: 100_000_000 }),
  license: optionalWords(t`Licence`, 64),
  tags: z
    .string()
    .refine((value) => entriesOf(value).length <= 30 && entriesOf(value).every((tag) => tag.length <= 40), {
      error: t`Tags are not valid: at most 30, of at most 40 characters.`,
    }),
  languages: z.string().refine((value) => entriesOf(value).every((code) => code.length >= 2 && code.length <= 10), {
    error: t`Languages are not valid: codes such as en, zh.`,
  }),
  plan_ids: z.string(),
  description: optionalWords(t`Description`, 2000),
  readme: optionalWords(t`Readme`, 200_000),
  image_input: z.boolean(),
  is_gated: z.boolean(),
  disabled: z.boolean(),
});
/** Values of the model form. */
export type Facts = z.infer<typeof factRules>;

/** Values of an empty model form. */
export const NO_FACTS: Facts = {
  model_class: "",
  family: "",
  sub_type: "",
  parameter_size: "",
  context_length: "",
  max_completion_tokens: "",
  license: "",
  tags: "",
  languages: "",
  plan_ids: "",
  description: "",
  readme: "",
  image_input: false,
  is_gated: false,
  disabled: false,
};

const typed = (value: number | null | undefined): string =>
  value === null || value === undefined ? "" : String(value);

/** Returns the form values of a model. */
export function factsOf(model: AdminModel): Facts {
  return {
    model_class: model.model_class,
    family: model.family ?? "",
    sub_type: model.sub_type ?? "",
    parameter_size: typed(model.parameter_size),
    context_length: typed(model.context_length),
    max_completion_tokens: typed(model.max_completion_tokens),
    license: model.license ?? "",
    tags: model.tags.join(", "),
    languages: model.languages.join(", "),
    plan_ids: model.plan_ids?.join(", ") ?? "",
    description: model.description ?? "",
    readme: model.readme ?? "",
    image_input: model.input_modalities.includes("image"),
    is_gated: model.is_gated === true,
    disabled: model.disabled,
  };
}

/** Converts each form value to the request body. */
const SAID: { [K in keyof Facts]: (value: Facts[K]) => Body<"admin.models.update"> } = {
  model_class: (value) => (value.trim() === "" ? {} : { model_class: value.trim() }),
  family: (value) => ({ family: textOf(value) }),
  sub_type: (value) => ({ sub_type: textOf(value) }),
  parameter_size: (value) => ({ parameter_size: numberOf(value) }),
  context_length: (value) => ({ context_length: numberOf(value) }),
  max_completion_tokens: (value) => ({ max_completion_tokens: numberOf(value) }),
  license: (value) => ({ license: textOf(value) }),
  tags: (value) => ({ tags: entriesOf(value) }),
  languages: (value) => ({ languages: entriesOf(value) }),
  plan_ids: (value) => ({ plan_ids: entriesOf(value).length === 0 ? null : entriesOf(value) }),
  description: (value) => ({ description: value }),
  readme: (value) => ({ readme: textOf(value) === null ? null : value }),
  image_input: (value) => ({ input_modalities: value ? ["text", "image"] : ["text"] }),
  is_gated: (value) => ({ is_gated: value }),
  disabled: (value) => ({ disabled: value }),
};

/** Returns the request body with the changed fields only: untouched ones keep the hub's values. */
export function changesOf(before: Facts, now: Facts): Body<"admin.models.update"> {
  const changed = (Object.keys(SAID) as (keyof Facts)[]).filter((name) => before[name] !== now[name]);
  return Object.assign({}, ...changed.map((name) => said(name, now)));
}

function said<K extends keyof Facts>(name: K, facts: Facts): Body<"admin.models.update"> {
  return SAID[name](facts[name]);
}

/** Fields of the model form. */
export const FACT_FIELDS: readonly FormField<Facts>[] = [
  { name: "model_class", label: t`Class`, hint: t`Models of a class run alike and cost the same units.` },
  { name: "license", label: t`Licence`, hint: t`Such as apache-2.0` },
  { name: "family", label: t`Family` },
  { name: "sub_type", label: t`Sub-type` },
  { name: "parameter_size", label: t`Parameters`, inputMode: "numeric" },
  { name: "context_length", label: t`Context, in tokens`, inputMode: "numeric" },
  { name: "max_completion_tokens", label: t`Longest answer, in tokens`, inputMode: "numeric" },
  { name: "plan_ids", label: t`Only for plans`, hint: t`Ids of plans, between commas. Empty: for every plan.` },
  { name: "tags", label: t`Tags`, hint: t`Between commas.` },
  { name: "languages", label: t`Languages`, hint: t`Codes, between commas.` },
  { name: "description", label: t`Description`, kind: "text", rows: 2 },
  { name: "readme", label: t`Readme, in Markdown`, kind: "text", rows: 8 },
  { name: "image_input", label: t`Reads images`, kind: "check" },
  { name: "is_gated", label: t`Gated: users need their own leave from the hub`, kind: "check" },
  { name: "disabled", label: t`Switched off: nobody can call it`, kind: "check" },
];
