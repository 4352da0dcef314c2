import type { Selectable } from "kysely";
import { type SelectQueryBuilder, sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { DB, Models } from "../../db/schema.generated.ts";
import { type CatalogueContext, type CatalogueQuery, filters, ordering } from "./catalogue.query.ts";

export type ModelRow = Omit<Selectable<Models>, "search_text" | "readme"> & { concurrency_cost: number };
export type FacetCount = { value: string; label: string; count: number };

const LIST_COLUMNS = [
  "models.id",
  "id_lower",
  "owned_by",
  "models.name",
  "models.family_id",
  "sub_type_id",
  "model_class_id",
  "models.parameter_size",
  "models.active_parameters",
  "models.context_length",
  "models.max_completion_tokens",
  "description",
  "license",
  "tags",
  "languages",
  "models.input_modalities",
  "output_modalities",
  "architecture",
  "base_model",
  "is_gated",
  "is_private",
  "organization_id",
  "status",
  "released_date",
  "source",
  "favorites",
  "downloads",
  "avg_rating",
  "total_reviews",
  "created_at",
  "updated_at",
] as const;

const SIZES = [
  { value: "-4", label: "up to 4B", low: 0, high: 4e9 },
  { value: "4-15", label: "4 to 15B", low: 4e9, high: 15e9 },
  { value: "15-34", label: "15 to 34B", low: 15e9, high: 34e9 },
  { value: "34-100", label: "34 to 100B", low: 34e9, high: 100e9 },
  { value: "100-", label: "over 100B", low: 100e9, high: 1e18 },
];

export function createCatalogueRepository(db: Database) {
  type Query = SelectQueryBuilder<DB, "models", object>;

  function filtered(query: CatalogueQuery, context: CatalogueContext, but: readonly string[] = []): Query {
    const entries = Object.entries(filters(query, context)).filter(([name]) => !but.includes(name));
    return entries.reduce<Query>((select, [, where]) => select.where(where), db.selectFrom("models"));
  }

  async function count(query: CatalogueQuery, context: CatalogueContext): Promise<number> {
    const row = await filtered(query, context)
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return row.count;
  }

  async function facet(
    query: CatalogueQuery,
    context: CatalogueContext,
    name: "family" | "license" | "tags",
  ): Promise<FacetCount[]> {
    const value =
      name === "family"
        ? sql<string>`family_id`
        : name === "license"
          ? sql<string>`license`
          : sql<string>`unnest(tags)`;
    const rows = await filtered(query, context, [name])
      .select([value.as("value"), (eb) => eb.fn.countAll<number>().as("count")])
      .groupBy("value")
      .orderBy("count", "desc")
      .limit(60)
      .execute();
    return rows
      .filter((row) => row.value !== null)
      .map(({ value: id, count: n }) => ({ value: id, label: id, count: n }));
  }

  return {
    list: (query: CatalogueQuery, context: CatalogueContext, limit: number, offset: number): Promise<ModelRow[]> =>
      filtered(query, context)
        .innerJoin("model_classes", "model_classes.id", "models.model_class_id")
        .select(LIST_COLUMNS)
        .select("concurrency_cost")
        .orderBy(ordering(query, context.warm))
        .limit(limit)
        .offset(offset)
        .execute(),

    count,

    async facets(query: CatalogueQuery, context: CatalogueContext): Promise<Record<string, FacetCount[]>> {
      const [family, license, tags, names, sizes, warm] = await Promise.all([
        facet(query, context, "family"),
        facet(query, context, "license"),
        facet(query, context, "tags"),
        db.selectFrom("families").select(["id", "name"]).execute(),
        filtered(query, context, ["min_params", "max_params"])
          .select(
            SIZES.map(({ value, low, high }) =>
              sql<number>`count(*) filter (where parameter_size > ${low} and parameter_size <= ${high})`.as(value),
            ),
          )
          .executeTakeFirstOrThrow(),
        Promise.all(
          (["warm", "offline"] as const).map(async (tier) => ({
            value: tier,
            label: tier,
            count: await count({ ...query, availability: tier }, context),
          })),
        ),
      ]);
      const label = new Map(names.map((row) => [row.id, row.name]));
      const counted = sizes as Record<string, number>;
      return {
        availability: warm,
        size: SIZES.map(({ value, label: text }) => ({ value, label: text, count: counted[value] ?? 0 })),
        family: family.map((row) => ({ ...row, label: label.get(row.value) ?? row.value })),
        tags,
        license,
      };
    },

    find: (id: string, organizationId: string | null) =>
      db
        .selectFrom("models")
        .innerJoin("model_classes", "model_classes.id", "models.model_class_id")
        .select([...LIST_COLUMNS, "concurrency_cost", "readme"])
        .where("id_lower", "=", id.toLowerCase())
        .where((eb) => eb.or([eb("organization_id", "is", null), eb("organization_id", "=", organizationId)]))
        .executeTakeFirst(),

    async families() {
      const [families, subTypes, counts] = await Promise.all([
        db.selectFrom("families").selectAll().execute(),
        db.selectFrom("sub_types").selectAll().orderBy(sql`released_date desc nulls last`).execute(),
        db
          .selectFrom("models")
          .select(["family_id", "sub_type_id", (eb) => eb.fn.countAll<number>().as("count")])
          .where("organization_id", "is", null)
          .groupBy(["family_id", "sub_type_id"])
          .execute(),
      ]);
      const countOf = (family: string, subType?: string) =>
        counts
          .filter((row) => row.family_id === family && (subType === undefined || row.sub_type_id === subType))
          .reduce((sum, row) => sum + row.count, 0);
      return families
        .map((family) => ({
          ...family,
          model_count: countOf(family.id),
          sub_types: subTypes
            .filter((row) => row.family_id === family.id)
            .map(({ family_id: _, ...row }) => ({ ...row, model_count: countOf(family.id, row.id) })),
        }))
        .sort((a, b) => b.model_count - a.model_count || a.name.localeCompare(b.name));
    },

    classes: () =>
      db
        .selectFrom("model_classes")
        .leftJoin("models", (join) =>
          join.onRef("models.model_class_id", "=", "model_classes.id").on("models.organization_id", "is", null),
        )
        .selectAll("model_classes")
        .select((eb) => eb.fn.count<number>("models.id").as("model_count"))
        .groupBy("model_classes.id")
        .orderBy("model_classes.id")
        .execute(),

    popular: () =>
      db
        .selectFrom("requests")
        .innerJoin("models", "models.id", "requests.model_id")
        .select(["models.id", (eb) => eb.fn.countAll<number>().as("requests_7d")])
        .where("models.organization_id", "is", null)
        .where("started_at", ">", sql<Date>`now() - interval '7 days'`)
        .groupBy("models.id")
        .orderBy("requests_7d", "desc")
        .limit(20)
        .execute(),

    releases: (limit: number, offset: number) =>
      db
        .selectFrom("models")
        .select([
          "released_date as date",
          (eb) => eb.fn.countAll<number>().as("model_count"),
          sql<string[]>`array_agg(id order by id_lower)`.as("models"),
        ])
        .where("released_date", "is not", null)
        .where("organization_id", "is", null)
        .groupBy("released_date")
        .orderBy("released_date", "desc")
        .limit(limit)
        .offset(offset)
        .execute(),

    stats: () =>
      db
        .selectNoFrom([
          sql<number>`(select count(*) from models where organization_id is null)`.as("model_count"),
          sql<number>`(select count(distinct family_id) from models where organization_id is null)`.as("family_count"),
          sql<number>`(select count(distinct released_date) from models where organization_id is null)`.as(
            "release_count",
          ),
          sql<number>`(select count(*) from requests where started_at > now() - interval '24 hours')`.as(
            "requests_24h",
          ),
          sql<number>`(select coalesce(sum(prompt_tokens + completion_tokens), 0)::bigint from requests where started_at > now() - interval '24 hours')`.as(
            "tokens_24h",
          ),
        ])
        .executeTakeFirstOrThrow(),

    /** Adds models that a backend runs and the catalogue lacks; answers the canonical id of each. */
    async adopt(ids: readonly string[], classId: string): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map();
      await db
        .insertInto("model_classes")
        .values({ id: classId, name: classId, context_length: 8192, concurrency_cost: 1 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const rows = ids.map((id) => {
        const slash = id.indexOf("/");
        return {
          id,
          id_lower: id.toLowerCase(),
          owned_by: id.slice(0, slash),
          name: id.slice(slash + 1),
          model_class_id: classId,
          description: "Runs on a backend here; the catalogue knows no more of it.",
          source: "backend",
        };
      });
      await db
        .insertInto("models")
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const found = await db
        .selectFrom("models")
        .select(["id", "id_lower"])
        .where(
          "id_lower",
          "in",
          ids.map((id) => id.toLowerCase()),
        )
        .execute();
      const byLower = new Map(found.map((row) => [row.id_lower, row.id]));
      return new Map(ids.map((id) => [id, byLower.get(id.toLowerCase()) ?? id]));
    },
  };
}

export type CatalogueRepository = ReturnType<typeof createCatalogueRepository>;
