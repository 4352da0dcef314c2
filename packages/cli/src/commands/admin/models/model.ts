import type { AdminModel, AdminModelUpdate, Feather } from "@feather/sdk";
import type { Flag, FlagValues } from "../../../command-line.ts";
import type { Context } from "../../../context.ts";
import { isSet, optionalNumber, optionalText, parseListOf, parseNumberBetween } from "../../../flags.ts";
import { pickItem } from "../../../pick-item.ts";
import { MODEL_FIELDS } from "../../../views/model.ts";

/** Fields that `--json` accepts. */
export const ADMIN_MODEL_FIELDS = [
  ...MODEL_FIELDS,
  "readme",
  "disabled",
  "plan_ids",
  "source",
  "hub_revision",
  "request_count",
] as const satisfies readonly (keyof AdminModel)[];

/** The argument that names a model. */
export const MODEL_ARGUMENT = {
  name: "[id]",
  summary: "model, as owner/name; you are asked at a terminal",
  values: "models",
} as const;

/** How many models are offered; typing finds one of them. */
const CHOICES = 100;

/**
 * Returns the id of a model, or lets the person pick one of all models, including those that users do not see. Throws
 * `UsageError` when nobody can be asked.
 */
export async function resolveAdminModelId(context: Context, { admin }: Feather, id: string): Promise<string> {
  if (id !== "") return id;
  const { signal } = context;
  return pickItem(context, {
    label: "Model",
    alternative: "the model's id: feather admin models list",
    empty: ["there are no models yet", "feather admin models create <id>"],
    list: async () => (await admin.models.list({ perPage: CHOICES }, { signal })).items,
    toChoice: (model) => ({ label: model.id, note: model.status.replaceAll("_", " "), value: model.id }),
  });
}

const MODALITIES = ["text", "image"] as const;

/** Flags for the properties of a model. */
export const MODEL_FLAGS: readonly Flag[] = [
  { name: "--class <id>", summary: "class, which says what it costs in units" },
  { name: "--family <name>", summary: "family" },
  { name: "--sub-type <name>", summary: "sub-type within the family" },
  { name: "--parameters <number>", summary: "number of parameters", parse: parseNumberBetween(1, 1e15, true) },
  { name: "--context <tokens>", summary: "length of its context", parse: parseNumberBetween(1, 1e9, true) },
  { name: "--max-tokens <number>", summary: "most tokens of an answer", parse: parseNumberBetween(1, 1e9, true) },
  { name: "--description <text>", summary: "one sentence about it" },
  { name: "--license <id>", summary: "licence, such as apache-2.0" },
  { name: "--tags <names>", summary: "tags, by comma" },
  { name: "--languages <codes>", summary: "languages, by comma" },
  { name: "--takes <kinds>", summary: "what it reads, by comma: text, image", parse: parseListOf(MODALITIES) },
  { name: "--plans <ids>", summary: "plans that may call it, by comma; any for all of them", values: "plans" },
  { name: "--disable", summary: "nobody can call it" },
  { name: "--enable", summary: "it can be called again" },
];

/** Returns the properties of a model that the flags set, as request body. */
export function parseModelChanges(flags: FlagValues): AdminModelUpdate {
  const { class: model_class } = optionalText("class", flags.class);
  const { subType: sub_type } = optionalText("subType", flags.subType);
  const [tags, languages, plans] = [flags.tags, flags.languages, flags.plans].map(splitNames);
  const numbers = {
    ...optionalNumber("parameter_size", flags.parameters),
    ...optionalNumber("context_length", flags.context),
    ...optionalNumber("max_completion_tokens", flags.maxTokens),
  };
  return {
    ...(model_class !== undefined && { model_class }),
    ...(sub_type !== undefined && { sub_type }),
    ...optionalText("family", flags.family),
    ...optionalText("description", flags.description),
    ...optionalText("license", flags.license),
    ...numbers,
    ...(tags && { tags }),
    ...(languages && { languages }),
    ...(plans && { plan_ids: plans.includes("any") ? null : plans }),
    ...(Array.isArray(flags.takes) && { input_modalities: flags.takes as (typeof MODALITIES)[number][] }),
    ...((isSet(flags, "disable") || isSet(flags, "enable")) && { disabled: isSet(flags, "disable") }),
  };
}

const splitNames = (value: unknown): string[] | undefined =>
  typeof value === "string" ? value.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()])) : undefined;
