import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { components } from "@feather/openapi/schema";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { type Page, toPagination } from "../../platform/core/http/pagination.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { hashesOf, type OrganizationKey, type OrganizationKeys } from "../conversations/index.ts";
import type { ReadDocument } from "../documents/index.ts";
import { openDocument, sealFields, toDocumentDto, toPassageDto } from "./collections.dto.ts";
import type { CollectionsRepository } from "./collections.repository.ts";
import { requireChangeable, requireCollection } from "./collections.usecases.ts";
import { cutPassages } from "./cut-passages.ts";
import type { DocumentsRepository, PassageWrite } from "./documents.repository.ts";
import type { PassagesRepository } from "./passages.repository.ts";

type DocumentDto = components["schemas"]["CollectionDocument"];
type DocumentText = components["schemas"]["DocumentText"];
type PassageDto = components["schemas"]["CollectionPassage"];

type Deps = {
  db: Database;
  collectionsRepository: CollectionsRepository;
  documentsRepository: DocumentsRepository;
  passagesRepository: Pick<PassagesRepository, "find">;
  organizationKeys: OrganizationKeys;
  readDocument: ReadDocument;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  /** The most passages of an organization. */
  maxPassages: number;
};

const MAX_DOCUMENTS = 2_000;
const MAX_NAME_LENGTH = 200;
/** Control characters, and those that cannot be seen or turn the direction of texts. */
const HIDDEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** Creates the use cases of documents in collections. */
export function createDocuments(deps: Deps) {
  return bind(deps, { list: listDocuments, add: addDocument, delete: deleteDocument, getPassage });
}

export type DocumentUseCases = ReturnType<typeof createDocuments>;

async function listDocuments(deps: Deps, actor: SignedInActor, id: string, page: Page) {
  const { key } = await requireCollection(deps, actor, id);
  const { rows, total } = await deps.documentsRepository.list(id, page);
  return { items: rows.map((row) => toDocumentDto(row, key)), pagination: toPagination(page, total) };
}

/** The file that is added, and the signal that says that nobody waits any more. */
type Upload = { file: File; signal: AbortSignal };

/**
 * Adds a document. Its text is read before anything is stored, so that a file that cannot be read changes nothing. Throws what
 * `createReadDocument` throws, `collections.document_exists` for content that is there, and `collections.full`.
 */
async function addDocument(deps: Deps, actor: SignedInActor, id: string, upload: Upload): Promise<DocumentDto> {
  const { documentsRepository, readDocument } = deps;
  const { key } = await requireChangeable(deps, actor, id);
  const hash = hashContent(key, new Uint8Array(await upload.file.arrayBuffer()));
  await refuseKnown(deps, { id, hash, key });
  const text = await readDocument({ ...upload, userId: actor.userId });
  const passages = await sealPassages(key, text);
  await storeDocument(deps, actor, { id, hash, text, passages });
  const stored = await documentsRepository.findByHash(id, hash);
  if (stored === undefined) throw errors.collections.documentNotFound(); // deleted meanwhile
  return toDocumentDto(stored, key);
}

const hashContent = ({ hash }: OrganizationKey, bytes: Uint8Array): string =>
  hash(`file:${createHash("sha256").update(bytes).digest("base64url")}`);

async function refuseKnown(
  { documentsRepository }: Deps,
  { id, hash, key }: { id: string; hash: string; key: OrganizationKey },
  trx?: Database,
): Promise<void> {
  const known = await documentsRepository.findByHash(id, hash, trx);
  if (known === undefined) return;
  const { name } = openDocument(key, known.sealed_fields);
  throw errors.collections.documentExists({ name }, { param: "file", details: { document_id: known.id } });
}

