import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { waitFor } from "@feather/testing/wait-for";
import Fastify from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { createEarlyAnswers, type EarlyAnswerLimits, prepareEarlyAnswers } from "./early-answers.ts";

const LIMITS: EarlyAnswerLimits = { maxBytes: 1_000_000, idleMs: 60_000, totalMs: 60_000, maxConnections: 10 };

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const { close } of opened.splice(0)) close();
});

/** A raw connection, the text that was received on it, and its state. */
type Connection = { socket: Socket; text(): string; end(): "open" | "half-closed" | "closed"; errors: string[] };

function open(port: number): Connection {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  opened.push({ close: () => socket.destroy() });
  const parts: Buffer[] = [];
  const errors: string[] = [];
  let end: ReturnType<Connection["end"]> = "open";
  socket.on("data", (part: Buffer) => parts.push(part));
  socket.on("error", (error: NodeJS.ErrnoException) => errors.push(error.code ?? error.message));
  socket.on("end", () => {
    end = "half-closed";
  });
  socket.on("close", () => {
    end = "closed";
  });
  return { socket, text: () => Buffer.concat(parts).toString(), end: () => end, errors };
}

/** Starts a server of Node that prepares early responses with these limits. */
async function listen(limits: Partial<EarlyAnswerLimits>, listener?: RequestListener): Promise<number> {
  const earlyAnswers = createEarlyAnswers({ ...LIMITS, ...limits });
  const server = createServer((request, response) => {
    setImmediate(() => {
      earlyAnswers.prepare(request, response);
      if (listener) listener(request, response);
      else response.end("too much");
    });
  });
  return start(server);
}

async function start(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push({ close: () => server.close().closeAllConnections() });
  return (server.address() as AddressInfo).port;
}

const post = (length: number, body = "", path = "/") =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`;

describe("the connection of an early answer", () => {
  test("the connection of an early answer is half-closed and read on until the sender has sent everything and closes", async () => {
    const { socket, text, end, errors } = open(await listen({}));
    socket.write(post(900_000, "x"));
    await waitFor(() => expect(end()).toBe("half-closed"));
    expect(text()).toMatch(/^HTTP\/1\.1 200 OK\r\n(.*\r\n)*connection: close\r\n(.*\r\n)*\r\n/i);
    for (let sent = 1; sent < 900_000; sent += 100_000) {
      await new Promise((resolve) =>
        socket.write(Buffer.alloc(Math.min(100_000, 900_000 - sent)), () => resolve(null)),
      );
    }
    expect(end()).toBe("half-closed");
    socket.end();
    await once(socket, "close");
    expect(errors).toEqual([]);
  });

  test("the connection of an early answer is read on when its request had been paused, since nothing read it", async () => {
    const answer = Promise.withResolvers<void>();
    const earlyAnswers = createEarlyAnswers({ ...LIMITS, maxBytes: 10_000_000 });
    const server = createServer(async (request, response) => {
      await answer.promise;
      earlyAnswers.prepare(request, response);
      response.end("too much");
    });
    const { socket, end, errors } = open(await start(server));
    socket.write(post(9_000_000, "x".repeat(8_000_000)));
    await waitFor(() => expect(socket.bytesWritten).toBeGreaterThan(100_000));
    answer.resolve();
    await waitFor(() => expect(end()).toBe("half-closed"));
    await new Promise<void>((resolve) => void socket.end("y", () => resolve()));
    await once(socket, "close");
    expect(errors).toEqual([]);
  });

  test.each<[string, Partial<EarlyAnswerLimits>, number]>([
    ["more bytes come than are read", { maxBytes: 100_000 }, 5_000_000],
    ["nothing comes for too long", { idleMs: 1 }, 0],
    ["it takes too long", { totalMs: 1 }, 0],
  ])("the connection of an early answer is closed when %s", async (_when, limits, bytes) => {
    const { socket, text, end } = open(await listen(limits));
    socket.write(post(10_000_000, "x"));
    await waitFor(() => expect(text()).toContain("too much"));
    socket.write(Buffer.alloc(bytes));
    // A reset, or the response to a write on a closed connection.
    await waitFor(() => {
      if (end() === "half-closed") socket.write("x");
      expect(end()).toBe("closed");
    });
  });

  test("the connection of an early answer is closed at once when many others are read on", async () => {
    const port = await listen({ maxConnections: 1 });
    const first = open(port);
    first.socket.write(post(900_000, "x"));
    await waitFor(() => expect(first.end()).toBe("half-closed"));
    const second = open(port);
    second.socket.write(post(900_000, "x"));
    await waitFor(() => {
      if (second.end() === "half-closed") second.socket.write("x");
      expect(second.end()).toBe("closed");
    });
    expect(first.end()).toBe("half-closed");
  });

  test("the connection of an early answer handles no request that is sent behind", async () => {
    let requests = 0;
    const port = await listen({}, (_, response) => {
      requests += 1;
      response.end("first");
    });
    const { socket, text, end } = open(port);
    socket.write(post(100_000, "x"));
    await waitFor(() => expect(end()).toBe("half-closed"));
    socket.end(`${"y".repeat(99_999)}GET / HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    await once(socket, "close");
    expect([requests, text().match(/HTTP\/1\.1/g)?.length]).toEqual([1, 1]);
  });

  test("the connection of an early answer is kept for the next request when little of the body is to come", async () => {
    const { socket, text, end } = open(await listen({}));
    socket.write(post(10, "x"));
    await waitFor(() => expect(text()).toContain("too much"));
    socket.write(`${"y".repeat(9)}${post(1, "z")}`);
    await waitFor(() => expect(text().match(/HTTP\/1\.1 200/g)).toHaveLength(2));
    expect(end()).toBe("open");
  });

  test("the connection of an early answer has as many listeners after many requests as before", async () => {
    const sockets = new Set<Socket>();
    const { socket, text } = open(
      await listen({}, (request, response) => {
        sockets.add(request.socket);
        response.end("too much");
      }),
    );
    const counts: number[] = [];
    for (let request = 1; request <= 3; request++) {
      socket.write(post(10, "x"));
      await waitFor(() => expect(text().match(/too much/g)).toHaveLength(request));
      socket.write("x".repeat(9));
      const [server] = sockets;
      await waitFor(() => expect(server?.bytesRead).toBe(socket.bytesWritten));
      counts.push(server?.listenerCount("close") ?? 0);
    }
    expect(sockets.size).toBe(1);
    expect(new Set(counts).size).toBe(1);
  });

  test("the connection of an early answer is closed when the little that is to come does not", async () => {
    const { socket, end } = open(await listen({ totalMs: 1 }));
    socket.write(post(10, "x"));
    await waitFor(() => expect(end()).not.toBe("open"));
  });
});

