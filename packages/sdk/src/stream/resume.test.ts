import type { IncomingMessage, ServerResponse } from "node:http";
import { formatChunk } from "@feather/testing/chat-events";
import { sendJson } from "@feather/testing/http-server";
import { describe, expect, test } from "vitest";
import { ConnectionError, NotFoundError, StreamTruncatedError } from "../errors.ts";
import { startTestClient } from "../testing/client.ts";

const ask = { model: "m/n", messages: [{ role: "user" as const, content: "Hi" }], stream: true as const };
const RESUMABLE = { resumable: true, headers: { "x-stream-id": "a-stream-of-a-test" } };
const TEXTS = ["One", " two", " three"];
const DONE = "data: [DONE]\n\n";
/** The events of a whole stream, with their ids. */
const EVENTS = [...TEXTS.map((content) => formatChunk({ content })), formatChunk({}, "stop"), DONE].map(
  (event, index) => `id: ${index + 1}\n${event}`,
);

function startStream(
  response: ServerResponse,
  { headers }: Pick<IncomingMessage, "headers">,
  events: readonly string[],
) {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "request-id": "req_get",
    "x-stream-id": "a-stream-of-a-test",
    "x-stream-path": "/v1/chat/completions",
    "x-stream-request-id": "req_call",
    ...(headers["x-resumable"] && { "request-id": "req_call" }),
  });
  response.write(events.join(""));
}

/** Starts a server that sends this many events for each connection and then breaks it; the last one sends all. */
function startBreaking(counts: readonly number[]) {
  let connections = 0;
  return startTestClient((request, response) => {
    const after = Number(request.headers["last-event-id"] ?? 0);
    const count = counts[connections++];
    startStream(response, request, EVENTS.slice(after, count === undefined ? undefined : after + count));
    if (count === undefined) response.end();
    else setImmediate(() => response.destroy());
  });
}

describe("a resumable stream", () => {
  test.each([[[2]], [[1, 1, 1]], [[0, 2]], [[4]]])(
    "a resumable stream whose connections break after %j events yields each event once",
    async (counts) => {
      using server = await startBreaking(counts);
      const stream = await server.feather.chat.completions.create(ask, RESUMABLE);
      const texts: unknown[] = [];
      for await (const chunk of stream) texts.push(chunk.choices[0]?.delta.content);
      expect(texts).toEqual([...TEXTS, undefined]);
      expect([stream.requestId, stream.streamId]).toEqual(["req_call", "a-stream-of-a-test"]);
      const [first, ...others] = server.requests;
      expect(first?.headers).toMatchObject({ "x-resumable": "1", "x-stream-id": "a-stream-of-a-test" });
      expect(others.map(({ method, url }) => `${method} ${url}`)).toEqual(
        counts.map(() => "GET /api/v1/streams/a-stream-of-a-test"),
      );
    },
  );

  test("a resumable stream has a random id where none is given", async () => {
    using server = await startBreaking([]);
    await (await server.feather.chat.completions.create(ask, { resumable: true })).text();
    expect(server.requests[0]?.headers["x-stream-id"]).toMatch(/^[\w-]{36}$/);
  });

  test("a resumable stream that is left does not connect again", async () => {
    using server = await startBreaking([1]);
    const stream = await server.feather.chat.completions.create(ask, RESUMABLE);
    for await (const _ of stream) break;
    expect(server.requests).toHaveLength(1);
  });

  test("a resumable stream whose signal aborts while its connection is broken ends with that", async () => {
    const caller = new AbortController();
    using server = await startTestClient((request, response) => {
      if (request.method === "GET") {
        caller.abort();
        return sendJson(response, 503, { error: { code: "unavailable" } });
      }
      startStream(response, request, EVENTS.slice(0, 1));
      setImmediate(() => response.destroy());
    });
    const stream = await server.feather.chat.completions.create(ask, { ...RESUMABLE, signal: caller.signal });
    await expect(stream.text()).rejects.toMatchObject({ name: "AbortedError" });
  });

  test("a resumable stream ends with the server's error when that does not have it any more, and keeps its text", async () => {
    using server = await startTestClient((request, response) => {
      if (request.method === "GET")
        return sendJson(response, 404, { error: { code: "streams.not_found", message: "Gone" } });
      startStream(response, request, EVENTS.slice(0, 2));
      setImmediate(() => response.destroy());
    });
    const stream = await server.feather.chat.completions.create(ask, RESUMABLE);
    await expect(stream.text()).rejects.toMatchObject({ code: "streams.not_found", partial: "One two" });
  });

  test("a resumable stream waits for a server that does not answer for a moment", async () => {
    let failures = 2;
    using server = await startTestClient((request, response) => {
      if (request.method === "GET" && failures-- > 0)
        return sendJson(response, 503, { error: { code: "unavailable" } });
      startStream(response, request, request.method === "GET" ? EVENTS.slice(1) : EVENTS.slice(0, 1));
      setImmediate(() => (request.method === "GET" ? response.end() : response.destroy()));
    });
    expect(await (await server.feather.chat.completions.create(ask, RESUMABLE)).text()).toBe(TEXTS.join(""));
  });

  test("a resumable stream counts as broken after some time without data", async () => {
    let connections = 0;
    using server = await startTestClient((request, response) => {
      startStream(response, request, connections++ === 0 ? EVENTS.slice(0, 2) : EVENTS.slice(2));
      if (connections > 1) response.end();
    });
    const stream = await server.feather.chat.completions.create(ask, { ...RESUMABLE, streamIdleTimeout: 50 });
    expect(await stream.text()).toBe(TEXTS.join(""));
  });
});

