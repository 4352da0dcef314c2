import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export type Seen = { method: string; url: string; headers: IncomingMessage["headers"]; body: string };
export type TestServer = { url: string; seen: Seen[]; closed: number; close(): void };

/** A real HTTP server that answers as told and remembers what it was asked. */
export function startServer(
  answer: (request: Seen, response: ServerResponse, nth: number) => void,
): Promise<TestServer> {
  const seen: Seen[] = [];
  const state = { closed: 0 };
  const server = createServer((incoming, outgoing) => {
    let body = "";
    incoming.on("data", (part: Buffer) => {
      body += part.toString();
    });
    outgoing.on("close", () => {
      if (!outgoing.writableFinished) state.closed += 1;
    });
    incoming.on("end", () => {
      const request = { method: incoming.method ?? "", url: incoming.url ?? "", headers: incoming.headers, body };
      answer(request, outgoing, seen.push(request));
    });
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      resolve({
        url: `http://127.0.0.1:${port}`,
        seen,
        get closed() {
          return state.closed;
        },
        close() {
          server.closeAllConnections();
          server.close();
        },
      });
    });
  });
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { "content-type": "application/json", "request-id": "req_1", ...headers })
    .end(JSON.stringify(body));
}

/** Events of a streamed answer, one for each text. */
export function chunks(...texts: string[]): string {
  const event = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m/n", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  return texts.map((content) => event({ content }, null)).join("") + event({}, "stop");
}
