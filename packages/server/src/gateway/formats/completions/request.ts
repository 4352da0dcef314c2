import type { CallBody, ParsedRequest } from "../parsed-request.ts";
import { createCompletionsFormat } from "./format.ts";

/** Reads a request for a text completion, which backends accept unchanged. */
export function readCompletionsRequest(body: CallBody, requestId: string): ParsedRequest {
  return { kind: "completion", body, ignored: [], format: createCompletionsFormat(body, requestId) };
}
