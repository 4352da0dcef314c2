import type { Insertable } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { ChatShares } from "../../platform/core/db/schema.generated.ts";
import type { Owner } from "./conversation.ts";

/** A link to a copy of a conversation, without the copy. */
export type ShareRow = {
  id: string;
  conversation_id: string;
  sealed_title: Buffer;
  created_at: Date;
  expires_at: Date;
};

const COLUMNS = ["id", "conversation_id", "sealed_title", "created_at", "expires_at"] as const;

/** Stores links to copies of conversations. */
export function createSharesRepository(db: Database) {
  return { ...bind(db, { list, findCopy, isAllowed, removeEnded }), count, insert, remove };
}

export type SharesRepository = ReturnType<typeof createSharesRepository>;

const owned = (db: Database, { organizationId, userId }: Owner, now: Date) =>
  db
    .selectFrom("chat_shares")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("expires_at", ">", now);

/** Lists a person's links that have not ended, newest first. */
function list(db: Database, owner: Owner, now: Date): Promise<ShareRow[]> {
  return owned(db, owner, now).select(COLUMNS).orderBy("created_at", "desc").orderBy("id").execute();
}

async function count(owner: Owner, now: Date, trx: Database): Promise<number> {
  const row = await owned(trx, owner, now)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/**
 * Finds the copy behind a link. Null once it has ended, while its conversation is in the trash, when its owner is no member any more
 * or is suspended, and while the organization forbids links.
 */
async function findCopy(db: Database, tokenHash: Buffer, now: Date) {
  const row = await db
    .selectFrom("chat_shares as shares")
    .innerJoin("organizations", "organizations.id", "shares.organization_id")
    .innerJoin("users", "users.id", "shares.user_id")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.organization_id", "=", "shares.organization_id")
        .onRef("memberships.user_id", "=", "shares.user_id"),
    )
    .innerJoin("conversations", (join) =>
      join
        .onRef("conversations.organization_id", "=", "shares.organization_id")
        .onRef("conversations.user_id", "=", "shares.user_id")
        .onRef("conversations.id", "=", "shares.conversation_id"),
    )
    .select(["shares.organization_id", "sealed_title", "sealed_messages", "shares.created_at", "shares.expires_at"])
    .where("token_hash", "=", tokenHash)
    .where("shares.expires_at", ">", now)
    .where("organizations.chat_links", "=", true)
    .where("users.suspended_at", "is", null)
    .where("conversations.deleted_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns whether the organization allows links to chats. */
async function isAllowed(db: Database, organizationId: string, trx: Database = db): Promise<boolean> {
  const row = await trx
    .selectFrom("organizations")
    .select("chat_links")
    .where("id", "=", organizationId)
    .executeTakeFirst();
  return row?.chat_links === true;
}

function insert(row: Insertable<ChatShares>, trx: Database) {
  return trx.insertInto("chat_shares").values(row).returning(COLUMNS).executeTakeFirstOrThrow();
}

/** Deletes a link with its copy. Returns whether it was there. */
async function remove({ organizationId, userId }: Owner, id: string, trx: Database): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("chat_shares")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes the copies behind links that have ended. */
async function removeEnded(db: Database, now: Date): Promise<void> {
  await db.deleteFrom("chat_shares").where("expires_at", "<=", now).execute();
}
