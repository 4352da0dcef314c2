import type { CallBody, ParsedRequest } from "../parsed-request.ts";
import { toEmbeddings } from "./format.ts";

/** Reads a request for embeddings, which backends accept unchanged. The answer is not streamed and has only one format. */
export function readEmbeddingsRequest(body: CallBody): ParsedRequest {
  return { kind: "embedding", body, ignored: [], format: { toWhole: (call, raw) => toEmbeddings(body, call, raw) } };
}
