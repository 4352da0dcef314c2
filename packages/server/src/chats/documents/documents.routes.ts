import type { Handlers } from "../../platform/core/http/handlers.ts";
import { answerUpload } from "./answer-upload.ts";
import type { ReadDocument } from "./read-document.ts";

/** The route that reads the text of a document. */
export const documentRoutes = (readDocument: ReadDocument): Handlers => ({
  "documents.read": ({ actor, body, exchange }) =>
    answerUpload(exchange, body, 200, (upload) => readDocument({ ...upload, userId: actor.userId })),
});