describe("a resumable call whose connection breaks before the response", () => {
  test("a resumable call is not sent twice: the stream is read that the server has begun", async () => {
    using server = await startTestClient((request, response) => {
      if (request.method === "POST") return void response.destroy();
      startStream(response, request, EVENTS);
      response.end();
    });
    const stream = await server.feather.chat.completions.create(ask, { ...RESUMABLE, maxRetries: 2 });
    expect([await stream.text(), stream.requestId]).toEqual([TEXTS.join(""), "req_call"]);
    expect(server.requests.map(({ method }) => method)).toEqual(["POST", "GET"]);
  });

  test("a resumable call is sent again where the server says that it has not got it", async () => {
    let calls = 0;
    using server = await startTestClient(
      (request, response) => {
        if (request.method === "GET") return sendJson(response, 404, { error: { code: "streams.not_found" } });
        if (calls++ === 0) return void response.destroy();
        startStream(response, request, EVENTS);
        response.end();
      },
      { maxRetries: 2 },
    );
    expect(await (await server.feather.chat.completions.create(ask, { resumable: true })).text()).toBe(TEXTS.join(""));
    const posts = server.requests.filter(({ method }) => method === "POST");
    expect(new Set(posts.map(({ headers }) => headers["x-stream-id"])).size).toBe(1);
    expect(server.requests.map(({ method }) => method)).toEqual(["POST", "GET", "POST"]);
  });

  test("a resumable call fails with the connection's error where the server has not got it", async () => {
    using server = await startTestClient((request, response) => {
      if (request.method === "POST") return void response.destroy();
      sendJson(response, 404, { error: { code: "streams.not_found" } });
    });
    await expect(server.feather.chat.completions.create(ask, RESUMABLE)).rejects.toBeInstanceOf(ConnectionError);
  });
});

describe("streams", () => {
  test("get continues a stream after an event, connects again, and has the id of the call", async () => {
    using server = await startBreaking([1]);
    const stream = await server.feather.streams.get("a-stream-of-a-test", { after: 0 });
    const events: unknown[] = [];
    for await (const event of stream) events.push(event);
    expect([events.length, stream.requestId]).toEqual([TEXTS.length + 1, "req_call"]);
    expect(server.requests.map(({ url }) => url)[0]).toBe("/api/v1/streams/a-stream-of-a-test?after=0");
  });

  test("get begins again after the named event where its connection breaks before the first one", async () => {
    using server = await startBreaking([0]);
    const stream = await server.feather.streams.get("a-stream-of-a-test", { after: 2 });
    for await (const _ of stream);
    expect(server.requests.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "2"]);
  });

  test("stop stops the call of a stream", async () => {
    using server = await startTestClient((_request, response) => void response.writeHead(204).end());
    expect(await server.feather.streams.stop("a-stream-of-a-test")).toBeUndefined();
    expect(server.requests[0]).toMatchObject({ method: "DELETE", url: "/api/v1/streams/a-stream-of-a-test" });
  });

  test("get throws NotFoundError for a stream that is not known", async () => {
    using server = await startTestClient((_request, response) => sendJson(response, 404, { error: {} }));
    await expect(server.feather.streams.get("a-stream-of-a-test")).rejects.toBeInstanceOf(NotFoundError);
  });
});

test("a stream that is not resumable is not continued", async () => {
  using server = await startTestClient((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(EVENTS[0]);
    setImmediate(() => response.destroy());
  });
  const stream = await server.feather.chat.completions.create(ask);
  await expect(stream.text()).rejects.toBeInstanceOf(StreamTruncatedError);
  expect([server.requests.length, stream.streamId]).toEqual([1, null]);
});

const RESPONSES_EVENTS = [
  { type: "response.output_text.delta", delta: "One" },
  { type: "response.output_text.delta", delta: " two" },
  { type: "response.completed", response: {} },
].map((event, index) => `id: ${index + 1}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

test("a resumable stream of Responses is continued until its last event, and not after it", async () => {
  let connections = 0;
  using server = await startTestClient((request, response) => {
    const after = Number(request.headers["last-event-id"] ?? 0);
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "x-stream-id": "a-stream-of-a-test",
      "x-stream-path": "/v1/responses",
    });
    response.write(RESPONSES_EVENTS.slice(after, after + (connections++ === 0 ? 1 : 3)).join(""));
    setImmediate(() => (connections === 1 ? response.destroy() : response.end()));
  });
  const stream = await server.feather.responses.create(
    { model: "m/n", input: "Hi", stream: true },
    { resumable: true },
  );
  const types: string[] = [];
  for await (const { type } of stream) types.push(type);
  expect(types).toEqual(["response.output_text.delta", "response.output_text.delta", "response.completed"]);
  expect(server.requests.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "1"]);
});

test("both branches of a resumable stream get each event once", async () => {
  using server = await startBreaking([2]);
  const [one, other] = (await server.feather.chat.completions.create(ask, RESUMABLE)).tee();
  expect(await Promise.all([one.text(), other.text()])).toEqual([TEXTS.join(""), TEXTS.join("")]);
  expect([one.streamId, other.streamId]).toEqual(["a-stream-of-a-test", "a-stream-of-a-test"]);
});

test("the requests that continue a stream have the headers of the call that began it", async () => {
  using server = await startBreaking([1]);
  const headers = { ...RESUMABLE.headers, authorization: "Bearer rc_other" };
  await (await server.feather.chat.completions.create(ask, { resumable: true, headers })).text();
  expect(server.requests.map((request) => request.headers.authorization)).toEqual([
    "Bearer rc_other",
    "Bearer rc_other",
  ]);
});
