import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as sendRequest,
} from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import { afterAll, afterEach, expect, test } from "vitest";
import { listRelayedHeaders, relay } from "./relay.ts";

const CHUNK = Buffer.alloc(64 * 1024, "x");
const CHUNKS = 1_000;
const servers: Server[] = [];
const agent = new Agent();

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

afterAll(() => agent.close());

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a server that relays everything to `origin`, and responds 503 if `origin` cannot be reached. */
const listenAndRelay = (origin: string) =>
  listen((request, response) => {
    const target = { dispatcher: agent, origin, path: request.url ?? "/", headers: listRelayedHeaders(request) };
    relay(request, response, target).catch(() => setImmediate(() => response.writeHead(503).end("nobody there")));
  });

/** Returns chunks, and the number of them that were read. */
function countedChunks() {
  const counted = { taken: 0 };
  const stream = Readable.from(
    (function* () {
      for (; counted.taken < CHUNKS; counted.taken++) yield CHUNK;
    })(),
    { objectMode: false },
  );
  return { counted, stream };
}

/** Waits until no more chunks are read. Returns their number. */
async function settle(counted: { taken: number }): Promise<number> {
  let before = -1;
  while (before !== counted.taken) {
    before = counted.taken;
    await sleep(200);
  }
  return before;
}

test("a response is relayed no faster than its caller reads it, and whole", async () => {
  const { counted, stream } = countedChunks();
  const origin = await listen((_request, response) => void stream.pipe(response));
  const request = sendRequest(await listenAndRelay(origin)).end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const taken = await settle(counted);
  expect(taken).toBeGreaterThan(0);
  expect(taken).toBeLessThan(CHUNKS);
  expect((await buffer(response)).length).toBe(CHUNKS * CHUNK.length);
});

test("a request's body is relayed no faster than it is read, and whole", async () => {
  const { counted, stream } = countedChunks();
  const { promise: mayRead, resolve: allowReading } = Promise.withResolvers<void>();
  const origin = await listen(async (request, response) => {
    await mayRead;
    response.end(String((await buffer(request)).length));
  });
  const request = sendRequest(await listenAndRelay(origin), { method: "POST" });
  stream.pipe(request);
  expect(await settle(counted)).toBeLessThan(CHUNKS);
  allowReading();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  expect((await buffer(response)).toString()).toBe(String(CHUNKS * CHUNK.length));
});

test("headers are relayed as they are, but for those about the connection", async () => {
  const origin = await listen(({ headers }, response) => {
    response.writeHead(201, { "set-cookie": ["a=1", "b=2"], "x-answer": String(headers["x-question"]) });
    response.end(JSON.stringify([headers.te, headers.host]));
  });
  const response = await fetch(await listenAndRelay(origin), { headers: { "x-question": "why", te: "trailers" } });
  expect([response.status, response.headers.get("x-answer")]).toEqual([201, "why"]);
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await response.json()).toEqual([null, new URL(response.url).host]);
});

test("a target that is not there, or breaks off, leaves the caller's connection for an answer, also to a large body", async () => {
  const breaking = await listen((request) => void request.once("data", () => request.socket.destroy()));
  for (const origin of ["http://127.0.0.1:9", breaking]) {
    const body = Buffer.alloc(16 * 1024 * 1024);
    const response = await fetch(await listenAndRelay(origin), { method: "POST", body });
    expect([response.status, await response.text()]).toEqual([503, "nobody there"]);
  }
});

test("a response that breaks off breaks off for its caller", async () => {
  const origin = await listen((_request, response) => {
    response.write("begun", () => response.destroy());
  });
  const response = await fetch(await listenAndRelay(origin));
  await expect(response.text()).rejects.toThrow("terminated");
});
