import { parseEvents, streamedText } from "@feather/testing/chat-events";
import { createTestClock } from "@feather/testing/clock";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, errorOf } from "../../testing/chat.ts";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";

const clock = createTestClock("2026-05-01T12:00:00Z");
let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await createTestServer({ clock });
  owner = await server.signUpOnPlan({ concurrency: 8 });
});
afterEach(async () => {
  await server.removeUpstreams();
  await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
});
afterAll(() => server.close());

const TOKENS = ["One", " two", " three", " four"];
const RESUMABLE = { "x-resumable": "1" };

let ids = 0;
const newId = () => `stream-of-a-test-${++ids}`;
type Headers = Record<string, string>;
const ask = (headers: Headers = {}, more: object = {}, signal?: AbortSignal) =>
  server.send("/v1/chat/completions", {
    token: owner.token,
    headers: { ...RESUMABLE, ...headers },
    body: createChatRequest({ stream: true, ...more }),
    ...(signal && { signal }),
  });
const follow = (id: string, headers: Headers = {}, token = owner.token, query = "") =>
  server.call(`/v1/streams/${id}${query}`, { token, headers });
const stop = (id: string, token = owner.token) => server.call(`/v1/streams/${id}`, { method: "DELETE", token });
const idsOf = (text: string): number[] => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
/** Returns a text without its lines with ids. */
const withoutIds = (text: string) => text.replaceAll(/^id: \d+\n/gm, "");

/** Returns a promise and the function that resolves it. */
function createGate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Starts a call whose answer pauses after its first token, and disconnects then. Returns the stream's id. */
async function leaveAfterFirstToken(headers: Headers = {}) {
  const gate = createGate();
  await server.addUpstream({ tokens: TOKENS, pauseUntil: gate.opened });
  const caller = new AbortController();
  const response = await ask(headers, {}, caller.signal);
  const id = response.headers.get("x-stream-id") ?? expect.fail("It has no id.");
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const first = (await reader?.read())?.value ?? "";
  caller.abort();
  await reader?.closed.catch(() => {});
  return { id, first, requestId: response.headers.get("request-id") ?? "", finish: gate.open };
}

async function usageRowOf(requestId: string) {
  await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
  await server.api.gateway.usageWriter.flush();
  return server.usageRow(requestId);
}