/** Encrypts the passages of a text. Other calls are answered between two of them. */
async function sealPassages(key: OrganizationKey, { text, pages }: DocumentText): Promise<PassageWrite[]> {
  const hashes = new Map<string, string>(); // words come again and again
  const hash = (word: string) => {
    const known = hashes.get(word) ?? key.hash(word);
    hashes.set(word, known);
    return known;
  };
  const passages: PassageWrite[] = [];
  for (const { page, start, end } of cutPassages(text, pages !== null)) {
    await setImmediate();
    const part = text.slice(start, end).toWellFormed();
    const sealed = sealFields(key, { page, start, end, text: part });
    passages.push({ number: passages.length + 1, sealed, words: hashesOf(part, hash) });
  }
  return passages;
}

type ReadUpload = { id: string; hash: string; text: DocumentText; passages: readonly PassageWrite[] };

async function storeDocument(deps: Deps, actor: SignedInActor, upload: ReadUpload): Promise<void> {
  const { db, collectionsRepository, documentsRepository, audit, clock, ids } = deps;
  const { id, hash, text, passages } = upload;
  await db.transaction().execute(async (trx) => {
    await collectionsRepository.lockOrganization(actor.organizationId, trx);
    const { row, key } = await requireChangeable(deps, actor, id, trx); // rights may have changed meanwhile
    await refuseTooMuch(deps, row, passages.length, trx);
    const now = clock.now();
    const { type, pages, cut_at } = text;
    const document = {
      ...{ id: ids.next("doc"), collection_id: id, content_hash: hash },
      sealed_fields: sealFields(key, { name: toName(text.name), type, pages, cut_at }),
      ...{ characters: text.characters, passages: passages.length, created_at: now },
      ...{ created_by: actor.userId, embedded_for: actor.userId },
      ...(row.embedding_model === null
        ? { state: "ready", next_try_at: null }
        : { state: "waiting", next_try_at: now }),
    };
    if (!(await documentsRepository.insert(document, trx))) return refuseKnown(deps, { id, hash, key }, trx);
    await documentsRepository.insertPassages(document, passages, trx);
    const details = { collection_id: id, passages: passages.length };
    await audit.record({ actor, action: "collections.documents.add", target: document.id, details }, trx);
  });
}

async function refuseTooMuch(
  { documentsRepository, maxPassages }: Deps,
  collection: { id: string; organization_id: string },
  added: number,
  trx: Database,
): Promise<void> {
  const { documents, passages } = await documentsRepository.countOf(collection, trx);
  if (documents >= MAX_DOCUMENTS) throw errors.collections.full(`A collection can have ${MAX_DOCUMENTS} documents.`);
  if (passages + added > maxPassages)
    throw errors.collections.full(
      `The document has ${added} passages, and your organization has ${passages} of ${maxPassages} already.`,
      { details: { passages: added, stored_passages: passages, max_passages: maxPassages } },
    );
}

/** Returns the name of a file without characters that cannot be seen. */
function toName(name: string): string {
  const seen = name.toWellFormed().replaceAll(HIDDEN, "").trim().slice(0, MAX_NAME_LENGTH).toWellFormed();
  return seen === "" ? "document" : seen;
}

async function deleteDocument(deps: Deps, actor: SignedInActor, id: string, documentId: string): Promise<void> {
  const { db, documentsRepository, audit } = deps;
  await db.transaction().execute(async (trx) => {
    await requireChangeable(deps, actor, id, trx);
    if (!(await documentsRepository.remove(id, documentId, trx))) throw errors.collections.documentNotFound();
    const details = { collection_id: id };
    await audit.record({ actor, action: "collections.documents.delete", target: documentId, details }, trx);
  });
}

async function getPassage(
  deps: Deps,
  actor: SignedInActor,
  id: string,
  place: { documentId: string; number: number },
): Promise<PassageDto> {
  const { key } = await requireCollection(deps, actor, id);
  const row = await deps.passagesRepository.find(id, place);
  if (row === undefined) throw errors.collections.passageNotFound();
  return toPassageDto(row, key);
}
