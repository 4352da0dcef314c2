import type { ServerResponse } from "node:http";
import type { Exchange } from "../../platform/core/http/exchange.ts";

/** Longer answers are sent in pieces, so that a slow reader can be distinguished from a caller who reads nothing. */
const PIECE_BYTES = 64 * 1024;
const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Sends a complete answer, or gives it to the part of the server that made the call. Returns undefined if the operating system has taken all of it. Otherwise returns a promise that
 * resolves when it has, or when the caller has disconnected: until then the answer is in memory, so the call must keep its
 * units. A caller who reads nothing for `stalledMs` is disconnected.
 */
export function sendAnswer(
  { response, responseHeaders, receive }: Exchange,
  text: string,
  stalledMs: number,
  contentType = JSON_TYPE,
): Promise<void> | undefined {
  if (receive !== undefined) {
    receive(text);
    return undefined;
  }
  const size = Buffer.byteLength(text);
  responseHeaders["content-type"] = contentType;
  responseHeaders["content-length"] = size;
  response.writeHead(200, responseHeaders);
  if (size > PIECE_BYTES) return sendInPieces(response, Buffer.from(text), stalledMs);
  response.end(text);
  return isTaken(response) ? undefined : waitForReader(response, "close", stalledMs);
}

async function sendInPieces(response: ServerResponse, bytes: Buffer, stalledMs: number): Promise<void> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    if (!response.write(bytes.subarray(start, start + PIECE_BYTES)) && !response.destroyed)
      await waitForReader(response, "drain", stalledMs);
    if (response.destroyed) return;
  }
  response.end();
  if (!isTaken(response)) await waitForReader(response, "close", stalledMs);
}

function isTaken(response: ServerResponse): boolean {
  return response.writableLength === 0 || response.destroyed;
}

/**
 * Resolves at the event, or when the caller has disconnected. Disconnects the caller if the event takes longer than
 * `stalledMs`.
 */
function waitForReader(response: ServerResponse, event: "drain" | "close", stalledMs: number): Promise<void> {
  return new Promise((resolve) => {
    const stalled = setTimeout(() => response.destroy(), stalledMs);
    const end = () => {
      clearTimeout(stalled);
      response.off("drain", end).off("close", end);
      resolve();
    };
    response.on(event, end).on("close", end);
  });
}
