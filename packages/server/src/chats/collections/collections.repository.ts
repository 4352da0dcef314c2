import { type Insertable, type Selectable, sql } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Collections } from "../../platform/core/db/schema.generated.ts";

/** A person in an organization. */
export type Reader = { organizationId: string; userId: string };
/** A collection, what it holds, and the name of the user who created it. */
export type CollectionRow = Selectable<Collections> & {
  documents: number;
  waiting_documents: number;
  failed_documents: number;
  passages: number;
  created_by_name: string | null;
};

/** Stores collections. A reader finds those for members, and those of which they are the owner. */
export function createCollectionsRepository(db: Database) {
  return { ...bind(db, { list, find }), lockOrganization, count, insert, update, remove };
}

export type CollectionsRepository = ReturnType<typeof createCollectionsRepository>;

const readable = (db: Database, { organizationId, userId }: Reader) =>
  db
    .selectFrom("collections")
    .leftJoin("users", "users.id", "collections.created_by")
    .selectAll("collections")
    .select("users.name as created_by_name")
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom("collection_documents")
          .whereRef("collection_id", "=", "collections.id")
          .select([
            sql<number>`count(*)::integer`.as("documents"),
            sql<number>`count(*) filter (where state in ('waiting', 'embedding'))::integer`.as("waiting_documents"),
            sql<number>`count(*) filter (where state = 'failed')::integer`.as("failed_documents"),
            sql<number>`coalesce(sum(passages), 0)::integer`.as("passages"),
          ])
          .as("held"),
      (join) => join.onTrue(),
    )
    .select(["held.documents", "held.waiting_documents", "held.failed_documents", "held.passages"])
    .where("collections.organization_id", "=", organizationId)
    .where((eb) => eb.or([eb("owner_id", "is", null), eb("owner_id", "=", userId)]));

const list = (db: Database, reader: Reader): Promise<CollectionRow[]> => readable(db, reader).execute();

const find = (db: Database, reader: Reader, id: string, trx: Database = db): Promise<CollectionRow | undefined> =>
  readable(trx, reader).where("collections.id", "=", id).executeTakeFirst();

/** Lets other changes of the organization's collections wait until the transaction ends, so that limits hold. */
async function lockOrganization(organizationId: string, trx: Database): Promise<void> {
  await trx
    .selectFrom("conversation_keys")
    .select("organization_id")
    .where("organization_id", "=", organizationId)
    .forNoKeyUpdate()
    .execute();
}

async function count(organizationId: string, trx: Database): Promise<number> {
  const row = await trx
    .selectFrom("collections")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

async function insert(row: Insertable<Collections>, trx: Database): Promise<void> {
  await trx.insertInto("collections").values(row).execute();
}

type Change = Pick<Selectable<Collections>, "owner_id" | "sealed_fields" | "embedding_model" | "model_version"> & {
  updated_at: Date;
};

async function update(id: string, change: Change, trx: Database): Promise<void> {
  await trx.updateTable("collections").set(change).where("id", "=", id).execute();
}

async function remove(id: string, trx: Database): Promise<void> {
  await trx.deleteFrom("collections").where("id", "=", id).execute();
}
