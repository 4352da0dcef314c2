import type { Selectable } from "kysely";
import { type SelectQueryBuilder, sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { DB, Models } from "../../db/schema.generated.ts";
import {
  type CatalogueContext,
  type CatalogueQuery,
  contextLength,
  filters,
  ordering,
  SIZES,
  savedBy,
  unlockedBy,
} from "./catalogue.query.ts";
import { type Reader, visibleTo } from "./reader.ts";

/** A model with what its class adds, and what the reader has done with it. */
export type ModelRow = Omit<Selectable<Models>, "search_text" | "joined_id" | "readme" | "context_length"> & {
  context_length: number;
  concurrency_cost: number;
  is_moe: boolean;
  unlocked: boolean;
  is_favorite: boolean;
};
export type FacetCount = { value: string; label: string; count: number };

const LIST_COLUMNS = [
  "models.id",
  "models.id_lower",
  "models.owned_by",
  "models.name",
  "models.family_id",
  "models.sub_type_id",
  "models.model_class_id",
  "models.parameter_size",
  "models.active_parameters",
  "models.description",
  "models.license",
  "models.tags",
  "models.languages",
  "models.input_modalities",
  "models.output_modalities",
  "models.architecture",
  "models.base_model",
  "models.is_gated",
  "models.is_private",
  "models.organization_id",
  "models.status",
  "models.released_date",
  "models.source",
  "models.favorites",
  "models.downloads",
  "models.avg_rating",
  "models.total_reviews",
  "models.plan_ids",
  "models.disabled_at",
  "models.hub_revision",
  "models.hub_checked_at",
  "models.hf_created_at",
  "models.created_at",
  "models.updated_at",
] as const;
const TIERS = ["warm", "loading", "cold", "offline"] as const;
const CAPABILITIES = [
  { value: "tool_use", label: "Tool use", tag: "tool-use" },
  { value: "image_input", label: "Image input", tag: "vision" },
  { value: "reasoning", label: "Reasoning", tag: "reasoning" },
];
/** Columns that facets count by their values, with the filter that each belongs to. */
const COUNTED = {
  family: sql<string>`family_id`,
  license: sql<string>`license`,
  tags: sql<string>`unnest(tags)`,
  modality: sql<string>`unnest(input_modalities)`,
  language: sql<string>`unnest(languages)`,
  owner: sql<string>`owned_by`,
};

export function createCatalogueRepository(db: Database) {
  type Query = SelectQueryBuilder<DB, "models", object>;

  function filtered(query: CatalogueQuery, context: CatalogueContext, but: readonly string[] = []): Query {
    const conditions = Object.entries(filters(query, context)).filter(([name]) => !but.includes(name));
    return conditions.reduce<Query>(
      (select, [, where]) => (where ? select.where(where) : select),
      db.selectFrom("models"),
    );
  }

  const rows = (reader: Reader, from: Query) =>
    from
      .innerJoin("model_classes", "model_classes.id", "models.model_class_id")
      .select(LIST_COLUMNS)
      .select([
        "concurrency_cost",
        contextLength.as("context_length"),
        sql<number | null>`coalesce(models.max_completion_tokens, model_classes.max_completion_tokens)`.as(
          "max_completion_tokens",
        ),
        sql<boolean>`(model_classes.is_moe or 'moe' = any(models.tags))`.as("is_moe"),
        unlockedBy(reader.organizationId).as("unlocked"),
        savedBy(reader.userId).as("is_favorite"),
      ]);

  async function facet(query: CatalogueQuery, context: CatalogueContext, name: keyof typeof COUNTED) {
    const counted = await filtered(query, context, [name])
      .select([COUNTED[name].as("value"), (eb) => eb.fn.countAll<number>().as("count")])
      .groupBy("value")
      .orderBy("count", "desc")
      .orderBy("value")
      .limit(60)
      .execute();
    return counted
      .filter((row) => row.value !== null)
      .map(({ value, count }): FacetCount => ({ value, label: value, count }));
  }

  async function count(query: CatalogueQuery, context: CatalogueContext): Promise<number> {
    const row = await filtered(query, context)
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return row.count;
  }

  async function sizes(query: CatalogueQuery, context: CatalogueContext): Promise<FacetCount[]> {
    const counts: Record<string, number> = await filtered(query, context, ["size", "min_params", "max_params"])
      .select(
        SIZES.map(({ value, low, high }) =>
          sql<number>`count(*) filter (where parameter_size > ${low} and parameter_size <= ${high})`.as(value),
        ),
      )
      .executeTakeFirstOrThrow();
    return SIZES.map(({ value, label }) => ({ value, label, count: counts[value] ?? 0 }));
  }

  async function capabilities(query: CatalogueQuery, context: CatalogueContext): Promise<FacetCount[]> {
    const counts: Record<string, number> = await filtered(query, context, ["capability"])
      .select(
        CAPABILITIES.map(({ value, tag }) => sql<number>`count(*) filter (where ${tag} = any(models.tags))`.as(value)),
      )
      .executeTakeFirstOrThrow();
    return CAPABILITIES.map(({ value, label }) => ({ value, label, count: counts[value] ?? 0 }));
  }

  return {
    list: (query: CatalogueQuery, context: CatalogueContext, limit: number, offset: number): Promise<ModelRow[]> =>
      rows(context.reader, filtered(query, context))
        .orderBy(ordering(query, context))
        .limit(limit)
        .offset(offset)
        .execute(),

    count,

    async facets(query: CatalogueQuery, context: CatalogueContext): Promise<Record<string, FacetCount[]>> {
      const [names, family, license, tags, modality, language, owner, size, capability, availability] =
        await Promise.all([
          db.selectFrom("families").select(["id", "name"]).execute(),
          facet(query, context, "family"),
          facet(query, context, "license"),
          facet(query, context, "tags"),
          facet(query, context, "modality"),
          facet(query, context, "language"),
          facet(query, context, "owner"),
          sizes(query, context),
          capabilities(query, context),
          Promise.all(
            TIERS.map(async (tier) => ({
              value: tier,
              label: tier,
              count: await count({ ...query, availability: tier }, context),
            })),
          ),
        ]);
      const label = new Map(names.map((row) => [row.id, row.name]));
      const families = family.map((row) => ({ ...row, label: label.get(row.value) ?? row.value }));
      return { availability, size, family: families, tags, license, modality, capability, language, owner };
    },

    find: (id: string, reader: Reader): Promise<(ModelRow & { readme: string | null }) | undefined> =>
      rows(reader, db.selectFrom("models").where("id_lower", "=", id.toLowerCase()).where(visibleTo(reader)))
        .select("readme")
        .executeTakeFirst(),

    /** What a user saved, the newest first. */
    favorites: (reader: Reader): Promise<ModelRow[]> =>
      rows(reader, db.selectFrom("models").where(visibleTo(reader)))
        .innerJoin("favorites as saved", "saved.model_id", "models.id")
        .where("saved.user_id", "=", reader.userId)
        .orderBy("saved.created_at", "desc")
        .orderBy("models.id_lower")
        .limit(10_000)
        .execute(),

    async favorite(userId: string, modelId: string, now: Date): Promise<void> {
      await db
        .insertInto("favorites")
        .values({ user_id: userId, model_id: modelId, created_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async unfavorite(userId: string, modelId: string): Promise<void> {
      await db.deleteFrom("favorites").where("user_id", "=", userId).where("model_id", "=", modelId).execute();
    },

    /** Every model for admins, the newest first. */
    async all(search: CatalogueContext, query: CatalogueQuery, limit: number, offset: number) {
      const matching = filtered(query, search, ["visible"]);
      const [items, { total }] = await Promise.all([
        rows(search.reader, matching).orderBy(ordering(query, search)).limit(limit).offset(offset).execute() as Promise<
          ModelRow[]
        >,
        matching.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow(),
      ]);
      return { items, total };
    },

    findAny: (id: string, reader: Reader): Promise<(ModelRow & { readme: string | null }) | undefined> =>
      rows(reader, db.selectFrom("models").where("id_lower", "=", id.toLowerCase()))
        .select("readme")
        .executeTakeFirst(),
  };
}

export type CatalogueRepository = ReturnType<typeof createCatalogueRepository>;
