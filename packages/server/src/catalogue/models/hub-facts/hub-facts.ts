import type { Insertable } from "kysely";
import type { CompatibilityResult, HubModel } from "../../../hosting/hub/index.ts";
import type { Models } from "../../../platform/core/db/schema.generated.ts";
import { toCatalogueTags } from "./classified-tags.ts";

/** The columns of `models` that are read from a repository. Class, family and source are determined elsewhere. */
export type HubFacts = Omit<
  Insertable<Models>,
  "model_class_id" | "family_id" | "sub_type_id" | "source" | "created_at" | "updated_at" | "plan_ids" | "disabled_at"
> & { readme: string | null };

const MAX_LICENSE_LENGTH = 64;
const MAX_INT32 = 2_147_483_647;
const VISION_TASKS = ["image-text-to-text", "image-to-text", "visual-question-answering"];
const LANGUAGE_CODE = /^[a-z]{2,3}(-[a-z]{2,8})?$/i;

/** Returns the columns for a repository of the hub. Values are truncated to what the database can store. */
export function toHubFacts(model: HubModel, { detected }: CompatibilityResult, now: Date): HubFacts {
  const [owner = "", name = ""] = model.id.split("/");
  const languages = model.languages
    .filter((language) => LANGUAGE_CODE.test(language))
    .map((code) => code.toLowerCase());
  const isVision = VISION_TASKS.includes(model.task ?? "") || model.config?.vision_config !== undefined;
  const isMoe = hasExperts(model.config);
  const tags = toCatalogueTags([
    ...model.tags,
    ...(isVision ? ["vision"] : []),
    ...(isMoe ? ["moe"] : []),
    ...(languages.length > 1 ? ["multilingual"] : []),
    ...(/\b(instruct|it|chat)\b/i.test(name.replaceAll(/[-_]/g, " ")) ? ["instruct"] : []),
  ]);
  return {
    id: model.id,
    id_lower: model.id.toLowerCase(),
    owned_by: owner,
    name,
    parameter_size: detected.parameter_size,
    context_length: contextLengthOf(model.config),
    description: model.summary,
    readme: model.readme,
    license: model.license?.slice(0, MAX_LICENSE_LENGTH) ?? null,
    tags,
    languages: languages.slice(0, 200),
    input_modalities: isVision ? ["text", "image"] : ["text"],
    architecture: detected.architecture?.slice(0, 100) ?? null,
    base_model: model.baseModel,
    is_gated: model.gated,
    downloads: toCount(model.downloads),
    likes: toCount(model.likes),
    released_date: model.createdAt?.toISOString().slice(0, 10) ?? null,
    hf_created_at: model.createdAt,
    hub_revision: model.revision,
    hub_checked_at: now,
  };
}

/** Returns a count of the hub up to the database's maximum; null if it is unknown. */
const toCount = (count: number | null): number | null =>
  count === null ? null : Math.min(Math.max(count, 0), MAX_INT32);

type Config = HubModel["config"];

const mergeTextConfig = (config: Config): Record<string, unknown> => {
  const text = config?.text_config;
  return { ...config, ...(typeof text === "object" && text !== null ? text : {}) };
};

function contextLengthOf(config: Config): number | null {
  const length = mergeTextConfig(config).max_position_embeddings;
  return typeof length === "number" && Number.isInteger(length) && length > 0 && length <= 100_000_000 ? length : null;
}

function hasExperts(config: Config): boolean {
  const { num_experts, num_local_experts, n_routed_experts } = mergeTextConfig(config);
  return [num_experts, num_local_experts, n_routed_experts].some((count) => typeof count === "number" && count > 1);
}
