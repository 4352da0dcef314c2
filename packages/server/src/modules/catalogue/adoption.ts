import type { Database } from "../../db/connect.ts";

const UNKNOWN_CLASS = { id: "unknown", name: "unknown", context_length: 8192, concurrency_cost: 1 };

/** Adds models that a backend runs and the catalogue lacks; answers the canonical id of each. */
export function createAdoption(db: Database, forgetModels: () => void) {
  return async (ids: readonly string[]): Promise<Map<string, string>> => {
    if (ids.length === 0) return new Map();
    const lower = ids.map((id) => id.toLowerCase());
    const known = await idsOf(lower);
    const missing = ids.filter((id) => !known.has(id.toLowerCase()));
    if (missing.length === 0) return canonical(ids, known);
    await db
      .insertInto("model_classes")
      .values(UNKNOWN_CLASS)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await db
      .insertInto("models")
      .values(missing.map(rowOf))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    forgetModels();
    return canonical(ids, await idsOf(lower));
  };

  async function idsOf(lower: readonly string[]): Promise<Map<string, string>> {
    const found = await db.selectFrom("models").select(["id", "id_lower"]).where("id_lower", "in", lower).execute();
    return new Map(found.map((row) => [row.id_lower, row.id]));
  }
}

function canonical(ids: readonly string[], byLower: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(ids.map((id) => [id, byLower.get(id.toLowerCase()) ?? id]));
}

function rowOf(id: string) {
  const [owner = "", name = ""] = id.split("/");
  return {
    id,
    id_lower: id.toLowerCase(),
    owned_by: owner,
    name,
    model_class_id: UNKNOWN_CLASS.id,
    description: "Runs on a backend here; the catalogue knows no more of it.",
    source: "backend",
  };
}
