import { once } from "node:events";
import type { Exchange } from "../../core/http/exchange.ts";

/**
 * Sends a complete answer. Resolves when the system has taken all of it or the caller has gone: an answer that nobody
 * reads stays in memory, so it must hold its units.
 */
export async function sendJsonAnswer({ response, responseHeaders }: Exchange, text: string): Promise<void> {
  response.writeHead(200, {
    ...responseHeaders,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
  if (response.writableLength > 0 && !response.destroyed) await once(response, "close");
}
