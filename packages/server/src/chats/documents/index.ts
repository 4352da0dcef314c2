import { createParseQueue } from "../../platform/core/parse-pool.ts";
import { documentRoutes } from "./documents.routes.ts";
import type { DocumentSettings } from "./documents.settings.ts";
import { createReadDocument } from "./read-document.ts";
import { readInProcess } from "./reader-process.ts";

/** Reading takes a processor and memory, so two documents are read at a time, and of each person one. */
const QUEUE_LIMITS = { maxThreads: 2, maxWaitingOfAccount: 8, maxWaiting: 20 };

/** Creates what reads the text of documents. Nothing of them is kept. */
export function createDocumentsModule(settings: DocumentSettings) {
  const takeTurn = createParseQueue(QUEUE_LIMITS);
  const readDocument = createReadDocument({ settings, takeTurn, read: readInProcess });
  return { routes: documentRoutes(readDocument), jobs: [], api: { readDocument } };
}

export { answerUpload } from "./answer-upload.ts";
export type { DocumentSettings } from "./documents.settings.ts";
export type { ReadDocument } from "./read-document.ts";
