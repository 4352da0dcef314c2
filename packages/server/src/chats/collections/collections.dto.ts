import type { components } from "@feather/openapi/schema";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { hasPermission } from "../../platform/core/auth/permissions.ts";
import type { OrganizationKey } from "../conversations/index.ts";
import type { CollectionRow } from "./collections.repository.ts";
import type { DocumentRow } from "./documents.repository.ts";
import type { PassageRow } from "./passages.repository.ts";

type CollectionDto = components["schemas"]["Collection"];
type DocumentDto = components["schemas"]["CollectionDocument"];
type PassageDto = components["schemas"]["CollectionPassage"];

/** The encrypted fields of a collection. */
export type CollectionFields = Pick<CollectionDto, "name" | "description">;
/** The encrypted fields of a document. */
export type DocumentFields = Pick<DocumentDto, "name" | "type" | "pages" | "cut_at">;
/** The encrypted fields of a passage. */
export type PassageFields = Pick<PassageDto, "page" | "start" | "end" | "text">;

/** Encrypts fields. */
export const sealFields = (
  { sealer }: OrganizationKey,
  fields: CollectionFields | DocumentFields | PassageFields,
): Buffer => sealer.seal(JSON.stringify(fields));

/** Decrypts the fields of a collection. */
export const openCollection = ({ sealer }: OrganizationKey, sealed: Buffer): CollectionFields =>
  JSON.parse(sealer.open(sealed)) as CollectionFields;

/** Decrypts the fields of a passage. */
export const openPassage = ({ sealer }: OrganizationKey, sealed: Buffer): PassageFields =>
  JSON.parse(sealer.open(sealed)) as PassageFields;

/** Decrypts the fields of a document. */
export const openDocument = ({ sealer }: OrganizationKey, sealed: Buffer): DocumentFields =>
  JSON.parse(sealer.open(sealed)) as DocumentFields;

/** Returns whether a person who may read a collection may change it. */
export const mayChange = ({ created_by, owner_id }: CollectionRow, { userId, role }: SignedInActor): boolean =>
  created_by === userId || (owner_id === null && hasPermission(role, "manage_organization"));

/** Returns a collection as callers get it. */
export function toCollectionDto(row: CollectionRow, actor: SignedInActor, key: OrganizationKey): CollectionDto {
  return {
    id: row.id,
    ...openCollection(key, row.sealed_fields),
    access: row.owner_id === null ? "members" : "owner",
    embedding_model: row.embedding_model,
    may_change: mayChange(row, actor),
    documents: row.documents,
    waiting_documents: row.waiting_documents,
    failed_documents: row.failed_documents,
    passages: row.passages,
    created_by_name: row.created_by_name,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Returns a document as callers get it. */
export function toDocumentDto(row: DocumentRow, key: OrganizationKey): DocumentDto {
  return {
    id: row.id,
    ...openDocument(key, row.sealed_fields),
    characters: row.characters,
    passages: row.passages,
    embedded_passages: row.embedded_passages,
    state: row.state as DocumentDto["state"],
    problem: row.sealed_problem && key.sealer.open(row.sealed_problem),
    next_try_at: row.next_try_at?.toISOString() ?? null,
    created_by_name: row.created_by_name,
    created_at: row.created_at.toISOString(),
  };
}

/** Returns a passage as callers get it. */
export function toPassageDto(row: PassageRow, key: OrganizationKey): PassageDto {
  return {
    collection_id: row.collection_id,
    document_id: row.document_id,
    document_name: openDocument(key, row.sealed_document).name,
    number: row.number,
    ...openPassage(key, row.sealed_fields),
  };
}
