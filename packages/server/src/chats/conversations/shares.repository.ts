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
/** A link, and whether its copy can be read at present. */
export type ListedShareRow = ShareRow & { is_readable: boolean };

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
async function list(db: Database, owner: Owner, now: Date): Promise<ListedShareRow[]> {
  const rows = await owned(db, owner, now)
    .select(COLUMNS)
    .select((eb) =>
      eb
        .selectFrom("conversations")
        .select("deleted_at")
        .whereRef("conversations.organization_id", "=", "chat_shares.organization_id")
        .whereRef("conversations.user_id", "=", "chat_shares.user_id")
        .whereRef("conversations.id", "=", "chat_shares.conversation_id")
        .as("conversation_deleted_at"),
    )
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  const allowed = rows.length > 0 && (await isAllowed(db, owner.organizationId));
  return rows.map(({ conversation_deleted_at, ...row }) => ({
    ...row,
    is_readable: allowed && conversation_deleted_at === null,
  }));
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
