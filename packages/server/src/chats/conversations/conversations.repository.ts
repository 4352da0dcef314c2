import { type Insertable, type Selectable, sql } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { ConversationEntries, Conversations } from "../../platform/core/db/schema.generated.ts";
import type { Owner } from "./conversation.ts";

/** A conversation whose fields are encrypted. */
export type ConversationRow = Omit<Selectable<Conversations>, "organization_id" | "user_id" | "words">;
/** A message whose fields are encrypted, with its place in the conversation. */
export type EntryRow = Pick<Selectable<ConversationEntries>, "id" | "position" | "sealed_fields">;
/** A message to store. `words` are hashes in digits. */
export type EntryWrite = { id: string; position: number; sealed: Buffer; words: readonly string[]; savedAt: Date };

const COLUMNS = [
  "id",
  "sealed_fields",
  "version",
  "revision",
  "entries",
  "last_position",
  "created_at",
  "updated_at",
  "deleted_at",
  "stored_at",
  "bytes",
] as const;

/** Stores conversations and their messages. */
export function createConversationsRepository(db: Database) {
  return {
    ...bind(db, { find, list, listChanged, listDeleted, hasChangedAfter, listEntries, findEntry, search, readPolicy }),
    lockOwner,
    addBytes,
    wasDeleted,
    count,
    put,
    findStored,
    putEntries,
    touch,
    noteAnswered,
    removeAll,
    remove,
  };
}

export type ConversationsRepository = ReturnType<typeof createConversationsRepository>;

const owned = (db: Database, { organizationId, userId }: Owner) =>
  db
    .selectFrom("conversations")
    .select(COLUMNS)
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId);

function find(db: Database, owner: Owner, id: string, trx: Database = db): Promise<ConversationRow | undefined> {
  return owned(trx, owner).where("id", "=", id).executeTakeFirst();
}

/** Lists conversations that are not in the trash, those changed last first, and how many there are. */
async function list(
  db: Database,
  owner: Owner,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ConversationRow[]; total: number }> {
  const rows = await owned(db, owner)
    .where("deleted_at", "is", null)
    .orderBy("updated_at", "desc")
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
  const { count } = await db
    .selectFrom("conversations")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", owner.organizationId)
    .where("user_id", "=", owner.userId)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return { rows, total: Number(count) };
}

/** Lists conversations that changed after a revision, in the order of the changes, until they have the bytes; at least one. */
async function listChanged(
  db: Database,
  { organizationId, userId }: Owner,
  after: number,
  { limit, bytes }: { limit: number; bytes: number },
): Promise<ConversationRow[]> {
  const { rows } = await sql<ConversationRow>`
    select ${sql.join(COLUMNS.map((name) => sql.ref(name)))} from (
      select *, sum(bytes) over (order by revision) - bytes as bytes_before from (
        select * from conversations
        where organization_id = ${organizationId} and user_id = ${userId} and revision > ${after}
        order by revision limit ${limit}
      ) as page
    ) as sized where bytes_before < ${bytes} order by revision`.execute(db);
  return rows;
}

/** Lists conversations that were deleted after a revision, in the order of the deletions. */
function listDeleted(db: Database, { organizationId, userId }: Owner, after: number, limit: number) {
  return db
    .selectFrom("deleted_conversations")
    .select(["id", "revision"])
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("revision", ">", after)
    .orderBy("revision")
    .limit(limit)
    .execute();
}

