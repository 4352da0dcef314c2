import type { ServerResponse } from "node:http";
import { createFeather, type Feather } from "../client.ts";
import type { FeatherOptions } from "../options.ts";
import { startServer, type TestServer } from "./server.ts";

export type Served = TestServer & { feather: Feather; [Symbol.dispose](): void };

/** A server that answers as told, and a client of it that tries once. Both end with the test, by `using`. */
export async function serve(answer: Parameters<typeof startServer>[0], options: FeatherOptions = {}): Promise<Served> {
  const server = await startServer(answer);
  const feather = createFeather({ baseUrl: server.url, apiKey: "rc_secret", maxRetries: 0, ...options });
  return Object.assign(server, { feather, [Symbol.dispose]: () => server.close() });
}

/** Begins a stream of events; with a text it ends too. */
export function events(response: ServerResponse, text?: string | Uint8Array): ServerResponse {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "request-id": "req_1" });
  return text === undefined ? response : response.end(text);
}
