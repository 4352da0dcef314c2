import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";

/** The source of models that were only found on a backend. */
const BACKEND_SOURCE = "backend";
const NO_CONTEXT_LENGTHS: ReadonlyMap<string, number> = new Map();
const UNKNOWN_CLASS = { id: "unknown", name: "unknown", context_length: 8192, concurrency_cost: 1 };

/**
 * Returns a function that adds models which a backend runs and the catalogue lacks, and returns the canonical id of
 * each by the id that was passed in. The backend's context length is stored, and updated when it changes there: for
 * these models the backend is the only source.
 */
export function createEnsureModels(db: Database, clock: Clock, invalidateModels: () => void) {
  return async (
    ids: readonly string[],
    contextLengths: ReadonlyMap<string, number> = NO_CONTEXT_LENGTHS,
  ): Promise<Map<string, string>> => {
    if (ids.length === 0) return new Map();
    await updateContextLengths(contextLengths);
    const lowerIds = ids.map((id) => id.toLowerCase());
    const known = await findIds(lowerIds);
    const missing = ids.filter((id) => !known.has(id.toLowerCase()));
    if (missing.length === 0) return toCanonicalIds(ids, known);
    await db
      .insertInto("model_classes")
      .values(UNKNOWN_CLASS)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const now = clock.now();
    await db
      .insertInto("models")
      .values(
        missing.map((id) => ({
          ...toModelRow(id),
          context_length: contextLengths.get(id) ?? null,
          created_at: now,
          updated_at: now,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    invalidateModels();
    return toCanonicalIds(ids, await findIds(lowerIds));
  };

  async function updateContextLengths(contextLengths: ReadonlyMap<string, number>): Promise<void> {
    for (const [id, context_length] of contextLengths) {
      const [changed] = await db
        .updateTable("models")
        .set({ context_length })
        .where("id_lower", "=", id.toLowerCase())
        .where("source", "=", BACKEND_SOURCE)
        .where("context_length", "is distinct from", context_length)
        .execute();
      if (changed && changed.numUpdatedRows > 0n) invalidateModels();
    }
  }

  async function findIds(lowerIds: readonly string[]): Promise<Map<string, string>> {
    const found = await db.selectFrom("models").select(["id", "id_lower"]).where("id_lower", "in", lowerIds).execute();
    return new Map(found.map((row) => [row.id_lower, row.id]));
  }
}

function toCanonicalIds(ids: readonly string[], byLower: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(ids.map((id) => [id, byLower.get(id.toLowerCase()) ?? id]));
}

function toModelRow(id: string) {
  const [owner = "", name = ""] = id.split("/");
  return {
    id,
    id_lower: id.toLowerCase(),
    owned_by: owner,
    name,
    model_class_id: UNKNOWN_CLASS.id,
    description: "Runs on a backend here; the catalogue knows no more of it.",
    source: BACKEND_SOURCE,
  };
}
