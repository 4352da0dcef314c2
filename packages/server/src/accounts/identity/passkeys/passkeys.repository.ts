import type { Database } from "../../../platform/core/db/connect.ts";

/** A verified passkey to store. */
export type NewPasskey = {
  id: string;
  user_id: string;
  credential_id: Buffer;
  public_key: Buffer;
  sign_count: number;
  transports: string[];
  backed_up: boolean;
  name: string;
  created_at: Date;
};

/** What the use of a passkey changes. `signs_in_alone` is set when it was used after the password. */
export type PasskeyUsage = { sign_count: number; backed_up: boolean; last_used_at: Date; signs_in_alone?: true };

/** Creates the repository of passkeys. */
export function createPasskeysRepository(db: Database) {
  return {
    list: (userId: string, trx: Database = db) =>
      trx
        .selectFrom("passkeys")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("created_at")
        .orderBy("id")
        .execute(),

    /** Locks the passkey with this credential id until the transaction ends. */
    lockByCredential: (credentialId: Buffer, trx: Database) =>
      trx.selectFrom("passkeys").selectAll().where("credential_id", "=", credentialId).forUpdate().executeTakeFirst(),

    /** Inserts a passkey. Returns undefined if any user has registered the credential. */
    insert: (passkey: NewPasskey, trx: Database) =>
      trx
        .insertInto("passkeys")
        .values(passkey)
        .onConflict((conflict) => conflict.column("credential_id").doNothing())
        .returningAll()
        .executeTakeFirst(),

    markUsed: (id: string, usage: PasskeyUsage, trx: Database) =>
      trx.updateTable("passkeys").set(usage).where("id", "=", id).execute(),

    rename: (userId: string, id: string, name: string, trx: Database) =>
      trx
        .updateTable("passkeys")
        .set({ name })
        .where("id", "=", id)
        .where("user_id", "=", userId)
        .returningAll()
        .executeTakeFirst(),

    remove: (userId: string, id: string, trx: Database) =>
      trx.deleteFrom("passkeys").where("id", "=", id).where("user_id", "=", userId).returningAll().executeTakeFirst(),

    removeAll: (userId: string, trx: Database) => trx.deleteFrom("passkeys").where("user_id", "=", userId).execute(),
  };
}

/** Stores passkeys. */
export type PasskeysRepository = ReturnType<typeof createPasskeysRepository>;
/** A stored passkey. */
export type PasskeyRow = Awaited<ReturnType<PasskeysRepository["list"]>>[number];
