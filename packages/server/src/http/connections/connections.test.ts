import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../testing/server.ts";
import { type ConnectionLimits, limitConnections, MAX_HEADERS } from "./connections.ts";
import { createEarlyAnswers } from "./early-answers.ts";

let server: TestServer;
let timeouts: Pick<Server, "headersTimeout" | "requestTimeout">;
beforeAll(async () => {
  server = await createTestServer();
  const { headersTimeout, requestTimeout } = server.httpServer;
  timeouts = { headersTimeout, requestTimeout };
});
afterEach(() => Object.assign(server.httpServer, timeouts));
afterAll(() => server.close());

const HOST = "host: localhost\r\n";

/** Sends bytes on a connection. Returns all that is received until the server closes it. */
async function exchange(bytes: string): Promise<string> {
  const socket = connect((server.httpServer.address() as AddressInfo).port, "127.0.0.1");
  const parts: string[] = [];
  socket.on("data", (part: Buffer) => parts.push(part.toString()));
  socket.on("error", () => {});
  socket.write(bytes);
  await once(socket, "close");
  return parts.join("");
}

/** Returns the status and the error body of a raw response. */
function read(answer: string): { status: number; body: unknown } {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), body: JSON.parse(body) };
}

const request = (headers: string) => `GET /api/health/live HTTP/1.1\r\n${HOST}connection: close\r\n${headers}\r\n`;
const manyHeaders = (count: number) => Array.from({ length: count }, (_, index) => `x-${index}: 1\r\n`).join("");

describe("what comes before a body", () => {
  test("a request may have a hundred headers and is refused with 431 above", async () => {
    expect(await exchange(request(manyHeaders(MAX_HEADERS - 2)))).toMatch(/^HTTP\/1\.1 200/);
    expect(await exchange(request(manyHeaders(MAX_HEADERS - 1)))).toMatch(/^HTTP\/1\.1 431/);
    expect(await exchange(request(manyHeaders(1_000)))).toMatch(/^HTTP\/1\.1 431/);
  });

  test.each([
    ["a header of 17 kB", request(`x-large: ${"a".repeat(17_000)}\r\n`), 431],
    ["headers of 20 kB together", request(manyHeaders(2_000)), 431],
    ["an address of 17 kB", `GET /${"a".repeat(17_000)} HTTP/1.1\r\n${HOST}\r\n`, 431],
    ["no HTTP", "hello\r\n\r\n", 400],
    ["two lengths", request("content-length: 1\r\ncontent-length: 2\r\n"), 400],
    ["a length and chunks", request("content-length: 1\r\ntransfer-encoding: chunked\r\n"), 400],
    ["a line without a colon", request("nothing\r\n"), 400],
    [
      "chunks with extensions of 20 kB",
      `POST /api/auth/login HTTP/1.1\r\n${HOST}transfer-encoding: chunked\r\ncontent-type: application/json\r\n\r\n` +
        `1;${"a".repeat(20_000)}\r\n{\r\n`,
      413,
    ],
  ])("%s is answered with an error in our format, and the connection is closed", async (_what, bytes, status) => {
    const answer = read(await exchange(bytes));
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ statusCode: status, message: expect.stringMatching(/\.$/) });
  });
});

describe("a slow client", () => {
  test.each([
    ["sends nothing", ""],
    ["sends half of its headers", `GET /api/health/live HTTP/1.1\r\n${HOST}x-more`],
  ])("a slow client that %s is answered with 408", async (_what, bytes) => {
    server.httpServer.headersTimeout = 1;
    expect(read(await exchange(bytes)).status).toBe(408);
  });

  test.each([
    ["with a length", "content-length: 100\r\n\r\n{"],
    ["in chunks", "transfer-encoding: chunked\r\n\r\n1\r\n{\r\n"],
  ])("a slow client that sends half of a body %s is answered with 408", async (_what, rest) => {
    server.httpServer.requestTimeout = 1;
    const bytes = `POST /api/auth/login HTTP/1.1\r\n${HOST}content-type: application/json\r\n${rest}`;
    expect(read(await exchange(bytes)).status).toBe(408);
  });

  test("a slow client has ten seconds for headers and thirty for a whole request", () => {
    expect(timeouts).toEqual({ headersTimeout: 10_000, requestTimeout: 30_000 });
  });
});

describe("connections", () => {
  const opened: { close(): void }[] = [];
  afterEach(() => {
    for (const { close } of opened.splice(0)) close();
  });

  /** Starts a server whose connections seem to come from `address`. */
  async function listen(address: string, limits: ConnectionLimits, trusted?: readonly string[]) {
    const limited = createServer((_, answer) => answer.end("fine"));
    limited.prependListener("connection", (socket: Socket) => {
      Object.defineProperty(socket, "remoteAddress", { value: address });
    });
    const before = limited.listeners("connection").at(0) as (socket: Socket) => void;
    limitConnections(limited, trusted, createEarlyAnswers(), limits);
    limited.off("connection", before).prependListener("connection", before);
    limited.listen(0, "127.0.0.1");
    await once(limited, "listening");
    opened.push({ close: () => limited.close().closeAllConnections() });
    return () => open((limited.address() as AddressInfo).port);
  }

  /** Opens a connection that stays open. Returns it with the status of its first response. */
  async function open(port: number): Promise<{ status: string; socket: Socket }> {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    opened.push({ close: () => socket.destroy() });
    socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n`);
    const [data] = (await once(socket, "data")) as [Buffer];
    return { status: data.toString().slice("HTTP/1.1 ".length, "HTTP/1.1 200".length), socket };
  }

  const LIMITS = { perClient: 2, total: 3 };
  async function openAll(next: () => ReturnType<typeof open>, count: number): Promise<string[]> {
    const statuses: string[] = [];
    for (let index = 0; index < count; index++) statuses.push((await next()).status);
    return statuses;
  }

  test("above the most of one client are answered with 429", async () => {
    expect(await openAll(await listen("203.0.113.9", LIMITS), 4)).toEqual(["200", "200", "429", "429"]);
  });

  test("above the most of all are answered with 503, wherever they come from", async () => {
    expect(await openAll(await listen("127.0.0.1", LIMITS), 4)).toEqual(["200", "200", "200", "503"]);
  });

  test.each([
    ["203.0.113.9", ["203.0.113.0/24"]],
    ["10.1.2.3", ["uniquelocal"]],
    ["::ffff:10.1.2.3", ["uniquelocal"]],
    ["fe80::1", ["linklocal"]],
  ])("connections of the trusted proxy %s count for the total only", async (address, trusted) => {
    expect(await openAll(await listen(address, { perClient: 1, total: 9 }, trusted), 3)).toEqual(["200", "200", "200"]);
  });

  test("connections count no longer once they are closed", async () => {
    const next = await listen("203.0.113.9", { perClient: 1, total: 1 });
    const { socket } = await next();
    socket.end();
    await once(socket, "close");
    expect((await next()).status).toBe("200");
  });
});
