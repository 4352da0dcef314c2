import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A request that the test server received. */
export type RecordedRequest = { method: string; url: string; headers: IncomingMessage["headers"]; body: string };
/** A running test server; `closed` counts connections that ended before their response did. */
export type TestServer = { url: string; requests: RecordedRequest[]; aborted: number; close(): void };

/** Starts an HTTP server on a free port that responds through `answer` and records its requests. */
export function startServer(
  respond: (request: RecordedRequest, response: ServerResponse, count: number) => void,
): Promise<TestServer> {
  const requests: RecordedRequest[] = [];
  const state = { aborted: 0 };
  const server = createServer((incoming, outgoing) => {
    let body = "";
    incoming.on("data", (part: Buffer) => {
      body += part.toString();
    });
    outgoing.on("close", () => {
      if (!outgoing.writableFinished) state.aborted += 1;
    });
    incoming.on("end", () => {
      const request = { method: incoming.method ?? "", url: incoming.url ?? "", headers: incoming.headers, body };
      respond(request, outgoing, requests.push(request));
    });
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      resolve({
        url: `http://127.0.0.1:${port}`,
        requests,
        get aborted() {
          return state.aborted;
        },
        close() {
          server.closeAllConnections();
          server.close();
        },
      });
    });
  });
}

/** Sends a JSON response. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { "content-type": "application/json", "request-id": "req_1", ...headers })
    .end(JSON.stringify(body));
}

/** Returns the events of a streamed completion, with one chunk for each text. */
export function formatChunks(...texts: string[]): string {
  const event = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m/n", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  return texts.map((content) => event({ content }, null)).join("") + event({}, "stop");
}
