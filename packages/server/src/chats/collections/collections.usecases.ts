import type { components } from "@feather/openapi/schema";
import type { ModelLookup } from "../../gateway/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { OrganizationKey, OrganizationKeys } from "../conversations/index.ts";
import { mayChange, sealFields, toCollectionDto } from "./collections.dto.ts";
import type { CollectionRow, CollectionsRepository } from "./collections.repository.ts";
import type { DocumentsRepository } from "./documents.repository.ts";

type CollectionDto = components["schemas"]["Collection"];
type CollectionWrite = components["schemas"]["CollectionWrite"];

/** What the use cases of collections need. */
export type Deps = {
  db: Database;
  collectionsRepository: CollectionsRepository;
  documentsRepository: Pick<DocumentsRepository, "resetVectors">;
  organizationKeys: OrganizationKeys;
  models: Pick<ModelLookup, "find">;
  /** Finds a model for embeddings that can be called now; null if there is none. */
  findEmbeddingModel(): Promise<string | null>;
  audit: Audit;
  clock: Clock;
  ids: Ids;
};

const MAX_COLLECTIONS = 100;

/** Creates the use cases of collections of documents. */
export function createCollections(deps: Deps) {
  return bind(deps, {
    list: listCollections,
    get: getCollection,
    create: createCollection,
    update: updateCollection,
    delete: deleteCollection,
  });
}

export type CollectionUseCases = ReturnType<typeof createCollections>;

async function listCollections({ collectionsRepository, organizationKeys }: Deps, actor: SignedInActor) {
  const rows = await collectionsRepository.list(actor);
  const key = await organizationKeys.find(actor.organizationId);
  if (key === null) return [];
  return rows
    .map((row) => toCollectionDto(row, actor, key))
    .sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }) || (a.id < b.id ? -1 : 1));
}

/** A collection that the caller may read, and the key of its organization. */
export type Found = { row: CollectionRow; key: OrganizationKey };

/** Returns a collection. Throws `collections.not_found` for one that the caller may not read. */
export async function requireCollection(
  { collectionsRepository, organizationKeys }: Pick<Deps, "collectionsRepository" | "organizationKeys">,
  actor: SignedInActor,
  id: string,
  trx?: Database,
): Promise<Found> {
  const row = await collectionsRepository.find(actor, id, trx);
  const key = row && (await organizationKeys.find(actor.organizationId, trx));
  if (!row || !key) throw errors.collections.notFound();
  return { row, key };
}

/** Returns a collection. Throws `collections.not_yours` for one that the caller may read and not change. */
export async function requireChangeable(
  deps: Pick<Deps, "collectionsRepository" | "organizationKeys">,
  actor: SignedInActor,
  id: string,
  trx?: Database,
): Promise<Found> {
  const found = await requireCollection(deps, actor, id, trx);
  if (!mayChange(found.row, actor)) throw errors.collections.notYours();
  return found;
}

async function getCollection(deps: Deps, actor: SignedInActor, id: string): Promise<CollectionDto> {
  const { row, key } = await requireCollection(deps, actor, id);
  return toCollectionDto(row, actor, key);
}

/** Returns the id of a model as the catalogue writes it. Throws `model_not_found` and other reasons why it cannot be called. */
async function findModel({ models }: Deps, { organizationId }: SignedInActor, id: string): Promise<string> {
  return (await models.find(id, organizationId)).id;
}

async function createCollection(deps: Deps, actor: SignedInActor, write: CollectionWrite): Promise<CollectionDto> {
  const { db, collectionsRepository, organizationKeys, audit, clock, ids } = deps;
  const { name, description = "", access = "members", embedding_model: given } = write;
  const embedding_model =
    given === undefined ? await deps.findEmbeddingModel() : given && (await findModel(deps, actor, given));
  const { organizationId, userId } = actor;
  const id = ids.next("col");
  await db.transaction().execute(async (trx) => {
    const key = await organizationKeys.ensure(organizationId, trx);
    await collectionsRepository.lockOrganization(organizationId, trx);
    if ((await collectionsRepository.count(organizationId, trx)) >= MAX_COLLECTIONS)
      throw errors.collections.full(`An organization can have ${MAX_COLLECTIONS} collections.`);
    const now = clock.now();
    await collectionsRepository.insert(
      {
        ...{ id, organization_id: organizationId, owner_id: access === "owner" ? userId : null, created_by: userId },
        ...{ sealed_fields: sealFields(key, { name, description }), embedding_model, created_at: now, updated_at: now },
      },
      trx,
    );
    await audit.record({ actor, action: "collections.create", target: id, details: { access, embedding_model } }, trx);
  });
  return getCollection(deps, actor, id);
}

/** Sets the fields of a collection. With another model its vectors are deleted and made anew in the name of the caller. */
async function updateCollection(
  deps: Deps,
  actor: SignedInActor,
  id: string,
  write: CollectionWrite,
): Promise<CollectionDto> {
  const { db, collectionsRepository, documentsRepository, audit, clock } = deps;
  const { name, description = "", embedding_model: given } = write;
  await requireChangeable(deps, actor, id);
  const chosen = given && (await findModel(deps, actor, given));
  await db.transaction().execute(async (trx) => {
    await collectionsRepository.lockOrganization(actor.organizationId, trx);
    const { row, key } = await requireChangeable(deps, actor, id, trx);
    const access = write.access ?? (row.owner_id === null ? "members" : "owner");
    const owner_id = access === "owner" ? actor.userId : null;
    if (owner_id !== row.owner_id && row.created_by !== actor.userId) throw errors.collections.notYours();
    const embedding_model = chosen === undefined ? row.embedding_model : chosen;
    const isOtherModel = embedding_model !== row.embedding_model;
    const now = clock.now();
    await collectionsRepository.update(
      id,
      {
        ...{ owner_id, sealed_fields: sealFields(key, { name, description }), embedding_model, updated_at: now },
        model_version: row.model_version + (isOtherModel ? 1 : 0),
      },
      trx,
    );
    if (isOtherModel) {
      const dueAt = embedding_model === null ? null : now;
      await documentsRepository.resetVectors(id, { dueAt, userId: actor.userId }, trx);
    }
    await audit.record({ actor, action: "collections.update", target: id, details: { access, embedding_model } }, trx);
  });
  return getCollection(deps, actor, id);
}

async function deleteCollection(deps: Deps, actor: SignedInActor, id: string): Promise<void> {
  const { db, collectionsRepository, audit } = deps;
  await db.transaction().execute(async (trx) => {
    await requireChangeable(deps, actor, id, trx);
    await collectionsRepository.remove(id, trx);
    await audit.record({ actor, action: "collections.delete", target: id }, trx);
  });
}
