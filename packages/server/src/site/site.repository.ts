import { sql } from "kysely";
import type { Database } from "../platform/core/db/connect.ts";

/** A public model with the fields of its page. */
export type ListedModel = {
  id: string;
  description: string;
  family: string | null;
  familyId: string | null;
  parameterSize: number | null;
  contextLength: number | null;
  units: number;
  license: string | null;
  releasedDate: string | null;
  rating: number | null;
  reviewCount: number;
};

/** Queries of the public catalogue for pages, sitemaps and feeds. */
export function createSiteRepository(db: Database) {
  const selectListed = () =>
    db.selectFrom("models").where("organization_id", "is", null).where("disabled_at", "is", null);
  return {
    async model(id: string): Promise<ListedModel | null> {
      const row = await selectListed()
        .innerJoin("model_classes", "model_classes.id", "models.model_class_id")
        .leftJoin("families", "families.id", "models.family_id")
        .select(["models.id", "models.description", "models.parameter_size", "models.license", "models.family_id"])
        .select(["models.context_length", "model_classes.context_length as class_context_length", "concurrency_cost"])
        .select(["families.name as family", "released_date", "avg_rating", "total_reviews"])
        .where("id_lower", "=", id.toLowerCase())
        .executeTakeFirst();
      if (!row) return null;
      return {
        id: row.id,
        description: row.description,
        family: row.family,
        familyId: row.family_id,
        parameterSize: row.parameter_size,
        contextLength: row.context_length ?? row.class_context_length,
        units: row.concurrency_cost,
        license: row.license,
        releasedDate: row.released_date,
        rating: row.avg_rating === null ? null : Number(row.avg_rating),
        reviewCount: row.total_reviews,
      };
    },

    family: (id: string) =>
      db.selectFrom("families").select(["id", "name"]).where(sql`lower(id)`, "=", id.toLowerCase()).executeTakeFirst(),

    subType: (familyId: string, id: string) =>
      db
        .selectFrom("sub_types")
        .select(["family_id", "id", "name"])
        .where(sql`lower(family_id)`, "=", familyId.toLowerCase())
        .where(sql`lower(id)`, "=", id.toLowerCase())
        .executeTakeFirst(),

    listFamilies: () => db.selectFrom("families").select("id").orderBy("id").execute(),

    /** Returns the number of models that were released on a day (`YYYY-MM-DD`); 0 if the text is not a date. */
    async countReleasedOn(day: string): Promise<number> {
      const { count } = await selectListed()
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where((eb) => eb.cast<string>("released_date", "text"), "=", day)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async countModels(): Promise<number> {
      const { count } = await selectListed()
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Returns a range of all models, ordered by id. */
    listModels: (limit: number, offset: number) =>
      selectListed().select(["id", "updated_at"]).orderBy("id").limit(limit).offset(offset).execute(),

    /** Returns the newest models, for the feed. */
    listNewest: (limit: number) =>
      selectListed()
        .select(["id", "description", "released_date"])
        .where("released_date", "is not", null)
        .orderBy("released_date", "desc")
        .orderBy("id")
        .limit(limit)
        .execute(),
  };
}

export type SiteRepository = ReturnType<typeof createSiteRepository>;
