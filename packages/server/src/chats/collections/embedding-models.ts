import { sql } from "kysely";
import type { Database } from "../../platform/core/db/connect.ts";

type Deps = {
  db: Database;
  /** The models that backends run or load when they are called, by key. */
  registry: { listWarmModels(): string[]; listColdModels(): string[] };
};

/**
 * Creates the function that finds a model for embeddings that an organization can call now, first one that is in memory; null if there is
 * none. Models of organizations are left out: those who have one name it.
 */
export const createFindEmbeddingModel =
  ({ db, registry }: Deps) =>
  async (): Promise<string | null> => {
    const warm = registry.listWarmModels();
    const keys = [...warm, ...registry.listColdModels()];
    if (keys.length === 0) return null;
    const row = await db
      .selectFrom("models")
      .select("id")
      .where("id", "in", keys)
      .where("organization_id", "is", null)
      .where("disabled_at", "is", null)
      .where(sql<boolean>`'embedding' = any (tags)`)
      .orderBy(sql`id = any (${warm})`, "desc")
      .orderBy("id")
      .executeTakeFirst();
    return row?.id ?? null;
  };
