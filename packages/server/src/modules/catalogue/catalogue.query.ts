import type { Expression, ExpressionBuilder, RawBuilder } from "kysely";
import { type SqlBool, sql } from "kysely";
import type { DB } from "../../db/schema.generated.ts";

/** Filters of the catalogue, as the contract names them. */
export type CatalogueQuery = {
  search?: string;
  family?: string;
  sub_type?: string;
  model_class?: string;
  owner?: string;
  tags?: string;
  modality?: "text" | "image";
  capability?: "tool_use" | "image_input" | "reasoning";
  license?: string;
  language?: string;
  min_params?: number;
  max_params?: number;
  min_context?: number;
  availability?: "warm" | "loading" | "cold" | "offline";
  gated?: boolean;
  callable?: boolean;
  released?: string;
  sort?: string;
};

/** What the filters need to know besides the rows: who answers now, and what the caller's plan allows. */
export type CatalogueContext = {
  organizationId: string | null;
  warm: readonly string[];
  maxModelSize: number | null | undefined;
};

type Models = ExpressionBuilder<DB, "models">;

const CAPABILITY_TAGS = { tool_use: "tool-use", image_input: "vision", reasoning: "reasoning" } as const;
const BILLION = 1e9;
/** What the database's columns hold at most; more would be refused there. */
const LARGEST_INTEGER = 2_147_483_647;

function parameters(billions: number): number {
  return Math.min(Math.round(billions * BILLION), Number.MAX_SAFE_INTEGER);
}

/** Filters by name, so that a facet can be counted with all filters but its own. */
export function filters(
  query: CatalogueQuery,
  context: CatalogueContext,
): Partial<Record<keyof CatalogueQuery | "visible", (eb: Models) => Expression<SqlBool>>> {
  const among =
    (column: "family_id" | "sub_type_id" | "model_class_id" | "owned_by" | "license", text: string) => (eb: Models) =>
      eb(sql`lower(${sql.ref(`models.${column}`)})`, "in", words(text));
  return {
    visible: (eb) =>
      eb.or([eb("models.organization_id", "is", null), eb("models.organization_id", "=", context.organizationId)]),
    ...(query.search?.trim() && { search: (eb) => searched(eb, query.search ?? "") }),
    ...(query.family && { family: among("family_id", query.family) }),
    ...(query.sub_type && { sub_type: among("sub_type_id", query.sub_type) }),
    ...(query.model_class && { model_class: among("model_class_id", query.model_class) }),
    ...(query.owner && { owner: among("owned_by", query.owner) }),
    ...(query.license && { license: among("license", query.license) }),
    ...(query.tags && { tags: (eb) => eb(sql<boolean>`models.tags @> ${words(query.tags ?? "")}::text[]`, "=", true) }),
    ...(query.modality && {
      modality: (eb) => eb(sql<boolean>`${query.modality} = any(models.input_modalities)`, "=", true),
    }),
    ...(query.capability && {
      capability: (eb) =>
        eb(sql<boolean>`${CAPABILITY_TAGS[query.capability ?? "tool_use"]} = any(models.tags)`, "=", true),
    }),
    ...(query.language && { language: (eb) => eb(sql<boolean>`${query.language} = any(models.languages)`, "=", true) }),
    ...(query.min_params !== undefined && {
      min_params: (eb) => eb("models.parameter_size", ">=", parameters(query.min_params ?? 0)),
    }),
    ...(query.max_params !== undefined && {
      max_params: (eb) => eb("models.parameter_size", "<=", parameters(query.max_params ?? 0)),
    }),
    ...(query.min_context !== undefined && {
      min_context: (eb) => eb("models.context_length", ">=", Math.min(query.min_context ?? 0, LARGEST_INTEGER)),
    }),
    ...(query.released && { released: (eb) => eb("models.released_date", "=", query.released ?? "") }),
    ...(query.gated !== undefined && {
      gated: (eb) => eb(sql<boolean>`coalesce(models.is_gated, false)`, "=", query.gated ?? false),
    }),
    ...(query.availability && { availability: (eb) => available(eb, query.availability ?? "warm", context.warm) }),
    ...(query.callable && { callable: (eb) => callable(eb, context) }),
  };
}

export function words(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim().toLowerCase())
    .filter(Boolean)
    .slice(0, 50);
}

/** Every word must occur, or the whole must be spelled nearly like the id. */
function searched(eb: Models, search: string): Expression<SqlBool> {
  const text = search.trim().toLowerCase().slice(0, 200);
  const parts = text
    .split(/\s+/)
    .slice(0, 8)
    .map((word) => eb("models.search_text", "like", `%${word.replaceAll(/[\\%_]/g, "\\$&")}%`));
  return eb.or([eb.and(parts), sql<boolean>`${text} <% models.search_text`]);
}

function available(eb: Models, tier: string, warm: readonly string[]): Expression<SqlBool> {
  if (tier === "warm") return warm.length > 0 ? eb("models.id", "in", [...warm]) : eb.val(false);
  if (tier === "offline") return warm.length > 0 ? eb("models.id", "not in", [...warm]) : eb.val(true);
  return eb.val(false);
}

function callable(eb: Models, { warm, maxModelSize }: CatalogueContext): Expression<SqlBool> {
  const fits =
    maxModelSize === null || maxModelSize === undefined
      ? eb.val(true)
      : eb.or([eb("models.parameter_size", "is", null), eb("models.parameter_size", "<=", maxModelSize)]);
  return eb.and([fits, available(eb, "warm", warm)]);
}

/** The order wanted. Without one: exact ids first, then warm models, then the newest. */
export function ordering(query: CatalogueQuery, warm: readonly string[]): RawBuilder<unknown> {
  const text = (query.search ?? "").trim().toLowerCase();
  const exact = sql`(models.id_lower = ${text}) desc, (lower(models.name) = ${text}) desc`;
  const trending = sql`(select count(*) from requests r where r.model_id = models.id and r.started_at > now() - interval '7 days') desc`;
  const byName: Record<string, RawBuilder<unknown>> = {
    "-trending_rank": sql`${trending}, models.released_date desc nulls last`,
    "-downloads": sql`models.downloads desc`,
    "-favorites": sql`models.favorites desc`,
    "-released_date": sql`models.released_date desc nulls last`,
    "-created_at": sql`models.created_at desc`,
    parameter_size: sql`models.parameter_size asc nulls last`,
    "-parameter_size": sql`models.parameter_size desc nulls last`,
    "-avg_rating": sql`models.avg_rating desc nulls last`,
    name: sql`lower(models.name) asc`,
  };
  const wanted = query.sort === undefined ? undefined : byName[query.sort];
  if (wanted) return sql`${wanted}, models.id_lower`;
  const near = text === "" ? sql`` : sql`word_similarity(${text}, models.id_lower) desc,`;
  return sql`${exact}, ${near} (models.id = any(${[...warm]}::text[])) desc, models.released_date desc nulls last, models.id_lower`;
}