describe("a resumable stream", () => {
  test("a resumable stream has the same events as another one, with numbers from 1 on", async () => {
    await server.addUpstream({ tokens: TOKENS });
    const response = await ask();
    const text = await response.text();
    const plain = await server.call("/v1/chat/completions", {
      token: owner.token,
      body: createChatRequest({ stream: true }),
    });
    const normalize = (one: string) => one.replaceAll(/req_\w+/g, "req").replaceAll(/"created":\d+/g, "");
    expect(normalize(withoutIds(text))).toBe(normalize(plain.text));
    expect(idsOf(text)).toEqual(parseEvents(withoutIds(text)).map((_, index) => index + 1));
    expect(response.headers.get("x-stream-id")).toBe(response.headers.get("request-id"));
    expect([plain.headers.get("x-stream-id"), idsOf(plain.text)]).toEqual([null, []]);
  });

  test("a caller who disconnects comes back, gets the rest once, and the call is charged as one that ran to its end", async () => {
    const { id, first, requestId, finish } = await leaveAfterFirstToken();
    const rest = follow(id, { "last-event-id": String(idsOf(first).at(-1)) });
    finish();
    const { status, headers, text } = await rest;
    const names = ["x-stream-id", "x-stream-request-id", "x-stream-path"];
    expect([status, ...names.map((name) => headers.get(name))]).toEqual([200, id, requestId, "/v1/chat/completions"]);
    expect(headers.get("content-type")).toContain("text/event-stream");
    expect(streamedText(withoutIds(first + text))).toBe(TOKENS.join(""));
    expect(text).toContain("data: [DONE]\n\n");
    const numbers = idsOf(first + text);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(await usageRowOf(requestId)).toMatchObject({
      outcome: "completed",
      status: 200,
      error_code: null,
      prompt_tokens: 7,
      completion_tokens: 3,
    });
  });

  test("a stream that has ended can be read from any event, by header or by query, until its time is over", async () => {
    await server.addUpstream({ tokens: TOKENS });
    const response = await ask();
    const [id, text] = [response.headers.get("x-stream-id") ?? "", await response.text()];
    const last = idsOf(text).at(-1) ?? 0;
    expect((await follow(id)).text).toBe(text);
    expect(idsOf((await follow(id, {}, owner.token, "?after=2")).text)[0]).toBe(3);
    expect(idsOf((await follow(id, { "last-event-id": "3" }, owner.token, "?after=1")).text)[0]).toBe(4);
    expect(await follow(id, {}, owner.token, `?after=${last}`)).toMatchObject({ status: 200, text: "" });
    clock.at += 600_000;
    const late = await follow(id);
    expect([late.status, errorOf(late.body).code]).toEqual([404, "streams.not_found"]);
  });

  test.each([
    ["no number", { "last-event-id": "abc" }, ""],
    ["a number with a sign", { "last-event-id": "-1" }, ""],
    ["the number of an event that is still to come", { "last-event-id": "999" }, ""],
    ["no number in the query", {}, "?after=x"],
  ])("a reader who names %s is refused", async (_what, headers, query) => {
    await server.addUpstream({ tokens: TOKENS });
    const response = await ask();
    await response.text();
    const { status, body } = await follow(
      response.headers.get("x-stream-id") ?? "",
      headers as Headers,
      owner.token,
      query,
    );
    expect([status, errorOf(body).code]).toEqual([400, "invalid_request"]);
  });

  test("two readers get the same events at the same time, and a reader who leaves does not stop the call", async () => {
    const { id, finish, requestId } = await leaveAfterFirstToken();
    const caller = new AbortController();
    const leaving = await server.send(`/v1/streams/${id}`, { token: owner.token, signal: caller.signal });
    const readers = [follow(id), follow(id)];
    caller.abort();
    await leaving.text().catch(() => {});
    finish();
    const [one, other] = await Promise.all(readers);
    expect(one?.text).toBe(other?.text);
    expect(streamedText(withoutIds(one?.text ?? ""))).toBe(TOKENS.join(""));
    expect(await usageRowOf(requestId)).toMatchObject({ outcome: "completed" });
  });
});

describe("a caller who disconnects before the first event", () => {
  test("gets the answer under the id that they chose", async () => {
    const gate = createGate();
    const upstream = await server.addUpstream({ tokens: TOKENS, thinkUntil: gate.opened });
    const [id, caller] = [newId(), new AbortController()];
    const response = ask({ "x-stream-id": id }, {}, caller.signal).catch(() => null);
    await waitFor(() => expect(upstream.active()).toBe(1));
    caller.abort();
    expect(await response).toBeNull();
    const rest = follow(id);
    gate.open();
    expect(streamedText(withoutIds((await rest).text))).toBe(TOKENS.join(""));
  });

  test("gets the refusal of a call that was refused", async () => {
    const gate = createGate();
    const upstream = await server.addUpstream({
      thinkUntil: gate.opened,
      fault: { kind: "refuse", status: 400, body: { error: { message: "No." } } },
    });
    const [id, caller] = [newId(), new AbortController()];
    const response = ask({ "x-stream-id": id }, {}, caller.signal).catch(() => null);
    await waitFor(() => expect(upstream.active()).toBe(1));
    caller.abort();
    await response;
    const waiting = follow(id);
    gate.open();
    expect((await waiting).status).toBe(400);
    expect((await follow(id)).status, "later").toBe(400);
    await server.removeUpstreams();
    await server.addUpstream({ tokens: TOKENS });
    expect(await (await ask({ "x-stream-id": id })).text(), "the same id again").toContain("[DONE]");
  });

  test("cannot begin another call with the same id", async () => {
    await server.addUpstream({ tokens: TOKENS });
    const id = newId();
    expect(await (await ask({ "x-stream-id": id })).text()).toContain("[DONE]");
    const again = await ask({ "x-stream-id": id });
    expect([again.status, errorOf(await again.json())]).toMatchObject([
      400,
      { code: "invalid_request", param: "x-stream-id" },
    ]);
  });
});

