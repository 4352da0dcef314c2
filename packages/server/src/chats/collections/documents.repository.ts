import { type Insertable, type Selectable, sql } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { CollectionDocuments } from "../../platform/core/db/schema.generated.ts";

/** A document, and the name of the user who added it. */
export type DocumentRow = Selectable<CollectionDocuments> & { created_by_name: string | null };
/** A passage to store. `words` are hashes in digits. */
export type PassageWrite = { number: number; sealed: Buffer; words: readonly string[] };
/** A document whose vectors are due. `role` is that of the person in whose name they are made; null if they may make none. */
export type DueDocument = Pick<
  Selectable<CollectionDocuments>,
  "id" | "collection_id" | "passages" | "embedded_passages" | "failures" | "embedded_for"
> & { organization_id: string; embedding_model: string; model_version: number; role: string | null };

/** Rows of one statement, whose parameters are limited. */
const ROWS_AT_ONCE = 500;

/** Stores documents with their passages. */
export function createDocumentsRepository(db: Database) {
  return {
    ...bind(db, { list, findByHash, listDue }),
    countOf,
    insert,
    insertPassages,
    remove,
    resetVectors,
    isAt,
    note,
  };
}

export type DocumentsRepository = ReturnType<typeof createDocumentsRepository>;

const named = (db: Database, collectionId: string) =>
  db
    .selectFrom("collection_documents")
    .leftJoin("users", "users.id", "collection_documents.created_by")
    .selectAll("collection_documents")
    .select("users.name as created_by_name")
    .where("collection_id", "=", collectionId);

async function list(db: Database, collectionId: string, page: { limit: number; offset: number }) {
  const rows = await named(db, collectionId)
    .orderBy("collection_documents.created_at", "desc")
    .orderBy("collection_documents.id")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { count } = await db
    .selectFrom("collection_documents")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("collection_id", "=", collectionId)
    .executeTakeFirstOrThrow();
  return { rows, total: Number(count) };
}

const findByHash = (
  db: Database,
  collectionId: string,
  hash: string,
  trx: Database = db,
): Promise<DocumentRow | undefined> => named(trx, collectionId).where("content_hash", "=", hash).executeTakeFirst();

/** Counts the documents of a collection and the passages of its organization. */
async function countOf(
  { id, organization_id }: { id: string; organization_id: string },
  trx: Database,
): Promise<{ documents: number; passages: number }> {
  const row = await trx
    .selectFrom("collection_documents")
    .innerJoin("collections", "collections.id", "collection_documents.collection_id")
    .select(({ fn }) => fn.sum<string | null>("passages").as("passages"))
    .select(sql<string>`count(*) filter (where collection_id = ${id})`.as("documents"))
    .where("organization_id", "=", organization_id)
    .executeTakeFirstOrThrow();
  return { documents: Number(row.documents), passages: Number(row.passages ?? 0) };
}

/** Inserts a document. Returns false if the collection has its content already. */
async function insert(row: Insertable<CollectionDocuments>, trx: Database): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("collection_documents")
    .values(row)
    .onConflict((conflict) => conflict.columns(["collection_id", "content_hash"]).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

async function insertPassages(
  document: { id: string; collection_id: string },
  passages: readonly PassageWrite[],
  trx: Database,
): Promise<void> {
  for (let start = 0; start < passages.length; start += ROWS_AT_ONCE)
    await trx
      .insertInto("collection_passages")
      .values(
        passages.slice(start, start + ROWS_AT_ONCE).map(({ number, sealed, words }) => ({
          document_id: document.id,
          collection_id: document.collection_id,
          number,
          sealed_fields: sealed,
          words: sql`${[...words]}::bigint[]`,
        })),
      )
      .execute();
}

/** Returns whether there was such a document. */
async function remove(collectionId: string, id: string, trx: Database): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("collection_documents")
    .where("collection_id", "=", collectionId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes all vectors of a collection. They are made anew from `dueAt` in the name of a person; with null they are not. */
async function resetVectors(
  collectionId: string,
  { dueAt, userId }: { dueAt: Date | null; userId: string },
  trx: Database,
): Promise<void> {
  await trx.deleteFrom("collection_vectors").where("collection_id", "=", collectionId).execute();
  await trx
    .updateTable("collection_documents")
    .set({
      embedded_passages: 0,
      state: dueAt === null ? "ready" : "waiting",
      sealed_problem: null,
      failures: 0,
      next_try_at: dueAt,
      embedded_for: userId,
    })
    .where("collection_id", "=", collectionId)
    .execute();
}

/** Lists the document of each organization that has waited longest for its next vectors, the longest wait of all first. */
async function listDue(db: Database, now: Date, limit: number): Promise<DueDocument[]> {
  const { rows } = await sql<DueDocument>`
    with due as (
      select distinct on (collections.organization_id)
        documents.id, collection_id, passages, embedded_passages, failures, embedded_for, next_try_at,
        collections.organization_id, embedding_model, model_version,
        case when users.suspended_at is null and users.email_verified_at is not null then memberships.role end as role
      from collection_documents as documents
      join collections on collections.id = collection_id
      left join memberships on memberships.organization_id = collections.organization_id
        and memberships.user_id = embedded_for
      left join users on users.id = memberships.user_id
      where next_try_at <= ${now} and embedding_model is not null
      order by collections.organization_id, next_try_at, documents.id
    )
    select * from due order by next_try_at, id limit ${limit}`.execute(db);
  return rows;
}

/** Returns whether the number of a document's vectors is still the given one, and locks the document until the transaction ends. */
async function isAt(id: string, embedded: number, trx: Database): Promise<boolean> {
  const row = await trx
    .selectFrom("collection_documents")
    .select("embedded_passages")
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.embedded_passages === embedded;
}

type Note = Pick<Selectable<CollectionDocuments>, "state" | "sealed_problem" | "failures"> & {
  next_try_at: Date | null;
};

/** Notes how the last try to make vectors went. */
async function note(id: string, { embedded, ...fields }: Note & { embedded?: number }, trx: Database): Promise<void> {
  await trx
    .updateTable("collection_documents")
    .set({ ...fields, ...(embedded !== undefined && { embedded_passages: embedded }) })
    .where("id", "=", id)
    .execute();
}
