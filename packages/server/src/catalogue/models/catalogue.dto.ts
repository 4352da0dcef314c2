import type { components } from "@feather/openapi/schema";
import { CONTRACT_FIELDS, minContext } from "../../gateway/index.ts";
import type { FitEstimate } from "../../hosting/hosts/index.ts";
import type { PriceBook } from "../../money/prices/index.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { ModelDetail as ModelDetailRow, ModelRow } from "./catalogue.repository.ts";
import { classifyTags } from "./hub-facts/classified-tags.ts";
import type { LiveModels } from "./live-models.ts";
import type { ModelPlaces } from "./model-places.ts";
import type { Viewer } from "./viewer.ts";

type Model = components["schemas"]["Model"];
type ModelDetail = components["schemas"]["ModelDetail"];
type OpenAIModel = components["schemas"]["OpenAIModel"];
type Availability = components["schemas"]["Availability"];
type Access = components["schemas"]["ModelAccess"];

/** Fields of every call. They are not listed among a model's supported parameters. */
const COMMON_FIELDS = ["messages", "metadata", "model", "stream", "stream_options", "user"];
const TOOL_FIELDS = ["parallel_tool_calls", "tool_choice", "tools"];
const REASONING_FIELDS = ["chat_template_kwargs", "reasoning_effort"];

type Context = {
  liveModels: LiveModels;
  modelPlaces: ModelPlaces;
  prices: Pick<PriceBook, "createPriceLookup">;
  clock: Clock;
  fit: Pick<FitEstimate, "of">;
};
type ViewerContext = Context & { viewer: Viewer; priceOf: Awaited<ReturnType<PriceBook["createPriceLookup"]>> };

export type ModelDtos = ReturnType<typeof createModelDtos>;

/**
 * Creates the mapping of models to the contract's schemas, with the live state of the backends and the viewer's
 * permissions.
 */
export function createModelDtos(context: Context) {
  return bind(context, { forViewer: createViewerDtos });
}

async function createViewerDtos(context: Context, viewer: Viewer) {
  const viewerContext: ViewerContext = { ...context, viewer, priceOf: await context.prices.createPriceLookup() };
  return bind(viewerContext, {
    toModelDto,
    toModelDetailDto,
    toOpenAIModelDto,
    toOpenAIDetailDto,
    toAnthropicModelDto,
  });
}

function toModelDto(context: ViewerContext, row: ModelRow): Model {
  const { liveModels, viewer, priceOf } = context;
  const state = toAvailabilityDto(context, row.key);
  const serving = {
    tier: state.tier,
    isGateOpen: liveModels.isOperatorModel(row.key),
    contextLength: readContextLength(context, row),
  };
  const hosted = [...liveModels.hosted(row.key)];
  const isOnlyElsewhere = !viewer.callsElsewhere && hosted.length > 0 && !hosted.includes("here");
  const access = viewer.plan && toAccessDto(row, viewer.plan, { ...serving, isOnlyElsewhere });
  return {
    id: row.id,
    name: row.name,
    owned_by: row.owned_by,
    model_class: row.model_class_id,
    family: row.family_id,
    sub_type: row.sub_type_id,
    parameter_size: row.parameter_size,
    active_parameters: row.active_parameters,
    context_length: row.context_length,
    max_completion_tokens: row.max_completion_tokens,
    concurrency_cost: row.concurrency_cost,
    description: row.description,
    license: row.license,
    tags: row.tags,
    classified_tags: classifyTags(row.tags),
    languages: row.languages,
    input_modalities: listInputModalities(context, row),
    output_modalities: row.output_modalities,
    features: toFeatures(context, row),
    pricing: priceOf({ key: row.key, classId: row.model_class_id, parameterSize: row.parameter_size }),
    architecture: row.architecture,
    base_model: row.base_model,
    favorites: row.favorites,
    downloads: row.downloads,
    likes: row.likes,
    avg_rating: row.avg_rating === null ? null : Number(row.avg_rating),
    total_reviews: row.total_reviews,
    is_gated: row.is_gated,
    is_private: row.is_private,
    status: state.tier === "offline" ? (row.status as Model["status"]) : "active",
    health: liveModels.health(row.key),
    availability: state,
    hosted,
    hf_created_at: row.hf_created_at?.toISOString() ?? null,
    released_date: row.released_date,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    ...(viewer.userId !== null && { is_favorite: row.is_favorite, fit: toFitDto(context, row) }),
    ...(access && { access, available_on_current_plan: access.callable }),
  };
}

