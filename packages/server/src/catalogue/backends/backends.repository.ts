import type { Selectable } from "kysely";
import type { Database } from "../../platform/core/db/connect.ts";
import { isUniqueViolation } from "../../platform/core/db/errors.ts";
import type { Backends } from "../../platform/core/db/schema.generated.ts";

/** A backend that an administrator added. */
export type BackendRow = Selectable<Backends>;
/** The columns that an administrator sets. The API key is encrypted. */
export type BackendFields = {
  name: string;
  base_url: string;
  api: string;
  /** Left out where the keys stay as they are, which may be changed at the same time. */
  sealed_api_key?: Buffer | null;
  models: string[];
  /** The aliases as JSON, as `toAliasesColumn` writes them. */
  aliases: string;
  weight: number;
  enabled: boolean;
  own_keys: string;
};

/** Stores the backends that administrators add. */
export function createBackendsRepository(db: Database) {
  return {
    list: () => db.selectFrom("backends").selectAll().orderBy("name").execute(),

    find: (id: string) => db.selectFrom("backends").selectAll().where("id", "=", id).executeTakeFirst(),

    /** Returns null if the name is taken. */
    create: (id: string, fields: BackendFields, now: Date): Promise<BackendRow | null> =>
      nullIfDuplicate(
        db
          .insertInto("backends")
          .values({ id, ...fields, created_at: now, updated_at: now })
          .returningAll()
          .executeTakeFirstOrThrow(),
      ),

    /** Returns null if the name is taken, undefined if there is no backend with this id. */
    update: (id: string, fields: BackendFields, now: Date): Promise<BackendRow | null | undefined> =>
      nullIfDuplicate(
        db
          .updateTable("backends")
          .set({ ...fields, updated_at: now })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirst(),
      ),

    delete: (id: string) => db.deleteFrom("backends").where("id", "=", id).returningAll().executeTakeFirst(),
  };
}

export type BackendsRepository = ReturnType<typeof createBackendsRepository>;

async function nullIfDuplicate<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}
