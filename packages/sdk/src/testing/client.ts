import type { ServerResponse } from "node:http";
import { type HttpServer, startHttpServer } from "@feather/testing/http-server";
import { createFeather, type Feather } from "../client.ts";
import type { FeatherOptions } from "../options.ts";

/** A test server with a client for it. */
export type TestClient = HttpServer & { feather: Feather; [Symbol.dispose](): void };

/** Starts a test server and creates a client for it without retries. `using` closes the server at the end of the test. */
export async function startTestClient(
  respond: Parameters<typeof startHttpServer>[0],
  options: FeatherOptions = {},
): Promise<TestClient> {
  const server = await startHttpServer(respond);
  const feather = createFeather({ baseUrl: server.url, apiKey: "rc_secret", maxRetries: 0, ...options });
  return Object.assign(server, { feather, [Symbol.dispose]: () => server.close() });
}

/** Starts an event stream; with a text, sends it and ends the stream. */
export function startEvents(response: ServerResponse, text?: string | Uint8Array): ServerResponse {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "request-id": "req_1" });
  return text === undefined ? response : response.end(text);
}