function toModelDetailDto(context: ViewerContext, row: ModelDetailRow, probes: ModelDetail["probes"]): ModelDetail {
  return { ...toModelDto(context, row), readme: row.readme, places: listPlaces(context, row), probes };
}

function toOpenAIDetailDto(context: ViewerContext, row: ModelRow): OpenAIModel {
  return { ...toOpenAIModelDto(context, row), places: listPlaces(context, row) };
}

const listPlaces = ({ modelPlaces, viewer }: ViewerContext, row: ModelRow) => modelPlaces.list(row.key, viewer);

function toOpenAIModelDto(context: ViewerContext, row: ModelRow): OpenAIModel {
  const dto = toModelDto(context, row);
  const { max_completion_tokens, input_modalities, output_modalities, classified_tags } = dto;
  const context_length = readContextLength(context, row);
  const { training, capabilities, creative, domains } = classified_tags;
  return {
    id: dto.id,
    object: "model",
    created: Math.floor((row.released_date ? new Date(row.released_date) : row.created_at).getTime() / 1000),
    owned_by: dto.owned_by,
    name: dto.name,
    model_class: dto.model_class,
    context_length,
    max_model_len: context_length,
    max_completion_tokens,
    is_gated: dto.is_gated,
    features: { tool_use: dto.features.tool_use, image_input: dto.features.image_input },
    concurrency_cost: dto.concurrency_cost,
    pricing: dto.pricing,
    status: dto.status,
    availability: dto.availability,
    hosted: dto.hosted,
    parameter_size: dto.parameter_size,
    is_moe: row.is_moe,
    active_parameters: dto.active_parameters,
    vision_supported: dto.features.image_input,
    input_modalities,
    output_modalities,
    tasks: [...training, ...capabilities, ...creative],
    domains,
    architecture: {
      modality: `${input_modalities.join("+")}->${output_modalities.join("+")}`,
      input_modalities,
      output_modalities,
      tokenizer: row.architecture?.replace(/For[A-Z]\w*$/, "") || "Other",
    },
    supported_parameters: listSupportedParameters(context, row),
    top_provider: { context_length, max_completion_tokens, is_moderated: false },
    canonical_slug: dto.id,
    default_parameters: null,
    per_request_limits: null,
    supported_voices: null,
    links: { details: `/api/v1/models/${dto.id}` },
    ...(dto.access && { access: dto.access, available_on_current_plan: dto.access.callable }),
  };
}

function toFitDto({ fit }: Context, row: ModelRow): components["schemas"]["ModelFit"] {
  const { key, parameter_size: parameterSize, context_length: contextLength } = row;
  const { precise_bytes: preciseBytes, smallest_bytes: smallestBytes } = row;
  const source = smallestBytes === null ? null : { preciseBytes, smallestBytes };
  const { safetensors_bytes: bytes, safetensors_token_bytes: bytesPerToken } = row;
  const safetensors = bytes === null || bytesPerToken === null ? null : { bytes, bytesPerToken };
  const { verdict, file, context, memoryBytes, availableBytes, reason } = fit.of({
    key,
    parameterSize,
    contextLength,
    source,
    safetensors,
  });
  return { verdict, file, context, memory_bytes: memoryBytes, available_bytes: availableBytes, reason };
}

function toAvailabilityDto({ liveModels, clock, viewer }: ViewerContext, key: string): Availability {
  const { tier, recent, loading, reason } = liveModels.availability(key);
  return {
    tier,
    is_hot_live: tier === "warm",
    is_hot_recent: recent,
    loading_stage: loading?.stage ?? null,
    // Visitors do not get the reason, since it reveals details about the operator's machines.
    loading_reason: viewer.userId === null ? null : reason,
    loading_progress: loading?.progress ?? null,
    estimated_ready_at: loading?.readyAt?.toISOString() ?? null,
    checked_at: clock.now().toISOString(),
  };
}

