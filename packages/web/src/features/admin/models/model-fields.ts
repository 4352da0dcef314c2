import type { AdminModel, AdminModelUpdate } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import type { FormField } from "#/components/ui/forms/form.tsx";
import { optionalInteger, optionalText, parseList, parseNumber, textOrNull } from "../forms/field-schemas.ts";

/** Matches `owner/name`. */
export const MODEL_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]*\/[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Validates the form of a model. */
export const modelFormSchema = z.object({
  model_class: optionalText(t`Class`, 100),
  family: optionalText(t`Family`, 64),
  sub_type: optionalText(t`Sub-type`, 64),
  parameter_size: optionalInteger(t`Parameters`, { min: 1, max: 100_000_000_000_000 }),
  context_length: optionalInteger(t`Context`, { min: 1, max: 100_000_000 }),
  max_completion_tokens: optionalInteger(t`Longest answer`, { min: 1, max: 100_000_000 }),
  license: optionalText(t`Licence`, 64),
  tags: z
    .string()
    .refine((value) => parseList(value).length <= 30 && parseList(value).every((tag) => tag.length <= 40), {
      error: t`Tags are not valid: at most 30, of at most 40 characters.`,
    }),
  languages: z.string().refine((value) => parseList(value).every((code) => code.length >= 2 && code.length <= 10), {
    error: t`Languages are not valid: codes such as en, zh.`,
  }),
  plan_ids: z.string(),
  description: optionalText(t`Description`, 2000),
  readme: optionalText(t`Readme`, 200_000),
  image_input: z.boolean(),
  is_gated: z.boolean(),
  disabled: z.boolean(),
});
/** Values of the model form. */
export type ModelFormValues = z.infer<typeof modelFormSchema>;

/** Values of an empty model form. */
export const EMPTY_MODEL_FORM: ModelFormValues = {
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

const toFieldText = (value: number | null | undefined): string =>
  value === null || value === undefined ? "" : String(value);

/** Returns the form values of a model. */
export function toModelFormValues(model: AdminModel): ModelFormValues {
  return {
    model_class: model.model_class,
    family: model.family ?? "",
    sub_type: model.sub_type ?? "",
    parameter_size: toFieldText(model.parameter_size),
    context_length: toFieldText(model.context_length),
    max_completion_tokens: toFieldText(model.max_completion_tokens),
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
const TO_UPDATE: { [K in keyof ModelFormValues]: (value: ModelFormValues[K]) => AdminModelUpdate } = {
  model_class: (value) => (value.trim() === "" ? {} : { model_class: value.trim() }),
  family: (value) => ({ family: textOrNull(value) }),
  sub_type: (value) => ({ sub_type: textOrNull(value) }),
  parameter_size: (value) => ({ parameter_size: parseNumber(value) }),
  context_length: (value) => ({ context_length: parseNumber(value) }),
  max_completion_tokens: (value) => ({ max_completion_tokens: parseNumber(value) }),
  license: (value) => ({ license: textOrNull(value) }),
  tags: (value) => ({ tags: parseList(value) }),
  languages: (value) => ({ languages: parseList(value) }),
  plan_ids: (value) => ({ plan_ids: parseList(value).length === 0 ? null : parseList(value) }),
  description: (value) => ({ description: value }),
  readme: (value) => ({ readme: textOrNull(value) === null ? null : value }),
  image_input: (value) => ({ input_modalities: value ? ["text", "image"] : ["text"] }),
  is_gated: (value) => ({ is_gated: value }),
  disabled: (value) => ({ disabled: value }),
};

/** Returns the request body with the changed fields only: untouched ones keep the hub's values. */
export function toModelUpdate(previous: ModelFormValues, next: ModelFormValues): AdminModelUpdate {
  const changedNames = (Object.keys(TO_UPDATE) as (keyof ModelFormValues)[]).filter(
    (name) => previous[name] !== next[name],
  );
  return Object.assign({}, ...changedNames.map((name) => toFieldUpdate(name, next)));
}

function toFieldUpdate<K extends keyof ModelFormValues>(name: K, values: ModelFormValues): AdminModelUpdate {
  return TO_UPDATE[name](values[name]);
}

/** Fields of the model form. */
export const MODEL_FORM_FIELDS: readonly FormField<ModelFormValues>[] = [
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
