import type { Expression, ExpressionBuilder, RawBuilder } from "kysely";
import { type SqlBool, sql } from "kysely";
import { HOSTED, type Hosted } from "../../../gateway/index.ts";
import type { FitEstimate } from "../../../hosting/hosts/index.ts";
import type { DB } from "../../../platform/core/db/schema.generated.ts";
import { DAY_MS, startOfHour } from "../../../platform/core/time.ts";
import type { Tier, Tiers } from "../live-models.ts";
import { isVisibleTo, type Viewer } from "../viewer.ts";
import { countTermsInName, matchesTerm, type Search, similarityOfId } from "./search.ts";
import { NEWEST_FIRST } from "./sort-orders.ts";

/** Filters of the catalogue, named as in the contract. */
export type CatalogueQuery = {
  search?: string;
  family?: string;
  sub_type?: string;
  model_class?: string;
  owner?: string;
  tags?: string;
  modality?: string;
  capability?: string;
  license?: string;
  language?: string;
  size?: string;
  min_params?: number;
  max_params?: number;
  min_context?: number;
  availability?: string;
  hosted?: string;
  fit?: string;
  gated?: boolean;
  callable?: boolean;
  saved?: boolean;
  status?: string;
  conversational?: boolean;
  released?: string;
  sort?: string;
};

/** The values that the filters need in addition to the columns of `models`. */
export type CatalogueContext = {
  viewer: Viewer;
  tiers: Tiers;
  /** Returns the keys of the models that can be called here, or elsewhere. */
  listHosted(hosted: Hosted): readonly string[];
  fit: Pick<FitEstimate, "maxParameters" | "maxSourceBytes" | "maxSafetensors" | "hosted">;
  /** The models on the operator's backends, to which gates do not apply. */
  operatorModels: readonly string[];
  now: Date;
  /** The parsed search; undefined without one. */
  search: Search | undefined;
};

type Models = ExpressionBuilder<DB, "models">;
type Condition = (eb: Models) => Expression<SqlBool>;

/** The tag in `models.tags` for each capability of the contract. */
export const CAPABILITY_TAGS = { tool_use: "tool-use", image_input: "vision", reasoning: "reasoning" } as const;
/** Size ranges for the filter and its facet. `low` is exclusive, `high` inclusive, in parameters. */
export const SIZES = [
  { value: "-4", label: "up to 4B", low: 0, high: 4e9 },
  { value: "4-15", label: "4 to 15B", low: 4e9, high: 15e9 },
  { value: "15-34", label: "15 to 34B", low: 15e9, high: 34e9 },
  { value: "34-100", label: "34 to 100B", low: 34e9, high: 100e9 },
  { value: "100-", label: "over 100B", low: 100e9, high: 1e18 },
] as const;
const BILLION = 1e9;
/** The largest value of an integer column; PostgreSQL raises an error for a larger one. */
const MAX_INT32 = 2_147_483_647;
const TREND_WINDOW_DAYS = 7;

function toParameterCount(billions: number): number {
  return Math.min(Math.round(billions * BILLION), Number.MAX_SAFE_INTEGER);
}

function parseList(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim().toLowerCase())
    .filter(Boolean)
    .slice(0, 50);
}

/** Conditions by filter name. */
type Filters = Partial<Record<string, Condition>>;

/** Returns the conditions of a query by filter name, so that a facet can be counted without its own filters. */
export function createFilters(query: CatalogueQuery, context: CatalogueContext): Filters {
  const { search } = context;
  return {
    visible: () => isVisibleTo(context.viewer),
    ...(search !== undefined && {
      search: (eb) => (search === null ? eb.val(false) : eb.and(search.terms.map(matchesTerm))),
    }),
    ...createNameFilters(query),
    ...createListFilters(query),
    ...createNumberFilters(query),
    ...createStateFilters(query, context),
  };
}

type NameColumn = "family_id" | "sub_type_id" | "model_class_id" | "owned_by" | "license";

/** Whether a column is one of the names in a list. */
function isAnyOf(column: NameColumn, text: string): Condition {
  return (eb) => eb(sql`lower(${sql.ref(`models.${column}`)})`, "in", parseList(text));
}

function createNameFilters({ family, sub_type, model_class, owner, license }: CatalogueQuery): Filters {
  return {
    ...(family && { family: isAnyOf("family_id", family) }),
    ...(sub_type && { sub_type: isAnyOf("sub_type_id", sub_type) }),
    ...(model_class && { model_class: isAnyOf("model_class_id", model_class) }),
    ...(owner && { owner: isAnyOf("owned_by", owner) }),
    ...(license && { license: isAnyOf("license", license) }),
  };
}

/** Whether a column with a list of names has one of the values. */
function overlaps(column: "tags" | "languages" | "input_modalities", values: readonly string[]): Condition {
  return () => sql<boolean>`${sql.ref(`models.${column}`)} && ${[...values]}::text[]`;
}