/** Returns the modalities that a model can read here: only text if the engine runs it, otherwise its own. */
function listInputModalities({ liveModels }: Context, row: ModelRow): Model["input_modalities"] {
  return liveModels.readsTextOnly(row.key)
    ? row.input_modalities.filter((modality) => modality === "text")
    : row.input_modalities;
}

function toFeatures(context: Context, row: ModelRow): Model["features"] {
  const { liveModels } = context;
  return {
    tool_use: row.tags.includes("tool-use"),
    image_input: listInputModalities(context, row).includes("image"),
    json_mode: row.follows_schemas || liveModels.supportsJsonMode(row.key),
    reasoning: row.tags.includes("reasoning"),
  };
}

function listSupportedParameters(context: Context, row: ModelRow): string[] {
  const { liveModels } = context;
  const { tool_use, reasoning, json_mode } = toFeatures(context, row);
  const excludedFields = [
    ...COMMON_FIELDS,
    ...(tool_use ? [] : TOOL_FIELDS),
    ...(reasoning ? [] : REASONING_FIELDS),
    ...(json_mode ? [] : ["response_format"]),
    ...liveModels.passedOverParams(row.key),
  ];
  return [...CONTRACT_FIELDS.chat, ...liveModels.extraParams(row.key)]
    .filter((field) => !excludedFields.includes(field))
    .sort();
}

/**
 * Returns the context in tokens that calls to a model have: its own, or that with which its backends run it if that is
 * smaller. Null if both are unknown.
 */
function readContextLength({ liveModels }: Context, row: ModelRow): number | null {
  return minContext(row.context_length, liveModels.contextLength(row.key));
}

/** Maps a model to the form that Anthropic's clients read. */
function toAnthropicModelDto(context: Context, row: ModelRow) {
  const contextLength = readContextLength(context, row);
  return {
    type: "model",
    id: row.id,
    display_name: row.name,
    created_at: (row.released_date ? new Date(row.released_date) : row.created_at).toISOString(),
    max_input_tokens: contextLength,
    max_tokens: minContext(row.max_completion_tokens, contextLength),
    lifecycle: "active",
    capabilities: null,
    deprecated_at: null,
    line: null,
    retires_at: null,
  };
}

/**
 * The tier of a model, whether its gate is ignored because the operator's backend runs it, the context in tokens that calls
 * have without the limit of a plan, and whether it only answers elsewhere, where the viewer's calls may not go.
 */
type ServingState = {
  tier: Availability["tier"];
  isGateOpen: boolean;
  contextLength: number | null;
  isOnlyElsewhere: boolean;
};

/** Returns whether the viewer's plan may call the model, and why not. The gateway has the same rules. */
function toAccessDto(
  row: ModelRow,
  plan: NonNullable<Viewer["plan"]>,
  { tier, isGateOpen, contextLength, isOnlyElsewhere }: ServingState,
): Access {
  const unlocked = isGateOpen || row.is_gated !== true || row.unlocked;
  const refusals: Access["reasons"] = [];
  if (row.disabled_at !== null) refusals.push("disabled");
  if (!unlocked) refusals.push("gated");
  if (row.plan_ids !== null && !row.plan_ids.includes(plan.id)) refusals.push("not_on_plan");
  if (plan.maxModelSize !== null && !(row.parameter_size !== null && row.parameter_size <= plan.maxModelSize))
    refusals.push("plan_model_size");
  if (isOnlyElsewhere) refusals.push("only_elsewhere");
  const effective = minContext(contextLength, plan.maxContextLength);
  return {
    callable: refusals.length === 0 && tier !== "offline",
    reasons: [
      ...refusals,
      ...(tier === "warm" ? [] : (["cold"] as const)),
      ...(effective === contextLength ? [] : (["plan_context"] as const)),
      ...(row.is_private ? (["private"] as const) : []),
    ],
    effective_context_length: effective,
    unlocked,
  };
}
