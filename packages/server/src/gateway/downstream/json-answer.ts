import { once } from "node:events";
import type { Exchange } from "../../core/http/exchange.ts";

/**
 * Sends a complete answer. Returns a promise if the system has not taken all of it, which resolves when it has or the
 * caller has gone: an answer that nobody reads stays in memory, so it must hold its units.
 */
export function sendJsonAnswer({ response, responseHeaders }: Exchange, text: string): Promise<unknown> | undefined {
  responseHeaders["content-type"] = "application/json; charset=utf-8";
  responseHeaders["content-length"] = Buffer.byteLength(text);
  response.writeHead(200, responseHeaders);
  response.end(text);
  return response.writableLength > 0 && !response.destroyed ? once(response, "close") : undefined;
}
