import { sql } from "kysely";
import type { Database } from "../../platform/core/db/connect.ts";

/**
 * Returns a function that finds the number of parameters of models, by their ids in lower case; null where it is not known.
 * Models that the catalogue does not have are left out.
 */
export function createFindSizes(db: Database) {
  return async (ids: readonly string[]): Promise<ReadonlyMap<string, number | null>> => {
    if (ids.length === 0) return new Map();
    const rows = await db
      .selectFrom("models")
      .select(["id_lower", "parameter_size"])
      .where(sql<boolean>`id_lower = any(${ids.map((id) => id.toLowerCase())}::text[])`)
      .execute();
    return new Map(rows.map(({ id_lower, parameter_size }) => [id_lower, parameter_size]));
  };
}