function createListFilters({ tags, modality, capability, language, conversational }: CatalogueQuery): Filters {
  return {
    ...(tags && { tags: () => sql<boolean>`models.tags @> ${parseList(tags)}::text[]` }),
    ...(modality && { modality: overlaps("input_modalities", parseList(modality)) }),
    ...(capability && { capability: overlaps("tags", parseList(capability).map(toTag)) }),
    ...(language && { language: overlaps("languages", parseList(language)) }),
    ...(conversational !== undefined && {
      conversational: () => sql<boolean>`('chat' = any(models.tags)) = ${conversational}`,
    }),
  };
}

function createNumberFilters({ size, min_params, max_params, min_context, released }: CatalogueQuery): Filters {
  return {
    ...(size && { size: (eb) => eb.or(parseList(size).map(sizeCondition)) }),
    ...(min_params !== undefined && {
      min_params: (eb) => eb("models.parameter_size", ">=", toParameterCount(min_params)),
    }),
    ...(max_params !== undefined && {
      max_params: (eb) => eb("models.parameter_size", "<=", toParameterCount(max_params)),
    }),
    ...(min_context !== undefined && { min_context: () => hasContext(Math.min(min_context, MAX_INT32)) }),
    ...(released && { released: (eb) => eb("models.released_date", "=", released) }),
  };
}

function createStateFilters(query: CatalogueQuery, context: CatalogueContext): Filters {
  const { gated, availability, hosted, fit, saved, status } = query;
  const { tiers, viewer } = context;
  return {
    ...(gated !== undefined && { gated: () => sql<boolean>`coalesce(models.is_gated, false) = ${gated}` }),
    ...(availability && { availability: tierCondition(parseList(availability), tiers) }),
    ...(hosted && { hosted: hostedCondition(parseList(hosted), context) }),
    ...(fit && { fit: (eb) => eb.or(parseList(fit).map((value) => fitCondition(value, context))) }),
    ...(query.callable !== undefined && { callable: callable(query.callable, context) }),
    ...(saved !== undefined && { saved: () => sql<boolean>`${isSavedBy(viewer.userId)} = ${saved}` }),
    ...(status && { status: statusCondition(status, tiers) }),
  };
}

/**
 * Returns the condition that the context length is at least this many tokens. It does not read the class of each model,
 * which would take several times as long.
 */
const hasContext = (
  tokens: number,
) => sql<boolean>`(models.context_length >= ${tokens} or (models.context_length is null
  and models.model_class_id in (select c.id from model_classes c where c.context_length >= ${tokens})))`;

/** The context length in tokens that limits calls: the model's own, or that of its class. */
export const contextLength = sql<number | null>`coalesce(
  models.context_length, (select c.context_length from model_classes c where c.id = models.model_class_id)
)`;

const toTag = (capability: string) => CAPABILITY_TAGS[capability as keyof typeof CAPABILITY_TAGS] ?? capability;

function sizeCondition(value: string): RawBuilder<boolean> {
  const { low, high } = SIZES.find((size) => size.value === value) ?? { low: 0, high: 0 };
  return sql<boolean>`(models.parameter_size > ${low} and models.parameter_size <= ${high})`;
}

function tierCondition(requestedTiers: readonly string[], tiers: Tiers): Condition {
  const ids = (tier: Tier) => [...tiers].filter(([, state]) => state === tier).map(([id]) => id);
  const running = requestedTiers.filter((tier) => tier !== "offline").flatMap((tier) => ids(tier as Tier));
  const listed = sql<boolean>`models.id = any(${running}::text[])`;
  if (!requestedTiers.includes("offline")) return () => listed;
  return (eb) => eb.or([listed, sql<boolean>`models.id <> all(${[...tiers.keys()]}::text[])`]);
}

function hostedCondition(requested: readonly string[], { listHosted }: CatalogueContext): Condition {
  const ids = new Set(
    HOSTED.filter((hosted) => requested.includes(hosted)).flatMap((hosted) => [...listHosted(hosted)]),
  );
  return () => sql<boolean>`models.id = any(${[...ids]}::text[])`;
}

/** Returns the condition that a model has this verdict. */
export function fitCondition(value: string, context: CatalogueContext): RawBuilder<boolean> {
  const verdict = fitOf(context, sql.ref("models.id"), sql.ref("models.parameter_size"));
  return sql<boolean>`(${mayHaveVerdict(value, context)} and ${verdict} = ${value})`;
}

/**
 * Returns a condition that an index can serve and that all models with this verdict fulfil. Computing the verdict of every
 * model would take long.
 */
function mayHaveVerdict(value: string, { fit }: CatalogueContext): RawBuilder<boolean> {
  const { fits, fits_quantized: fitsQuantized } = fit.maxParameters;
  const size = sql.ref("models.parameter_size");
  const ranges: Record<string, RawBuilder<boolean>> = {
    fits: sql`${size} <= ${fits}::bigint`,
    fits_quantized: sql`(${size} > ${fits}::bigint and ${size} <= ${fitsQuantized}::bigint)`,
    too_large: sql`${size} > ${fitsQuantized}::bigint`,
    unknown: sql`${size} is null`,
  };
  return sql<boolean>`(${ranges[value] ?? sql`false`} or models.id = any(${[...fit.hosted().keys()]}::text[])
    or models.id = any(array(select model_id from model_sources where smallest_bytes is not null or safetensors_bytes is not null)))`;
}

