import type { Insertable, Selectable } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { ProviderKeys } from "../../platform/core/db/schema.generated.ts";

/** An organization's own key for a provider. The key is encrypted. */
export type ProviderKeyRow = Selectable<ProviderKeys>;
/** A key with the name of the user who set it. */
export type ProviderKeyDetails = ProviderKeyRow & { created_by_name: string | null };

/** Stores the keys of organizations for providers: one for each provider. */
export function createProviderKeysRepository(db: Database) {
  return { ...bind(db, { list: listKeys, find: findKey, noteRefusal }), set: setKey, delete: deleteKey };
}

export type ProviderKeysRepository = ReturnType<typeof createProviderKeysRepository>;

function listKeys(db: Database, organizationId: string): Promise<ProviderKeyDetails[]> {
  return db
    .selectFrom("provider_keys")
    .leftJoin("users", "users.id", "provider_keys.created_by")
    .selectAll("provider_keys")
    .select("users.name as created_by_name")
    .where("provider_keys.organization_id", "=", organizationId)
    .orderBy("provider_keys.provider")
    .execute();
}

function findKey(db: Database, organizationId: string, provider: string): Promise<ProviderKeyRow | undefined> {
  return db
    .selectFrom("provider_keys")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("provider", "=", provider)
    .executeTakeFirst();
}

/**
 * Stores the key, in place of the one that the organization has for the provider. It gets another id, so that a late refusal of
 * the one before is not noted for it.
 */
async function setKey(row: Insertable<ProviderKeys>, trx: Database): Promise<void> {
  await trx
    .insertInto("provider_keys")
    .values({ refusal: null, refused_at: null, ...row })
    .onConflict((conflict) =>
      conflict.columns(["organization_id", "provider"]).doUpdateSet((eb) => ({
        id: eb.ref("excluded.id"),
        label: eb.ref("excluded.label"),
        sealed_key: eb.ref("excluded.sealed_key"),
        last_characters: eb.ref("excluded.last_characters"),
        created_by: eb.ref("excluded.created_by"),
        created_at: eb.ref("excluded.created_at"),
        refusal: null,
        refused_at: null,
      })),
    )
    .execute();
}

/** Returns whether there was a key. */
async function deleteKey(organizationId: string, provider: string, trx: Database): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("provider_keys")
    .where("organization_id", "=", organizationId)
    .where("provider", "=", provider)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Notes why the provider refused a key, and when; null clears both. Does nothing if the key is gone. */
async function noteRefusal(db: Database, id: string, refusal: { error: string; at: Date } | null): Promise<void> {
  await db
    .updateTable("provider_keys")
    .set({ refusal: refusal?.error ?? null, refused_at: refusal?.at ?? null })
    .where("id", "=", id)
    .execute();
}