describe("a server", () => {
  let server: TestServer;
  let caller: Account;
  let port: number;
  beforeAll(async () => {
    server = await createTestServer();
    caller = await server.signUp();
    port = (server.httpServer.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  const MEGABYTE = 1024 * 1024;
  const head = (path: string, headers: string) =>
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${headers}\r\n`;

  test.each<[number, string, () => string]>([
    [413, "a body above the limit", () => head("/api/auth/login", `content-length: ${8 * MEGABYTE}\r\n`)],
    [
      413,
      "a call to a model above the limit",
      () =>
        head(
          "/v1/chat/completions",
          `authorization: Bearer ${caller.token}\r\ncontent-length: ${16 * MEGABYTE + 1}\r\n`,
        ),
    ],
    [401, "a call without a credential", () => head("/v1/chat/completions", `content-length: ${8 * MEGABYTE}\r\n`)],
    [
      415,
      "a compressed body",
      () => head("/api/auth/login", `content-encoding: gzip\r\ncontent-length: ${8 * MEGABYTE}\r\n`),
    ],
    [400, "what is no HTTP", () => "no HTTP\r\n\r\n"],
  ])("a server lets a slow sender read the whole %i to %s", async (status, _what, request) => {
    const { socket, text, end, errors } = open(port);
    socket.write(request());
    const part = Buffer.alloc(64 * 1024, "x");
    for (let sent = 0; sent < 4 * MEGABYTE && end() === "open"; sent += part.length) {
      await new Promise((resolve) => socket.write(part, resolve));
      await new Promise(setImmediate);
    }
    await waitFor(() => expect(end()).toBe("half-closed"));
    const [first = "", body = ""] = text().split("\r\n\r\n");
    expect(first).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`));
    expect(first).toMatch(/^connection: close$/im);
    expect(body).toHaveLength(Number(/content-length: (\d+)/i.exec(first)?.[1]));
    expect(JSON.parse(body)).toBeTypeOf("object");
    expect(errors).toEqual([]);
    socket.end();
    await once(socket, "close");
  });
});

test("an answer to a request that came over no connection ends none", async () => {
  const app = Fastify();
  opened.push({ close: () => void app.close() });
  prepareEarlyAnswers(app, createEarlyAnswers(LIMITS));
  app.get("/", async () => "well");
  const sockets: object[] = [];
  app.addHook("onResponse", async ({ raw }) => void sockets.push(raw.socket));
  expect((await app.inject("/")).statusCode).toBe(200);
  expect(sockets).toHaveLength(1);
  expect(sockets[0]).not.toHaveProperty("destroySoon");
});