/**
 * Returns the verdict of a model, with the same rules as its DTO: from its file on this machine, or else from its files on
 * the hub (vLLM's first), or else from its number of parameters.
 */
export function fitOf(
  { fit }: CatalogueContext,
  id: RawBuilder<unknown>,
  size: RawBuilder<unknown>,
): RawBuilder<string> {
  const hosted = Map.groupBy(fit.hosted(), ([, verdict]) => verdict);
  const hostedCases = [...hosted].map(
    ([verdict, models]) => sql`when ${id} = any(${models.map(([key]) => key)}::text[]) then ${verdict}`,
  );
  const { maxParameters, maxSourceBytes, maxSafetensors } = fit;
  const onGpu =
    maxSafetensors === null
      ? sql``
      : sql`when s.safetensors_bytes + ${maxSafetensors.contextTokens}::bigint * s.safetensors_token_bytes
          <= ${maxSafetensors.bytes}::bigint then 'fits'`;
  return sql<string>`coalesce(
    case ${sql.join(hostedCases, sql` `)} when false then '' end,
    (select case
      ${onGpu}
      when s.precise_bytes <= ${maxSourceBytes.fits}::bigint then 'fits'
      when s.smallest_bytes <= ${maxSourceBytes.fits_quantized}::bigint then 'fits_quantized'
      when s.smallest_bytes is not null then 'too_large' end
      from model_sources s where s.model_id = ${id}),
    case
      when ${size} is null then 'unknown'
      when ${size} <= ${maxParameters.fits}::bigint then 'fits'
      when ${size} <= ${maxParameters.fits_quantized}::bigint then 'fits_quantized'
      else 'too_large' end
  )`;
}

/** Returns the condition that the viewer can call the model. It must agree with `access.callable` of the model's DTO. */
function callable(requestedTiers: boolean, { viewer, tiers, operatorModels, listHosted }: CatalogueContext): Condition {
  const { organizationId, plan } = viewer;
  const maxModelSize = plan?.maxModelSize ?? null;
  const here = viewer.callsElsewhere ? null : listHosted("here");
  const isWithinReach = here === null ? sql`true` : sql`models.id = any(${[...here]}::text[])`;
  return () => sql<boolean>`(
    models.id = any(${[...tiers.keys()]}::text[])
    and ${isWithinReach}
    and models.disabled_at is null
    and (models.plan_ids is null or ${plan?.id ?? null} = any(models.plan_ids))
    and (not coalesce(models.is_gated, false) or models.id = any(${[...operatorModels]}::text[])
      or ${isUnlockedBy(organizationId)})
    and (${maxModelSize}::bigint is null or coalesce(models.parameter_size <= ${maxModelSize}::bigint, false))
  ) = ${requestedTiers}`;
}

/** Returns the condition that the organization has unlocked the model. */
export function isUnlockedBy(organizationId: string | null): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from model_unlocks u where u.model_id = models.id and u.organization_id = ${organizationId}
  )`;
}

/** Returns the condition that the user has saved the model as a favorite. */
export function isSavedBy(userId: string | null): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from favorites f where f.model_id = models.id and f.user_id = ${userId})`;
}

function statusCondition(status: string, tiers: Tiers): Condition {
  const running = sql<boolean>`models.id = any(${[...tiers.keys()]}::text[])`;
  if (status === "active") return () => running;
  return () => sql<boolean>`(not ${running} and (models.status = 'pending_deploy') = ${status === "pending_deploy"})`;
}

/**
 * Returns the order of matches: exact ids, then names that contain the terms, then warm models, then curated ones, then the
 * newest.
 */
export function orderByRelevance({ text, terms }: NonNullable<Search>, tiers: Tiers): RawBuilder<unknown> {
  return sql`(models.id_lower = ${text}) desc, (lower(models.name) = ${text}) desc, ${countTermsInName(terms)} desc,
    (lower(models.owned_by) = ${text}) desc, round(${similarityOfId(text)} * 10) desc,
    (models.id = any(${listWarmKeys(tiers)}::text[])) desc, (models.source <> ${HUB_SOURCE}) desc, ${NEWEST_FIRST}`;
}

/** The source of models that were imported from the hub automatically. Models of other sources were added by somebody. */
export const HUB_SOURCE = "hub";

/** Returns the keys of the warm models. */
export const listWarmKeys = (tiers: Tiers) => [...tiers].filter(([, tier]) => tier === "warm").map(([id]) => id);

/** The first hour whose calls count for the trend. */
export const trendWindowStart = (now: Date) => startOfHour(new Date(now.getTime() - TREND_WINDOW_DAYS * DAY_MS));
