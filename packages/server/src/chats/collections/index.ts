import type { Logger } from "pino";
import type { EmbedTexts, ModelLookup } from "../../gateway/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { createParseQueue } from "../../platform/core/parse-pool.ts";
import type { OrganizationKeys } from "../conversations/index.ts";
import type { ReadDocument } from "../documents/index.ts";
import { createCollectionsRepository } from "./collections.repository.ts";
import { collectionRoutes } from "./collections.routes.ts";
import type { CollectionSettings } from "./collections.settings.ts";
import { createCollections } from "./collections.usecases.ts";
import { createDocumentsRepository } from "./documents.repository.ts";
import { createDocuments } from "./documents.usecases.ts";
import { createEmbedDocuments } from "./embed-documents.jobs.ts";
import { createFindEmbeddingModel } from "./embedding-models.ts";
import { createListKept } from "./kept-collections.ts";
import { createPassagesRepository } from "./passages.repository.ts";
import { createSearch } from "./search.usecases.ts";
import { createFindTextPassages } from "./text-passages.usecases.ts";
import { createTextVectors } from "./text-vectors.ts";

/** Long enough for a model that is loaded; a search does not wait for one that is not. */
const QUERY_TIMEOUT_MS = 20_000;
/** Long enough for some hundred passages; the next question goes on with the others. */
const TEXTS_TIMEOUT_MS = 30_000;
/** Searches in texts take memory, so few run at a time, and of each person one. */
const TEXT_QUEUE_LIMITS = { maxThreads: 4, maxWaitingOfAccount: 4, maxWaiting: 20 };

type Ports = {
  db: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  audit: Audit;
  organizationKeys: OrganizationKeys;
  readDocument: ReadDocument;
  models: Pick<ModelLookup, "find">;
  registry: Parameters<typeof createFindEmbeddingModel>[0]["registry"];
  /** Makes the vectors of texts as a call of a person. */
  embedTexts: EmbedTexts;
  settings: CollectionSettings;
};

/** Creates the collections of documents that members of organizations search. */
export function createCollectionsModule({ settings, ...ports }: Ports) {
  const deps = {
    ...ports,
    collectionsRepository: createCollectionsRepository(ports.db),
    documentsRepository: createDocumentsRepository(ports.db),
    passagesRepository: createPassagesRepository(ports.db),
    findEmbeddingModel: createFindEmbeddingModel(ports),
    maxPassages: settings.passages,
  };
  const makeTextVectors = createTextVectors({
    embedTexts: ports.embedTexts,
    timeoutMs: TEXTS_TIMEOUT_MS,
    now: () => ports.clock.now().getTime(),
  });
  const takeTurn = createParseQueue(TEXT_QUEUE_LIMITS);
  const routes = collectionRoutes({
    collections: createCollections(deps),
    documents: createDocuments(deps),
    search: createSearch({ ...deps, queryTimeoutMs: QUERY_TIMEOUT_MS }),
    findTextPassages: createFindTextPassages({ ...deps, takeTurn, makeTextVectors, queryTimeoutMs: QUERY_TIMEOUT_MS }),
  });
  return { routes, jobs: [createEmbedDocuments(deps)], api: { listKept: createListKept(deps) } };
}

export type { CollectionSettings } from "./collections.settings.ts";
