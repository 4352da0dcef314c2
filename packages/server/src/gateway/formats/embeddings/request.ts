import type { CallBody, ParsedRequest } from "../../call.ts";

/** Reads a request for embeddings. Backends take it as it is; its answer is no stream and has one form. */
export function readEmbeddingsRequest(body: CallBody): ParsedRequest {
  return { kind: "embedding", body, ignored: [], format: null };
}
