import type { Insertable } from "kysely";
import type { Models } from "../../db/schema.generated.ts";
import type { CompatibilityResult } from "../hub/compatibility.ts";
import type { HubModel } from "../hub/hub.ts";
import { firstSentences } from "../hub/safe-markdown.ts";
import { tagsFromHub } from "./classified-tags.ts";

/** The columns of `models` that come from a repository. Class, family and source are decided elsewhere. */
export type HubFacts = Omit<
  Insertable<Models>,
  "model_class_id" | "family_id" | "sub_type_id" | "source" | "created_at" | "updated_at" | "plan_ids" | "disabled_at"
> & { readme: string | null };

const LONGEST_LICENSE = 64;
const LARGEST_INTEGER = 2_147_483_647;
const VISION_TASKS = ["image-text-to-text", "image-to-text", "visual-question-answering"];
const LANGUAGE = /^[a-z]{2,3}(-[a-z]{2,8})?$/i;

/** Returns the columns for a repository of the hub, with values cut to what the database holds. */
export function hubFacts(model: HubModel, { detected }: CompatibilityResult, now: Date): HubFacts {
  const [owner = "", name = ""] = model.id.split("/");
  const languages = model.languages.filter((language) => LANGUAGE.test(language)).map((code) => code.toLowerCase());
  const vision = VISION_TASKS.includes(model.task ?? "") || model.config?.vision_config !== undefined;
  const moe = experts(model.config);
  const tags = tagsFromHub([
    ...model.tags,
    ...(vision ? ["vision"] : []),
    ...(moe ? ["moe"] : []),
    ...(languages.length > 1 ? ["multilingual"] : []),
    ...(/\b(instruct|it|chat)\b/i.test(name.replaceAll(/[-_]/g, " ")) ? ["instruct"] : []),
  ]);
  return {
    id: model.id,
    id_lower: model.id.toLowerCase(),
    owned_by: owner,
    name,
    parameter_size: detected.parameter_size,
    context_length: contextOf(model.config),
    description: model.readme === null ? "" : firstSentences(model.readme),
    readme: model.readme,
    license: model.license?.slice(0, LONGEST_LICENSE) ?? null,
    tags,
    languages: languages.slice(0, 200),
    input_modalities: vision ? ["text", "image"] : ["text"],
    architecture: detected.architecture?.slice(0, 100) ?? null,
    base_model: model.baseModel,
    is_gated: model.gated,
    downloads: model.downloads === null ? null : Math.min(Math.max(model.downloads, 0), LARGEST_INTEGER),
    released_date: model.createdAt?.toISOString().slice(0, 10) ?? null,
    hf_created_at: model.createdAt,
    hub_revision: model.revision,
    hub_checked_at: now,
  };
}

type Config = HubModel["config"];

const textConfig = (config: Config): Record<string, unknown> => {
  const text = config?.text_config;
  return { ...config, ...(typeof text === "object" && text !== null ? text : {}) };
};

function contextOf(config: Config): number | null {
  const length = textConfig(config).max_position_embeddings;
  return typeof length === "number" && Number.isInteger(length) && length > 0 && length <= 100_000_000 ? length : null;
}

function experts(config: Config): boolean {
  const { num_experts, num_local_experts, n_routed_experts } = textConfig(config);
  return [num_experts, num_local_experts, n_routed_experts].some((count) => typeof count === "number" && count > 1);
}
