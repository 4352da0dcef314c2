import type { Model } from "@feather/sdk";
import { formatBytes, formatRoughDuration } from "@feather/sdk/format";
import { drawBarbs, type Style } from "../output/style.ts";

/** Fields that `--json` accepts, besides `state`. */
export const MODEL_FIELDS = [
  "id",
  "name",
  "owned_by",
  "model_class",
  "family",
  "sub_type",
  "parameter_size",
  "active_parameters",
  "context_length",
  "max_completion_tokens",
  "concurrency_cost",
  "description",
  "license",
  "tags",
  "languages",
  "input_modalities",
  "output_modalities",
  "features",
  "pricing",
  "architecture",
  "base_model",
  "favorites",
  "downloads",
  "likes",
  "avg_rating",
  "total_reviews",
  "is_gated",
  "is_private",
  "status",
  "health",
  "availability",
  "hosted",
  "released_date",
  "created_at",
  "updated_at",
  "fit",
  "access",
  "available_on_current_plan",
] as const satisfies readonly (keyof Model)[];

/** Returns the derived field `state` for `--json`: the tier of availability. */
export const deriveState = ({ availability }: Model) => ({ state: availability.tier });

type Stateful = {
  readonly availability: Pick<
    Model["availability"],
    "tier" | "loading_stage" | "loading_progress" | "estimated_ready_at"
  >;
};

/** What a model waits for while its file is not on the server yet. */
const DOWNLOAD_STAGES: readonly string[] = ["queued", "downloading", "verifying", "converting"];

/** Whether the file of a model is being downloaded, so that it cannot be called before that has ended. */
export const isBeingDownloaded = ({
  tier,
  loading_stage: stage,
}: Pick<Model["availability"], "tier" | "loading_stage">): boolean =>
  tier === "loading" && stage !== null && DOWNLOAD_STAGES.includes(stage);

/** Returns the state for people: `warm`, `loading 62 %, about 40 s`, `downloading 8 %`. */
export function formatState({ availability }: Stateful, now: Date): string {
  const { tier, loading_stage: stage, loading_progress: progress, estimated_ready_at: ready } = availability;
  if (tier !== "loading") return tier;
  const done = progress === null ? "" : ` ${Math.round(progress * 100)} %`;
  const left = ready === null ? "" : `, about ${formatRoughDuration(new Date(ready).getTime() - now.getTime())}`;
  const verb = stage === "converting" ? stage : isBeingDownloaded(availability) ? "downloading" : "loading";
  return `${verb}${done}${left}`;
}

const FIT_LABELS = { fits: "fits", fits_quantized: "in fewer bits", too_large: "too large", unknown: "unknown" };

/** Returns whether the server can load a model, and its memory: `in fewer bits, 5.6 GB`. Empty for visitors. */
export function formatFit({ fit }: Pick<Model, "fit">): string {
  if (!fit) return "";
  const memory = fit.memory_bytes === null ? "" : `, ${formatBytes(fit.memory_bytes)}`;
  return FIT_LABELS[fit.verdict] + memory;
}

/** Colours a state: warm is green, loading stands out, the rest is dim. */
export function paintState(text: string, style: Style, model: Model): string {
  const { tier } = model.availability;
  if (tier === "warm") return style.green(text);
  return tier === "loading" ? style.accent(text) : style.dim(text);
}

/** Styles an id: the owner dim, the name bold. */
export function paintId(text: string, style: Style): string {
  const slash = text.lastIndexOf("/") + 1;
  return style.dim(text.slice(0, slash)) + style.bold(text.slice(slash));
}

/** Draws the units of a request as at least four barbs; more than eight units are a number. */
export function formatUnitBarbs(cost: number, unicode: boolean): string {
  return cost > 8 ? String(cost) : drawBarbs(cost, Math.max(4, cost), unicode);
}
