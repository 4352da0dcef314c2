import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createTestClock } from "@feather/testing/clock";
import { waitFor } from "@feather/testing/wait-for";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createBackendRegistry } from "../gateway/backends/registry.ts";
import { errors } from "../platform/core/errors/index.ts";
import { toEngineBaseUrl } from "../platform/core/peers/engine-address.ts";
import { answerPeerCall, type PeerAnswer } from "../platform/core/peers/peer-call.ts";
import { derivePeerToken, PEER_VERSION_HEADER } from "../platform/core/peers/peer-token.ts";
import { PEER_VERSION } from "../platform/core/replicas/peer-version.ts";
import { openReplicaListener, type ReplicaListener } from "./replica-listener.ts";

const SECRET = new Uint8Array(32).fill(1);
const TOKEN = derivePeerToken(SECRET);
const MODEL = "feather/demo";
const NOT_FORCED = new AbortController().signal;
const echo = answerPeerCall(
  { name: "echo", input: z.object({ text: z.string() }), output: z.unknown(), timeoutMs: 1_000 },
  (input) => input,
);

let listener: ReplicaListener;
let registry: ReturnType<typeof createBackendRegistry>;
let logged: string[];
let forwarded: string[];
const cleanups: (() => unknown)[] = [];

beforeEach(async () => {
  registry = createBackendRegistry(createTestClock());
  logged = [];
  forwarded = [];
  listener = await openReplicaListener({ host: "127.0.0.1", port: 0 });
  cleanups.push(() => listener.close(AbortSignal.abort()));
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

function serve(peerAnswers: readonly PeerAnswer[] = [echo]): void {
  const note = (...line: unknown[]) => void logged.push(String(line[1]));
  listener.serve({
    token: TOKEN,
    peerAnswers,
    registry,
    forwarding: { receive: (request) => void forwarded.push(request.url ?? "") },
    answerForwarded: (_request, response) => void response.end("forwarded"),
    log: { error: note, warn: note },
  });
}

type RequestOptions = { method?: string; body?: string; token?: string };
const send = (path: string, { method = "POST", body, token = TOKEN.value }: RequestOptions = {}) =>
  fetch(`http://127.0.0.1:${listener.port}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body }),
  });
const call = (body: string, path = "/peer/echo") => send(path, { body });

/** Starts an engine that answers like this, and adds it to the registry. */
async function addEngine(answer: (request: IncomingMessage, response: ServerResponse) => void, apiKey?: string) {
  const server = createServer(answer);
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  addBackend(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, apiKey);
}
const addBackend = (baseUrl: string, apiKey?: string) =>
  registry.set({
    name: "engine",
    source: "engine",
    baseUrl,
    weight: 1,
    models: new Map([[MODEL, MODEL]]),
    ...(apiKey !== undefined && { apiKey }),
  });
const ENGINE_PATH = `${toEngineBaseUrl("", MODEL)}/chat/completions`;

describe("who may call", () => {
  test("requests before the server is ready are refused, so that others try again", async () => {
    const response = await call('{"text":"a"}');
    expect([response.status, response.headers.get("connection")]).toEqual([503, "close"]);
  });

  test.each(["/peer/echo", "/forward/api/feather/models", "/engines/a/v1/models"])(
    "a request to %s without the token of the installation is refused without a word",
    async (path) => {
      serve();
      const response = await send(path, { token: "1.guessed" });
      expect([response.status, await response.text()]).toEqual([401, ""]);
      expect(forwarded).toEqual([]);
    },
  );

  test("a replica of another version is refused with the version of this one, and logged once", async () => {
    serve();
    const { value } = derivePeerToken(SECRET, PEER_VERSION + 1);
    for (let count = 0; count < 3; count++) {
      const response = await send("/peer/echo", { token: value, body: '{"text":"a"}' });
      expect([response.status, response.headers.get(PEER_VERSION_HEADER)]).toEqual([503, String(PEER_VERSION)]);
    }
    expect(logged).toEqual(["a replica of another version calls; it is refused"]);
  });
});

describe("calls of other replicas", () => {
  test("a call is answered in JSON", async () => {
    serve();
    const response = await call('{"text":"ü"}');
    expect([response.status, await response.json()]).toEqual([200, { text: "ü" }]);
  });

  test.each([
    ["an unknown call", "/peer/unknown", "POST", 404],
    ["a call by another method", "/peer/echo", "GET", 404],
    ["another path", "/api/feather/models", "POST", 404],
  ])("%s is not found", async (_what, path, method, status) => {
    serve();
    expect((await send(path, { method })).status).toBe(status);
  });

  test.each(["", "{", "null", '{"text":1}'])(
    "a call with invalid input is refused, and not logged: %j",
    async (body) => {
      serve();
      expect([(await call(body)).status, logged]).toEqual([400, []]);
    },
  );

  test("a call may have 64 KiB, and not a byte more", async () => {
    serve();
    const withLength = (bytes: number) => JSON.stringify({ text: "x".repeat(bytes - '{"text":""}'.length) });
    expect((await call(withLength(64 * 1024))).status).toBe(200);
    const refused = await call(withLength(64 * 1024 + 1));
    expect([refused.status, await refused.json()]).toMatchObject([413, { error: { code: "payload_too_large" } }]);
  });

  test("an error for callers is passed on, another one is logged and kept back", async () => {
    const failing = (name: string, error: Error): PeerAnswer => ({ name, answer: () => Promise.reject(error) });
    serve([failing("refuses", errors.notFound()), failing("fails", new Error("secret"))]);
    const refusal = await call("{}", "/peer/refuses");
    expect([refusal.status, await refusal.json()]).toMatchObject([404, { error: { code: "not_found" } }]);
    const failure = await call("{}", "/peer/fails");
    expect([failure.status, await failure.text(), logged]).toEqual([500, "", ["a call of another replica failed"]]);
  });

  test("a forwarded request is received before it is answered", async () => {
    serve();
    const response = await send("/forward/api/feather/models?limit=1", { method: "GET" });
    expect([await response.text(), forwarded]).toEqual(["forwarded", ["/forward/api/feather/models?limit=1"]]);
  });
});

describe("calls to the engines of this process", () => {
  test("a call is relayed to the engine with its own key, not with the token of the replicas", async () => {
    const seen: unknown[] = [];
    await addEngine(async (request, response) => {
      seen.push(request.method, request.url, request.headers.authorization, await text(request));
      response.writeHead(201, { "x-engine": "yes" }).end("answer");
    }, "engine-key");
    serve();
    const response = await call("question", `${ENGINE_PATH}?a=1`);
    expect([response.status, response.headers.get("x-engine"), await response.text()]).toEqual([201, "yes", "answer"]);
    expect(seen).toEqual(["POST", "/v1/chat/completions?a=1", "Bearer engine-key", "question"]);
  });

  test("an engine without a key gets none", async () => {
    const seen: unknown[] = [];
    await addEngine((request, response) => {
      seen.push(request.headers.authorization);
      response.end();
    });
    serve();
    await call("", ENGINE_PATH);
    expect(seen).toEqual([undefined]);
  });

  test("a relayed call counts as one in flight until it has ended", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await addEngine(async (_request, response) => {
      await promise;
      response.end("answer");
    });
    serve();
    const response = call("", ENGINE_PATH);
    await waitFor(() => expect(registry.list()).toMatchObject([{ inFlight: 1 }]));
    resolve();
    await (await response).text();
    await waitFor(() => expect(registry.list()).toMatchObject([{ inFlight: 0 }]));
  });

  test("a caller that leaves ends the call at the engine", async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<IncomingMessage>();
    await addEngine((request, response) => {
      response.write("begun");
      begin(request);
    });
    serve();
    const leaving = sendRequest({
      port: listener.port,
      path: ENGINE_PATH,
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN.value}` },
    });
    leaving.on("error", () => {});
    leaving.end();
    const atEngine = await begun;
    const closed = once(atEngine.socket, "close");
    leaving.destroy();
    await closed;
    await waitFor(() => expect(registry.list()).toMatchObject([{ inFlight: 0 }]));
  });

  test("a model that runs here no longer is unavailable", async () => {
    serve();
    expect((await call("", ENGINE_PATH)).status).toBe(503);
    expect((await call("", "/engines/broken")).status).toBe(503);
  });

  test("a call is never relayed to the engine of another replica, which could relay it back", async () => {
    addBackend(toEngineBaseUrl("http://127.0.0.1:9", MODEL));
    serve();
    expect((await call("", ENGINE_PATH)).status).toBe(503);
  });

  test("an engine that does not answer is a bad gateway, and logged", async () => {
    addBackend("http://127.0.0.1:9/v1");
    serve();
    expect((await call("", ENGINE_PATH)).status).toBe(502);
    expect(logged).toEqual(["an engine does not answer another replica"]);
    expect(registry.list()).toMatchObject([{ inFlight: 0 }]);
  });
});

describe("the end of the listener", () => {
  test("running requests end before the listener does", async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<object>();
    const answer = () => {
      begin();
      return promise;
    };
    serve([{ name: "slow", answer }]);
    const response = call("{}", "/peer/slow");
    await begun;
    const closed = listener.close(NOT_FORCED);
    resolve({ done: true });
    expect(await (await response).json()).toEqual({ done: true });
    await closed;
    await expect(call("{}", "/peer/slow")).rejects.toThrow("fetch failed");
  });

  test("a forced end does not wait for running requests", async () => {
    const forced = new AbortController();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    serve([
      {
        name: "never",
        answer() {
          begin();
          return new Promise(() => {});
        },
      },
    ]);
    const response = call("{}", "/peer/never");
    response.catch(() => {});
    await begun;
    const closed = listener.close(forced.signal);
    forced.abort();
    await closed;
    await expect(response).rejects.toThrow("fetch failed");
  });

  test("a listener whose address is taken says so", async () => {
    await expect(openReplicaListener({ host: "127.0.0.1", port: listener.port })).rejects.toMatchObject({
      code: "EADDRINUSE",
    });
  });
});