describe("stopping a stream", () => {
  test("ends it for all readers with an error, charges what was generated, and may be repeated", async () => {
    const { id, requestId } = await leaveAfterFirstToken();
    const readers = [follow(id), follow(id)];
    expect((await stop(id)).status).toBe(204);
    for (const { text } of await Promise.all(readers))
      expect(errorOf(JSON.parse(parseEvents(withoutIds(text)).at(-1) ?? "{}"))).toMatchObject({
        code: "request_stopped",
      });
    expect((await stop(id)).status, "a second time").toBe(204);
    const row = await usageRowOf(requestId);
    expect(row).toMatchObject({ outcome: "aborted", error_code: "request_stopped" });
    expect(Number(row?.completion_tokens)).toBeGreaterThan(0);
    expect((await stop(id)).status, "after its end").toBe(204);
  });

  test("an answer that waits for its first event is stopped too", async () => {
    const upstream = await server.addUpstream({ thinkMs: 60_000 });
    const id = newId();
    const answer = ask({ "x-stream-id": id });
    await waitFor(() => expect(upstream.active()).toBe(1));
    expect((await stop(id)).status).toBe(204);
    expect(errorOf(await (await answer).json())).toMatchObject({ code: "request_stopped" });
  });

  test("the list of running requests stops it as well", async () => {
    const { id, requestId } = await leaveAfterFirstToken();
    const reader = follow(id);
    await server.call(`/api/account/concurrency/${requestId}`, { method: "DELETE", token: owner.token });
    expect((await reader).text).toContain("request_stopped");
  });
});

describe("a stream belongs to who made the call", () => {
  test("other people and keys can neither read nor stop it, and other sessions of the person can", async () => {
    const { id, finish } = await leaveAfterFirstToken();
    const key = await server.createKey(owner);
    const stranger = await server.signUpOnPlan({ concurrency: 1 });
    for (const token of [stranger.token, key.secret])
      for (const refused of [await follow(id, {}, token), await stop(id, token)])
        expect([refused.status, errorOf(refused.body).code]).toEqual([404, "streams.not_found"]);
    const { headers } = await server.call("/api/auth/login", {
      headers: { "x-session-transport": "token" },
      body: { email: owner.email, password: PASSWORD },
    });
    const reader = follow(id, {}, headers.get("x-session-token") ?? "");
    finish();
    expect(streamedText(withoutIds((await reader).text))).toBe(TOKENS.join(""));
  });

  test("a key reads the streams of its own calls, and a session does not", async () => {
    await server.addUpstream({ tokens: TOKENS });
    const key = await server.createKey(owner);
    const response = await server.send("/v1/chat/completions", {
      token: key.secret,
      headers: RESUMABLE,
      body: createChatRequest({ stream: true }),
    });
    const [id, text] = [response.headers.get("x-stream-id") ?? "", await response.text()];
    expect((await follow(id, {}, key.secret)).text).toBe(text);
    expect((await follow(id)).status).toBe(404);
  });

  test("visitors are asked to sign in", async () => {
    expect((await server.call("/v1/streams/req_1")).status).toBe(401);
  });
});

describe("a call that nobody reads", () => {
  test("is stopped after ten minutes, and what was generated is charged", async () => {
    const { id, requestId } = await leaveAfterFirstToken();
    const job = "delete ended streams and stop unread ones";
    // The server notices the disconnect a moment later.
    await waitFor(async () => {
      clock.at += 600_000;
      await server.runJob(job);
      expect(server.api.gateway.running.count()).toBe(0);
    });
    expect(await usageRowOf(requestId)).toMatchObject({ outcome: "aborted", error_code: "streams.unread" });
    expect((await follow(id)).status).toBe(404);
  });
});

