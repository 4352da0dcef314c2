import type { Logger } from "pino";
import type { EmbedTexts } from "../../gateway/index.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { hasPermission, isRole } from "../../platform/core/auth/permissions.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { AppError } from "../../platform/core/errors/index.ts";
import type { Job } from "../../platform/core/jobs.ts";
import { HOUR_MS, SECOND_MS } from "../../platform/core/time.ts";
import type { OrganizationKey, OrganizationKeys } from "../conversations/index.ts";
import { openPassage } from "./collections.dto.ts";
import type { DocumentsRepository, DueDocument } from "./documents.repository.ts";
import type { PassagesRepository } from "./passages.repository.ts";
import { toBytes, toVectors, type Vectors } from "./vectors.ts";

type Deps = {
  db: Database;
  documentsRepository: Pick<DocumentsRepository, "isAt" | "listDue" | "note">;
  passagesRepository: Pick<PassagesRepository, "holdsVersion" | "insertVectors" | "listNext">;
  organizationKeys: Pick<OrganizationKeys, "find">;
  embedTexts: EmbedTexts;
  clock: Clock;
  log: Pick<Logger, "error">;
};

/** Few, so that a call holds few units of its organization. */
const PASSAGES_AT_ONCE = 8;
/** How many organizations take turns. */
const ORGANIZATIONS_AT_ONCE = 20;
const QUEUE_SECONDS = 30;
const FIRST_DELAY_MS = 10 * SECOND_MS;
const MAX_DELAY_MS = HOUR_MS;
/** Statuses of refusals that may pass by themselves within seconds. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 429]);
const FIRST_SERVER_ERROR = 500;

/**
 * Creates the job that has vectors made for documents, a few passages at a time, one organization after the other. What is stored
 * says how far a document is, so that the next run goes on where a killed one ended.
 */
export function createEmbedDocuments(deps: Deps): Job {
  return { name: "make vectors of documents", everySeconds: 2, run: (stopping) => embedDue(deps, stopping) };
}

async function embedDue(deps: Deps, stopping = new AbortController().signal): Promise<void> {
  const { documentsRepository, clock } = deps;
  let due: DueDocument[];
  do {
    due = await documentsRepository.listDue(clock.now(), ORGANIZATIONS_AT_ONCE);
    for (const document of due) if (!stopping.aborted) await tryNext(deps, document, stopping);
  } while (due.length > 0 && !stopping.aborted);
}

/** Makes the next vectors of a document. Where that fails, it notes why and when it is tried again. */
async function tryNext(deps: Deps, document: DueDocument, stopping: AbortSignal): Promise<void> {
  const { organizationKeys, clock, log } = deps;
  const key = await organizationKeys.find(document.organization_id);
  if (key === null) return; // deleted with the key meanwhile
  try {
    await embedNext(deps, document, key, stopping);
  } catch (error) {
    if (stopping.aborted) return;
    if (!(error instanceof AppError || error instanceof RangeError))
      log.error({ err: error, document_id: document.id }, "vectors of a document could not be made");
    const failures = document.failures + 1;
    const next_try_at = new Date(clock.now().getTime() + delayAfter(error, failures));
    const sealed_problem = key.sealer.seal(describe(error));
    await noteFailure(deps, document, { state: "failed", sealed_problem, failures, next_try_at });
  }
}

/** Notes why vectors could not be made. Does nothing where the model or the document changed meanwhile. */
async function noteFailure(
  { db, documentsRepository, passagesRepository }: Deps,
  { id, collection_id, model_version, embedded_passages }: DueDocument,
  failure: Parameters<DocumentsRepository["note"]>[1],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await passagesRepository.holdsVersion(collection_id, model_version, trx))) return;
    if (!(await documentsRepository.isAt(id, embedded_passages, trx))) return;
    await documentsRepository.note(id, failure, trx);
  });
}

async function embedNext(deps: Deps, document: DueDocument, key: OrganizationKey, signal: AbortSignal): Promise<void> {
  const { passagesRepository, embedTexts } = deps;
  const { embedded_passages: done, embedding_model: model } = document;
  const sealed = await passagesRepository.listNext(document.id, done, PASSAGES_AT_ONCE);
  const texts = sealed.map((fields) => openPassage(key, fields).text);
  const actor = toActor(document);
  const vectors =
    texts.length > 0 ? toVectors(await embedTexts(actor, { model, texts, queueSeconds: QUEUE_SECONDS, signal })) : null;
  await store(deps, document, { vectors, count: texts.length, key });
}

/** Stores vectors and how far the document is, together. Does nothing where the model or the document changed meanwhile. */
async function store(
  { db, documentsRepository, passagesRepository, clock }: Deps,
  { id, collection_id, passages, embedded_passages: done, model_version }: DueDocument,
  { vectors, count, key }: { vectors: Vectors | null; count: number; key: OrganizationKey },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await passagesRepository.holdsVersion(collection_id, model_version, trx))) return;
    if (vectors !== null) {
      const row = {
        ...{ document_id: id, collection_id, first_number: done + 1, passages: count, dimensions: vectors.dimensions },
        sealed_vectors: key.sealer.sealBytes(toBytes(vectors)),
      };
      if (!(await passagesRepository.insertVectors(row, trx))) return;
    }
    const embedded = done + count;
    const isReady = embedded >= passages;
    const state = isReady ? "ready" : "embedding";
    const next_try_at = isReady ? null : clock.now();
    await documentsRepository.note(id, { state, sealed_problem: null, failures: 0, next_try_at, embedded }, trx);
  });
}

/** Returns the actor of calls in the name of the person who added a document. Throws where that person may make none. */
function toActor({ organization_id, collection_id, embedded_for, role }: DueDocument): SignedInActor {
  if (embedded_for === null || role === null || !isRole(role) || !hasPermission(role, "call_models"))
    throw new RangeError(
      "The person who added it may not call models here any more. Add it again, or set another model for the collection.",
    );
  return {
    kind: "user",
    userId: embedded_for,
    organizationId: organization_id,
    role,
    isAdmin: false,
    emailVerified: true,
    scopes: ["api.access"],
    credential: { type: "collection", id: collection_id },
  };
}

function delayAfter(error: unknown, failures: number): number {
  const isPassing =
    !(error instanceof RangeError) &&
    (!(error instanceof AppError) || PASSING_STATUSES.has(error.status) || error.status >= FIRST_SERVER_ERROR);
  return isPassing ? Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS) : MAX_DELAY_MS;
}

const describe = (error: unknown): string =>
  error instanceof AppError || error instanceof RangeError ? error.message : "The server failed. Its log says more.";
