import type { CallBody, ParsedRequest } from "../../call.ts";
import { createChatFormat } from "./format.ts";

/** Reads a request for a chat completion. Backends take it as it is. */
export function readChatRequest(body: CallBody, requestId: string): ParsedRequest {
  return { kind: "chat", body, ignored: [], format: createChatFormat(body, requestId) };
}
