import type { Selectable } from "kysely";
import type { Database } from "../../platform/core/db/connect.ts";
import type { BackendKeys } from "../../platform/core/db/schema.generated.ts";

/** A key of a backend that an administrator added. The key is encrypted; null if the secret to read it was discarded. */
export type BackendKeyRow = Selectable<BackendKeys>;
/** A key to store. */
type NewBackendKey = Pick<BackendKeyRow, "id" | "label" | "weight" | "created_at"> & { sealed_key: Buffer };

/** What changes about a key; the rest stays. */
type KeyChange = { label?: string; weight?: number };
/** The result of changing a key. */
type Updated = "updated" | "no_key" | "label_taken";
/** The result of storing a key. */
type Added = { outcome: "added"; row: BackendKeyRow } | { outcome: "no_backend" | "too_many" | "label_taken" };

/**
 * Stores the keys of backends. `backends.sealed_api_key` stays a copy of one of them, with which servers of earlier versions
 * call the backend. Each change locks the row of the backend.
 */
export function createBackendKeysRepository(db: Database) {
  const lockBackend = (trx: Database, id: string) =>
    trx.selectFrom("backends").select("sealed_api_key").where("id", "=", id).forUpdate().executeTakeFirst();
  const listOf = (trx: Database, backendId: string) =>
    trx
      .selectFrom("backend_keys")
      .selectAll()
      .where("backend_id", "=", backendId)
      .orderBy("created_at")
      .orderBy("label");
  const setCopy = (trx: Database, id: string, sealed: Buffer | null) =>
    trx.updateTable("backends").set({ sealed_api_key: sealed }).where("id", "=", id).execute();

  return {
    /** Returns the keys of all backends, oldest first. */
    list: (): Promise<BackendKeyRow[]> =>
      db.selectFrom("backend_keys").selectAll().orderBy("created_at").orderBy("label").execute(),

    /** Adds a key to a backend that has fewer than `max`. Without a label it gets the first that is free. */
    add: (
      backendId: string,
      { label: given, ...fields }: Omit<NewBackendKey, "label"> & { label: string | undefined },
      max: number,
    ): Promise<Added> =>
      db.transaction().execute(async (trx) => {
        const backend = await lockBackend(trx, backendId);
        if (!backend) return { outcome: "no_backend" };
        const labels = new Set((await listOf(trx, backendId).execute()).map(({ label }) => label));
        if (labels.size >= max) return { outcome: "too_many" };
        const label = given ?? findFreeLabel(labels);
        if (labels.has(label)) return { outcome: "label_taken" };
        const row = await trx
          .insertInto("backend_keys")
          .values({ ...fields, label, backend_id: backendId })
          .returningAll()
          .executeTakeFirstOrThrow();
        if (backend.sealed_api_key === null) await setCopy(trx, backendId, fields.sealed_key);
        return { outcome: "added", row };
      }),

    /** Changes a key's label or weight. */
    update: (backendId: string, id: string, change: KeyChange): Promise<Updated> =>
      db.transaction().execute(async (trx) => {
        await lockBackend(trx, backendId);
        const keys = await listOf(trx, backendId).execute();
        if (!keys.some((key) => key.id === id)) return "no_key";
        if (keys.some((key) => key.id !== id && key.label === change.label)) return "label_taken";
        await trx.updateTable("backend_keys").set(change).where("id", "=", id).execute();
        return "updated";
      }),

    /** Removes a key. Returns it; undefined if the backend has none with this id. */
    remove: (backendId: string, id: string): Promise<BackendKeyRow | undefined> =>
      db.transaction().execute(async (trx) => {
        const backend = await lockBackend(trx, backendId);
        const keys = await listOf(trx, backendId).execute();
        const removed = keys.find((key) => key.id === id);
        if (!backend || !removed) return undefined;
        const other = keys.find((key) => key.id !== id && key.sealed_key !== null);
        if (removed.sealed_key !== null && backend.sealed_api_key?.equals(removed.sealed_key))
          await setCopy(trx, backendId, other?.sealed_key ?? null);
        await trx.deleteFrom("backend_keys").where("id", "=", id).execute();
        return removed;
      }),
  };
}

export type BackendKeysRepository = ReturnType<typeof createBackendKeysRepository>;

function findFreeLabel(taken: ReadonlySet<string>): string {
  let number = taken.size + 1;
  while (taken.has(`key ${number}`)) number += 1;
  return `key ${number}`;
}
