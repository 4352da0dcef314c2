import { sql } from "kysely";
import type { Database } from "../core/db/connect.ts";
import { createSealer, SEALING_PURPOSES, type SealingPurpose } from "../core/secrets/sealing.ts";

type SealedColumn = { table: string; column: string; purpose: SealingPurpose };

/** Every column that holds values encrypted with the secret of the installation. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: "users", column: "sealed_totp_secret", purpose: SEALING_PURPOSES.secondFactors },
  // Before the copies of them in `backends`: a value that is not among them would replace them.
  { table: "backend_keys", column: "sealed_key", purpose: SEALING_PURPOSES.backendKeys },
  { table: "backends", column: "sealed_api_key", purpose: SEALING_PURPOSES.backendKeys },
  { table: "provider_keys", column: "sealed_key", purpose: SEALING_PURPOSES.providerKeys },
  { table: "tool_servers", column: "sealed_secret", purpose: SEALING_PURPOSES.toolServerSecrets },
  { table: "store_pulls", column: "sealed_token", purpose: SEALING_PURPOSES.hubTokens },
  { table: "model_requests", column: "hub_token", purpose: SEALING_PURPOSES.hubTokens },
  { table: "model_unlocks", column: "hub_token", purpose: SEALING_PURPOSES.hubTokens },
  { table: "webhook_endpoints", column: "secret", purpose: SEALING_PURPOSES.webhookSecrets },
  { table: "webhook_endpoints", column: "previous_secret", purpose: SEALING_PURPOSES.webhookSecrets },
  { table: "conversation_keys", column: "sealed_key", purpose: SEALING_PURPOSES.conversationKeys },
  { table: "saved_settings", column: "sealed_value", purpose: SEALING_PURPOSES.savedSettings },
];

/** Encrypts all values again with another secret. Throws if a value was not encrypted with `from`. */
export async function reencryptAll(trx: Database, from: Uint8Array, to: Uint8Array): Promise<void> {
  const resealed = new Map<string, Buffer>();
  for (const { table, column, purpose } of SEALED_COLUMNS) {
    const oldSealer = createSealer(from, purpose);
    const newSealer = createSealer(to, purpose);
    const { rows } = await sql<{ value: Buffer }>`
      select distinct ${sql.ref(column)} as value from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
      trx,
    );
    for (const { value } of rows) {
      const id = value.toString("base64");
      const sealed = resealed.get(id) ?? newSealer.seal(oldSealer.open(value));
      resealed.set(id, sealed); // copies stay equal
      await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${sealed}
        where ${sql.ref(column)} = ${value}`.execute(trx);
    }
  }
}

/** Returns whether the secret decrypts one value of each encrypted column. True where there are none. */
export async function canDecryptSealed(db: Database, secret: Uint8Array): Promise<boolean> {
  for (const { table, column, purpose } of SEALED_COLUMNS) {
    const { rows } = await sql<{ value: Buffer }>`
      select ${sql.ref(column)} as value from ${sql.table(table)} where ${sql.ref(column)} is not null limit 1`.execute(
      db,
    );
    const [row] = rows;
    if (row !== undefined && !canDecrypt(secret, purpose, row.value)) return false;
  }
  return true;
}

/**
 * Deletes everything that cannot be decrypted without the secret: keys of backends, keys of organizations for providers, hub tokens,
 * second factors, webhook endpoints, which are nothing without the secret that signs what they get, conversations, collections and
 * prompts.
 */
export async function deleteSealed(trx: Database): Promise<void> {
  await trx.deleteFrom("webhook_endpoints").execute();
  await trx.deleteFrom("provider_keys").execute();
  // With what their owners kept, and with collections: the key of an organization is all that decrypts it.
  await trx.deleteFrom("conversation_owners").execute();
  await trx.deleteFrom("prompts").execute();
  await trx.deleteFrom("conversation_keys").execute();
  for (const { table, column } of SEALED_COLUMNS)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = null where ${sql.ref(column)} is not null`.execute(
      trx,
    );
  await trx.updateTable("users").set({ totp_enabled_at: null }).where("totp_enabled_at", "is not", null).execute();
  await trx.deleteFrom("recovery_codes").execute();
}

function canDecrypt(secret: Uint8Array, purpose: SealingPurpose, sealed: Buffer): boolean {
  try {
    createSealer(secret, purpose).open(sealed);
    return true;
  } catch {
    return false;
  }
}
