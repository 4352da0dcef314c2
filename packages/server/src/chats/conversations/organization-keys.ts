import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { type ByteSealer, createSealerWithKey, type Sealer } from "../../platform/core/secrets/sealing.ts";
import { createWordHash, type HashWord } from "./words.ts";

/** What encrypts the chats and collections of an organization, hashes their words, and makes the secret parts of links to them. */
export type OrganizationKey = {
  sealer: ByteSealer;
  hash: HashWord;
  /** Returns the token in the address of a link: 192 bits, derived from the link's id with the key. */
  tokenOf(shareId: string): string;
};

type Deps = { db: Database; conversationKeySealer: Sealer; random?: (size: number) => Uint8Array };

const KEY_BYTES = 32;
const TOKEN_BYTES = 24;

/** Reads and makes the keys of organizations. They are stored encrypted with the secret of the installation. */
export function createOrganizationKeys(deps: Deps) {
  return bind(deps, { find: findKey, ensure: ensureKey });
}

export type OrganizationKeys = ReturnType<typeof createOrganizationKeys>;

/**
 * Returns the organization's key; null if it has no chats yet. Callers in a transaction pass it: one that waited for a second
 * connection could wait for those that wait for its locks.
 */
async function findKey(
  { db, conversationKeySealer }: Deps,
  organizationId: string,
  trx: Database = db,
): Promise<OrganizationKey | null> {
  const row = await trx
    .selectFrom("conversation_keys")
    .select("sealed_key")
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return row ? toOrganizationKey(conversationKeySealer.open(row.sealed_key)) : null;
}

/** Returns the organization's key, and makes it if there is none. */
async function ensureKey(deps: Deps, organizationId: string, trx: Database): Promise<OrganizationKey> {
  const { conversationKeySealer, random = randomBytes } = deps;
  const found = await findKey(deps, organizationId, trx);
  if (found) return found;
  const key = Buffer.from(random(KEY_BYTES)).toString("base64");
  const made = await trx
    .insertInto("conversation_keys")
    .values({ organization_id: organizationId, sealed_key: conversationKeySealer.seal(key) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (made.numInsertedOrUpdatedRows === 1n) return toOrganizationKey(key);
  const other = await findKey(deps, organizationId, trx);
  if (!other) throw new Error(`The organization ${organizationId} has no key for its chats.`);
  return other;
}

/** Derives a key for each purpose, so that hashes and links tell nothing about texts. */
function toOrganizationKey(key: string): OrganizationKey {
  const derive = (purpose: string) => Buffer.from(hkdfSync("sha256", Buffer.from(key, "base64"), "", purpose, 32));
  return {
    sealer: createSealerWithKey(derive("texts")),
    hash: createWordHash(derive("words")),
    tokenOf: (shareId) =>
      createHmac("sha256", derive("links")).update(shareId).digest().subarray(0, TOKEN_BYTES).toString("base64url"),
  };
}
