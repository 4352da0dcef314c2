import { type Insertable, sql } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { CollectionVectors } from "../../platform/core/db/schema.generated.ts";

/** A passage by its document and its number there. */
export type PassagePlace = { documentId: string; number: number };
/** A passage whose fields are encrypted, with those of its document. */
export type PassageRow = {
  collection_id: string;
  document_id: string;
  number: number;
  sealed_fields: Buffer;
  sealed_document: Buffer;
};
/** Vectors of consecutive passages, encrypted. */
export type VectorsRow = { document_id: string; first_number: number; dimensions: number; sealed_vectors: Buffer };
/** A hash of a word, and how much a passage that has it is worth. */
export type WeightedHash = { hash: string; weight: number };

/** Reads passages, and stores and reads their vectors. */
export function createPassagesRepository(db: Database) {
  return {
    ...bind(db, { find, findAll, listNext, countWithHashes, listWithHashes, listVectors, countWithoutVectors }),
    holdsVersion,
    insertVectors,
  };
}

export type PassagesRepository = ReturnType<typeof createPassagesRepository>;

const withDocuments = (db: Database) =>
  db
    .selectFrom("collection_passages as passages")
    .innerJoin("collection_documents as documents", "documents.id", "passages.document_id")
    .select(["passages.collection_id", "document_id", "number", "passages.sealed_fields"])
    .select("documents.sealed_fields as sealed_document");

const find = (
  db: Database,
  collectionId: string,
  { documentId, number }: PassagePlace,
): Promise<PassageRow | undefined> =>
  withDocuments(db)
    .where("passages.collection_id", "=", collectionId)
    .where("document_id", "=", documentId)
    .where("number", "=", number)
    .executeTakeFirst();

/** Returns those of the passages that are there, in any order. */
async function findAll(db: Database, places: readonly PassagePlace[]): Promise<PassageRow[]> {
  if (places.length === 0) return [];
  return withDocuments(db)
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple("document_id", "number"),
        "in",
        places.map(({ documentId, number }) => tuple(documentId, number)),
      ),
    )
    .execute();
}

/** Returns the encrypted fields of the passages after a number, in their order. */
async function listNext(db: Database, documentId: string, after: number, limit: number): Promise<Buffer[]> {
  const rows = await db
    .selectFrom("collection_passages")
    .select("sealed_fields")
    .where("document_id", "=", documentId)
    .where("number", ">", after)
    .orderBy("number")
    .limit(limit)
    .execute();
  return rows.map(({ sealed_fields }) => sealed_fields);
}

/** Returns how many passages of the collections there are, and how many of them have each hash. */
async function countWithHashes(
  db: Database,
  collectionIds: readonly string[],
  hashes: readonly string[],
): Promise<{ total: number; withHash: ReadonlyMap<string, number> }> {
  const ids = [...collectionIds];
  const { rows } = await sql<{ hash: string; count: number }>`
    select query.hash::text as hash, count(*)::integer as count
    from unnest(${[...hashes]}::bigint[]) as query (hash)
    join collection_passages on words @> array[query.hash] and collection_id = any (${ids})
    group by query.hash`.execute(db);
  const { rows: sums } = await sql<{ total: number }>`
    select coalesce(sum(passages), 0)::integer as total
    from collection_documents where collection_id = any (${ids})`.execute(db);
  return { total: sums[0]?.total ?? 0, withHash: new Map(rows.map(({ hash, count }) => [hash, count])) };
}

/** Lists passages that have some of the hashes, those whose hashes weigh most first. */
async function listWithHashes(
  db: Database,
  collectionIds: readonly string[],
  hashes: readonly WeightedHash[],
  limit: number,
): Promise<PassageRow[]> {
  const { rows } = await sql<PassageRow>`
    with best as (
      select document_id, number, sum(query.weight) as weight
      from unnest(${hashes.map(({ hash }) => hash)}::bigint[], ${hashes.map(({ weight }) => weight)}::float8[])
        as query (hash, weight)
      join collection_passages on words @> array[query.hash] and collection_id = any (${[...collectionIds]})
      group by document_id, number
      order by weight desc, document_id, number
      limit ${limit}
    )
    select passages.collection_id, document_id, number, passages.sealed_fields,
      documents.sealed_fields as sealed_document
    from best join collection_passages as passages using (document_id, number)
    join collection_documents as documents on documents.id = document_id
    order by best.weight desc, document_id, number`.execute(db);
  return rows;
}

/** Lists the vectors of a collection after those of a row, a few rows at a time. */
async function listVectors(
  db: Database,
  collectionId: string,
  after: Pick<VectorsRow, "document_id" | "first_number"> | null,
  limit: number,
): Promise<VectorsRow[]> {
  const { rows } = await sql<VectorsRow>`
    select document_id, first_number, dimensions, sealed_vectors from collection_vectors
    where collection_id = ${collectionId}
      and (document_id, first_number) > (${after?.document_id ?? ""}, ${after?.first_number ?? 0}::integer)
    order by document_id, first_number limit ${limit}`.execute(db);
  return rows;
}

/** Returns how many documents of the collections lack vectors. */
async function countWithoutVectors(db: Database, collectionIds: readonly string[]): Promise<number> {
  const row = await db
    .selectFrom("collection_documents")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("collection_id", "in", [...collectionIds])
    .whereRef("embedded_passages", "<", "passages")
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Returns whether a collection still has a version of its model, and keeps it until the transaction ends. */
async function holdsVersion(collectionId: string, version: number, trx: Database): Promise<boolean> {
  const row = await trx
    .selectFrom("collections")
    .select("model_version")
    .where("id", "=", collectionId)
    .forShare()
    .executeTakeFirst();
  return row?.model_version === version;
}

/** Stores vectors. Returns false where there are vectors of these passages already, or the document was deleted. */
async function insertVectors(row: Insertable<CollectionVectors>, trx: Database): Promise<boolean> {
  const document = await trx
    .selectFrom("collection_documents")
    .select("id")
    .where("id", "=", row.document_id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (document === undefined) return false;
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("collection_vectors")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