describe("what is kept of long answers", () => {
  const PIECE = "x".repeat(20_000);
  let small: TestServer;
  let caller: Account;
  beforeAll(async () => {
    small = await createTestServer({ env: { FEATHER_RESUMABLE_MEMORY: "1" } });
    caller = await small.signUpOnPlan({ concurrency: 8 });
  });
  afterEach(() => small.removeUpstreams());
  afterAll(() => small.close());
  const askLong = () =>
    small.send("/v1/chat/completions", {
      token: caller.token,
      headers: RESUMABLE,
      body: createChatRequest({ stream: true }),
    });

  test("a reader who reads more slowly than the server keeps events gets an error, and the memory stays bounded", async () => {
    const upstream = await small.addUpstream({ tokens: Array<string>(1_500).fill(PIECE) });
    const response = await askLong();
    await waitFor(() => expect(upstream.recordedRequests.length > 0 && upstream.active() === 0).toBe(true));
    expect(small.api.gateway.streams.totalBytes()).toBeLessThanOrEqual(1024 * 1024);
    const text = await response.text();
    expect(errorOf(JSON.parse(parseEvents(withoutIds(text)).at(-1) ?? "{}"))).toMatchObject({
      code: "streams.events_gone",
    });
    const numbers = idsOf(text);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  test("a reader who comes too late gets 410, and can continue after the event that the error names", async () => {
    const gate = createGate();
    await small.addUpstream({ tokens: Array<string>(100).fill(PIECE), pauseUntil: gate.opened });
    const response = await askLong();
    const id = response.headers.get("x-stream-id") ?? "";
    gate.open();
    await waitFor(() => expect(small.api.gateway.units.totalInUse()).toBe(0));
    const late = await small.call(`/v1/streams/${id}?after=1`, { token: caller.token });
    expect([late.status, errorOf(late.body).code]).toEqual([410, "streams.events_gone"]);
    const [, last] = /up to (\d+)/.exec(errorOf(late.body).message) ?? [];
    const rest = await small.call(`/v1/streams/${id}?after=${last}`, { token: caller.token });
    expect(idsOf(rest.text)[0]).toBe(Number(last) + 1);
    expect(rest.text).toContain("[DONE]");
    await response.body?.cancel();
  });
});

describe("the formats", () => {
  test.each([
    ["/v1/responses", { input: "Hello" }, /event: response\.completed\n/],
    ["/v1/messages", { messages: [{ role: "user", content: "Hello" }], max_tokens: 50 }, /event: message_stop\n/],
  ])("streams of %s can be continued", async (path, more, end) => {
    await server.addUpstream({ tokens: TOKENS });
    const { model } = createChatRequest();
    const response = await server.send(path, {
      token: owner.token,
      headers: RESUMABLE,
      body: { model, stream: true, ...more },
    });
    const [id, text] = [response.headers.get("x-stream-id") ?? "", await response.text()];
    expect(text).toMatch(end);
    const again = await follow(id, { "last-event-id": "2" });
    expect(again.headers.get("x-stream-path")).toBe(path);
    expect(text.endsWith(again.text)).toBe(true);
    expect(idsOf(again.text)[0]).toBe(3);
  });
});

describe("what is refused", () => {
  test("x-resumable without a stream", async () => {
    const response = await ask({}, { stream: false });
    expect([response.status, errorOf(await response.json())]).toMatchObject([400, { param: "x-resumable" }]);
  });

  test("x-stream-id without x-resumable", async () => {
    const { status, body } = await server.call("/v1/chat/completions", {
      token: owner.token,
      headers: { "x-stream-id": newId() },
      body: createChatRequest({ stream: true }),
    });
    expect([status, errorOf(body)]).toMatchObject([400, { param: "x-stream-id" }]);
  });

  test.each([
    ["x-resumable", { "x-resumable": "yes" }],
    ["x-stream-id", { "x-stream-id": "short" }],
  ])("a wrong value of %s", async (_name, headers) => {
    expect((await ask(headers as Headers)).status).toBe(400);
  });
});

test("a call that is not resumable still ends when its caller disconnects", async () => {
  const upstream = await server.addUpstream({ tokens: TOKENS, pauseUntil: new Promise(() => {}) });
  const caller = new AbortController();
  const response = await server.send("/v1/chat/completions", {
    token: owner.token,
    body: createChatRequest({ stream: true }),
    signal: caller.signal,
  });
  caller.abort();
  await waitFor(() => expect(upstream.active()).toBe(0));
  const row = await usageRowOf(response.headers.get("request-id") ?? "");
  expect(row).toMatchObject({ outcome: "aborted", error_code: "client_closed" });
});
