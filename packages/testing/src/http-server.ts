import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A request that a test server received; `url` is the path with the query. */
export type RecordedRequest = { method: string; url: string; headers: IncomingMessage["headers"]; body: string };

/** Answers a request. `count` is the number of requests so far, this one included; `bytes` is its body as it came. */
export type Respond = (request: RecordedRequest, response: ServerResponse, count: number, bytes: Buffer) => unknown;

/** A running test server. */
export type HttpServer = {
  /** Its origin, without a slash at the end. */
  url: string;
  /** Requests so far, with their bodies. */
  requests: RecordedRequest[];
  /** Number of responses whose connection ended before they did. */
  readonly aborted: number;
  /** Number of open connections. */
  readonly openConnections: number;
  /** Ends all connections and stops listening. */
  close(): Promise<void>;
};

/**
 * Starts an HTTP server on a free port of an address of this machine that records its requests. If `respond` fails, the
 * connection ends.
 */
export async function startHttpServer(respond: Respond, host = "127.0.0.1"): Promise<HttpServer> {
  const requests: RecordedRequest[] = [];
  const sockets = new Set<Socket>();
  const counts = { aborted: 0 };
  const server = createServer(async (incoming, outgoing) => {
    outgoing.on("close", () => {
      if (!outgoing.writableFinished) counts.aborted += 1;
    });
    try {
      const bytes = await readBytes(incoming);
      const request: RecordedRequest = {
        method: incoming.method ?? "",
        url: incoming.url ?? "",
        headers: incoming.headers,
        body: bytes.toString("utf8"),
      };
      await respond(request, outgoing, requests.push(request), bytes);
    } catch {
      outgoing.destroy();
    }
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    requests,
    get aborted() {
      return counts.aborted;
    },
    get openConnections() {
      return sockets.size;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Sends a JSON response with a request id, as the platform does. */
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

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}
