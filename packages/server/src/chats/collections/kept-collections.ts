import type { ExportRow as Row, ExportSection as Section } from "../../accounts/index.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { OrganizationKeys } from "../conversations/index.ts";
import { openCollection, openDocument } from "./collections.dto.ts";

type Deps = { db: Database; organizationKeys: Pick<OrganizationKeys, "find"> };

/** Documents that are read at once. */
const BATCH_SIZE = 200;

/**
 * Returns a function that lists what a user has collected in all organizations: the collections that they created, and the documents
 * that they added, without their texts, whose files they have.
 */
export function createListKept(deps: Deps) {
  return (userId: string): Section[] => [
    { name: "collections", rows: readCollections(deps, userId) },
    { name: "collection_documents", rows: readDocuments(deps, userId) },
  ];
}

async function* readCollections({ db, organizationKeys }: Deps, userId: string): AsyncGenerator<readonly Row[]> {
  const rows = await db.selectFrom("collections").selectAll().where("created_by", "=", userId).orderBy("id").execute();
  for (const { id, organization_id, sealed_fields, owner_id, embedding_model, created_at, updated_at } of rows) {
    const key = await organizationKeys.find(organization_id);
    const access = owner_id === null ? "members" : "owner";
    if (key !== null)
      yield [
        { organization_id, id, ...openCollection(key, sealed_fields), access, embedding_model, created_at, updated_at },
      ];
  }
}

async function* readDocuments({ db, organizationKeys }: Deps, userId: string): AsyncGenerator<readonly Row[]> {
  let last = "";
  for (let isMore = true; isMore; ) {
    const rows = await db
      .selectFrom("collection_documents as documents")
      .innerJoin("collections", "collections.id", "documents.collection_id")
      .select(["documents.id", "collection_id", "organization_id", "documents.sealed_fields", "documents.created_at"])
      .where("documents.created_by", "=", userId)
      .where("documents.id", ">", last)
      .orderBy("documents.id")
      .limit(BATCH_SIZE)
      .execute();
    for (const { id, collection_id, organization_id, sealed_fields, created_at } of rows) {
      const key = await organizationKeys.find(organization_id);
      if (key !== null) yield [{ collection_id, id, ...openDocument(key, sealed_fields), created_at }];
    }
    last = rows.at(-1)?.id ?? last;
    isMore = rows.length === BATCH_SIZE;
  }
}