/** Returns whether a conversation that is there changed after a revision. */
async function hasChangedAfter(db: Database, { organizationId, userId }: Owner, revision: number): Promise<boolean> {
  const row = await db
    .selectFrom("conversations")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("revision", ">", revision)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Lists messages after a position. Their sizes are added up in the database, so that a page is bounded in bytes. */
async function listEntries(
  db: Database,
  owner: Owner,
  id: string,
  { after, limit, bytes }: { after: number; limit: number; bytes: number },
): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select id, position, sealed_fields from (
      select id, position, sealed_fields,
        sum(bytes) over (order by position) - bytes as bytes_before
      from (
        select id, position, sealed_fields, bytes from conversation_entries
        where organization_id = ${owner.organizationId} and user_id = ${owner.userId}
          and conversation_id = ${id} and position > ${after}
        order by position limit ${limit}
      ) as page
    ) as sized where bytes_before < ${bytes} order by position`.execute(db);
  return rows;
}

/** Returns a message with what is encrypted of it. */
async function findEntry(
  db: Database,
  { organizationId, userId }: Owner,
  conversationId: string,
  id: string,
  trx: Database = db,
): Promise<Buffer | null> {
  const row = await trx
    .selectFrom("conversation_entries")
    .select("sealed_fields")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("conversation_id", "=", conversationId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.sealed_fields ?? null;
}

/** A conversation that has the hashes in its title, or in a message, which is then the first of these. */
export type Candidate = ConversationRow & { entry: Buffer | null };

/**
 * Lists conversations whose title or one of whose messages has all the hashes, those changed last first, until the messages have
 * the bytes; at least one, if there is one after `offset`.
 */
async function search(
  db: Database,
  { organizationId, userId }: Owner,
  hashes: readonly string[],
  { limit, offset, bytes }: { limit: number; offset: number; bytes: number },
): Promise<Candidate[]> {
  const hashArray = sql`${[...hashes]}::bigint[]`;
  const { rows } = await sql<Candidate>`
    with found as (
      select conversation_id, min(position) as position from conversation_entries
      where organization_id = ${organizationId} and user_id = ${userId} and words @> ${hashArray}
      group by conversation_id
    ), candidates as (
      select ${sql.join(COLUMNS.map((name) => sql.ref(`conversations.${name}`)))}, entries.sealed_fields as entry,
        coalesce(entries.bytes, 0) as entry_bytes
      from conversations
      left join found on found.conversation_id = conversations.id
      left join conversation_entries as entries
        on entries.organization_id = ${organizationId} and entries.user_id = ${userId}
        and entries.conversation_id = found.conversation_id and entries.position = found.position
      where conversations.organization_id = ${organizationId} and conversations.user_id = ${userId}
        and conversations.deleted_at is null
        and (found.conversation_id is not null or conversations.words @> ${hashArray})
      order by conversations.updated_at desc, conversations.id
      limit ${limit} offset ${offset}
    )
    select * from (
      select *, sum(entry_bytes) over (order by updated_at desc, id) - entry_bytes as bytes_before from candidates
    ) as sized where bytes_before < ${bytes} order by updated_at desc, id`.execute(db);
  return rows;
}

/** What an organization decided about chats. */
export type ChatPolicy = { storage: string; retentionDays: number | null };

/** Returns what the organization decided; null if it was deleted. */
async function readPolicy(db: Database, organizationId: string, trx: Database = db): Promise<ChatPolicy | null> {
  const row = await trx
    .selectFrom("organizations")
    .select(["chat_storage", "chat_retention_days"])
    .where("id", "=", organizationId)
    .forKeyShare()
    .executeTakeFirst();
  return row ? { storage: row.chat_storage, retentionDays: row.chat_retention_days } : null;
}

/** Begins a change: locks the person's conversations until the transaction ends. Returns the change's revision. */
async function lockOwner(
  { organizationId, userId }: Owner,
  trx: Database,
): Promise<{ revision: number; bytes: number }> {
  const row = await trx
    .insertInto("conversation_owners")
    .values({ organization_id: organizationId, user_id: userId, revision: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["organization_id", "user_id"])
        .doUpdateSet((eb) => ({ revision: eb("conversation_owners.revision", "+", 1) })),
    )
    .returning(["revision", "bytes"])
    .executeTakeFirstOrThrow();
  return { revision: Number(row.revision), bytes: Number(row.bytes) };
}

/** Adds to the bytes that a person's conversations take. */
function addBytes({ organizationId, userId }: Owner, bytes: number, trx: Database) {
  return trx
    .updateTable("conversation_owners")
    .set((eb) => ({ bytes: eb("bytes", "+", bytes) }))
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .execute();
}

async function wasDeleted({ organizationId, userId }: Owner, id: string, trx: Database): Promise<boolean> {
  const row = await trx
    .selectFrom("deleted_conversations")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row !== undefined;
}

async function count({ organizationId, userId }: Owner, trx: Database): Promise<number> {
  const row = await trx
    .selectFrom("conversations")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Inserts a conversation, or replaces its fields. */
async function put(
  row: Omit<Insertable<Conversations>, "words"> & { words: readonly string[] },
  trx: Database,
): Promise<ConversationRow> {
  return trx
    .insertInto("conversations")
    .values({ ...row, words: sql`${[...row.words]}::bigint[]` })
    .onConflict((conflict) =>
      conflict.columns(["organization_id", "user_id", "id"]).doUpdateSet((eb) => ({
        sealed_fields: eb.ref("excluded.sealed_fields"),
        words: eb.ref("excluded.words"),
        version: eb.ref("excluded.version"),
        revision: eb.ref("excluded.revision"),
        created_at: eb.ref("excluded.created_at"),
        updated_at: eb.ref("excluded.updated_at"),
        deleted_at: eb.ref("excluded.deleted_at"),
        stored_at: eb.ref("excluded.stored_at"),
      })),
    )
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Returns which of the messages are stored, and how many bytes each takes. */
async function findStored(
  { organizationId, userId }: Owner,
  conversationId: string,
  ids: readonly string[],
  trx: Database,
): Promise<{ id: string; bytes: number; saved_at: Date }[]> {
  return trx
    .selectFrom("conversation_entries")
    .select(["id", "saved_at", "bytes"])
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("conversation_id", "=", conversationId)
    .where("id", "in", [...ids])
    .execute();
}

/** Inserts messages, or replaces those that were saved earlier. A replaced one keeps its position. */
async function putEntries(
  { organizationId, userId }: Owner,
  conversationId: string,
  entries: readonly EntryWrite[],
  trx: Database,
): Promise<void> {
  await trx
    .insertInto("conversation_entries")
    .values(
      entries.map(({ id, position, sealed, words, savedAt }) => ({
        organization_id: organizationId,
        user_id: userId,
        conversation_id: conversationId,
        id,
        position,
        sealed_fields: sealed,
        words: sql`${[...words]}::bigint[]`,
        saved_at: savedAt,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["organization_id", "user_id", "conversation_id", "id"]).doUpdateSet((eb) => ({
        sealed_fields: eb.ref("excluded.sealed_fields"),
        words: eb.ref("excluded.words"),
        saved_at: eb.ref("excluded.saved_at"),
      })),
    )
    .execute();
}

type Touch = { revision: number; added: number; lastPosition: number; storedAt: Date };

/** Notes that messages of a conversation changed. */
function touch(owner: Owner, id: string, { revision, added, lastPosition, storedAt }: Touch, trx: Database) {
  return trx
    .updateTable("conversations")
    .set((eb) => ({
      revision,
      entries: eb("entries", "+", added),
      last_position: lastPosition,
      stored_at: storedAt,
    }))
    .where("organization_id", "=", owner.organizationId)
    .where("user_id", "=", owner.userId)
    .where("id", "=", id)
    .execute();
}

/** Notes when a conversation was last answered, unless it changed later. */
function noteAnswered({ organizationId, userId }: Owner, id: string, at: Date, trx: Database) {
  return trx
    .updateTable("conversations")
    .set((eb) => ({ updated_at: eb.fn<Date>("greatest", ["updated_at", eb.val(at)]) }))
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .execute();
}

/** Deletes a conversation for good, and keeps that it was. Returns whether it was there. */
async function remove(owner: Owner, id: string, { revision, at }: Deletion, trx: Database): Promise<boolean> {
  return (await removeWhere(owner, id, { revision, at }, trx)) > 0;
}

/** Deletes all conversations of a person for good. Returns how many there were. */
function removeAll(owner: Owner, deletion: Deletion, trx: Database): Promise<number> {
  return removeWhere(owner, null, deletion, trx);
}

/** The revision and the time of a deletion. */
export type Deletion = { revision: number; at: Date };

async function removeWhere(
  { organizationId, userId }: Owner,
  id: string | null,
  { revision, at }: Deletion,
  trx: Database,
): Promise<number> {
  const only = id === null ? sql`true` : sql`id = ${id}`;
  const onlyEntries = id === null ? sql`true` : sql`conversation_id = ${id}`;
  const { rows } = await sql<{ count: number }>`
    with freed as (
      select coalesce(sum(bytes), 0) as bytes from conversation_entries
      where organization_id = ${organizationId} and user_id = ${userId} and ${onlyEntries}
    ), removed as (
      delete from conversations
      where organization_id = ${organizationId} and user_id = ${userId} and ${only}
      returning id, bytes
    ), noted as (
      -- A revision for each, so that a list of changes can end after any of them.
      insert into deleted_conversations (organization_id, user_id, id, revision, deleted_at)
      select ${organizationId}, ${userId}, id, ${revision}::bigint + row_number() over (order by id) - 1, ${at} from removed
      on conflict (organization_id, user_id, id)
        do update set revision = excluded.revision, deleted_at = excluded.deleted_at
    ), counted as (
      update conversation_owners
      set bytes = bytes - (select bytes from freed) - (select coalesce(sum(bytes), 0) from removed),
        revision = ${revision}::bigint + greatest((select count(*) from removed) - 1, 0)
      where organization_id = ${organizationId} and user_id = ${userId}
    )
    select count(*)::int as count from removed`.execute(trx);
  return rows[0]?.count ?? 0;
}
