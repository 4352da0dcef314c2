import { sendJson } from "@feather/testing/http-server";
import { expect, test, vi } from "vitest";
import { createFeather } from "../client.ts";
import { AbortedError, ConnectionError } from "../errors.ts";
import { startTestClient } from "../testing/client.ts";
import { getRetryDelayMs } from "./retries.ts";
import { sendRequest, sleep } from "./send.ts";

const unavailable = (headers: Record<string, string> = {}) => new Response("{}", { status: 503, headers });

/** Options of `sendRequest` with a `fetch` of the test, no waiting and no time limit that matters. */
const withFetch = (fetch: (request: Request) => Promise<Response>) => ({
  fetch,
  timeout: 60_000,
  maxRetryAfter: 60_000,
  maxRetries: 2,
  log: undefined,
  sleep: async () => {},
  random: () => 0,
});

test.each([Number.NaN, 0, -1])("maxRetries of %d sends a request once", async (maxRetries) => {
  const fetch = vi.fn(async () => unavailable());
  const { response } = await sendRequest(withFetch(fetch), new Request("http://x/api/y"), { maxRetries });
  expect(response.status).toBe(503);
  expect(fetch).toHaveBeenCalledOnce();
});

test.each([{ timeout: Number.NaN }, { streamIdleTimeout: Number.NaN }])("the limit %j throws", async (limits) => {
  const fetch = vi.fn(async () => unavailable());
  await expect(sendRequest(withFetch(fetch), new Request("http://x/api/y"), limits)).rejects.toThrow(TypeError);
  expect(fetch).not.toHaveBeenCalled();
});

test("a failure whose body broke off is tried again like any other", async () => {
  const broken = () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new TypeError("terminated")) });
    return new Response(body, { status: 503 });
  };
  const answers = [broken(), new Response("{}")];
  const fetch = async () => {
    const answer = answers.shift() ?? unavailable();
    return answer;
  };
  const { response } = await sendRequest(withFetch(fetch), new Request("http://x/api/y"), {});
  expect(response.status).toBe(200);
});

test("the body of a failed attempt is cancelled before the next one, so that its connection is free", async () => {
  const cancel = vi.fn();
  const answers = [new Response(new ReadableStream({ cancel }), { status: 503 }), new Response("{}")];
  const fetch = async () => {
    expect(cancel).toHaveBeenCalledTimes(answers.length === 2 ? 0 : 1);
    return answers.shift() ?? unavailable();
  };
  await sendRequest(withFetch(fetch), new Request("http://x/api/y"), {});
  expect(cancel).toHaveBeenCalledOnce();
});

test("every attempt sends the whole body", async () => {
  const bodies: string[] = [];
  const fetch = async (request: Request) => {
    bodies.push(await request.text());
    return unavailable();
  };
  await sendRequest(withFetch(fetch), new Request("http://x/api/y", { method: "PUT", body: "é".repeat(10) }), {});
  expect(bodies).toEqual(Array.from({ length: 3 }, () => "é".repeat(10)));
});

test("an attempt's timer and listener are gone once its answer is read", async () => {
  const { signal } = new AbortController();
  const [added, removed] = [vi.spyOn(signal, "addEventListener"), vi.spyOn(signal, "removeEventListener")];
  const fetch = vi.fn(async () => (fetch.mock.calls.length < 3 ? unavailable() : new Response("{}")));
  const { response } = await sendRequest(withFetch(fetch), new Request("http://x/api/y"), { signal });
  await response.text();
  expect(added).toHaveBeenCalledTimes(3);
  expect(removed).toHaveBeenCalledTimes(3);
});

test("a signal that is aborted already throws its reason as the cause, and sends nothing", async () => {
  using server = await startTestClient((_, response) => sendJson(response, 200, {}));
  const reason = new Error("closed");
  const error: unknown = await server.feather.models
    .stats({ signal: AbortSignal.abort(reason) })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AbortedError);
  expect((error as AbortedError).cause).toBe(reason);
  expect(server.requests).toHaveLength(0);
});

test("a signal that aborts while a retry is waited for ends the call, and nothing is sent again", async () => {
  const abort = new AbortController();
  using server = await startTestClient((_, response) => sendJson(response, 503, {}, { "retry-after": "30" }), {
    maxRetries: 3,
    logger: { info: () => void setImmediate(() => abort.abort()) }, // the retry is logged before it is waited for
  });
  await expect(server.feather.models.stats({ signal: abort.signal })).rejects.toThrow(AbortedError);
  expect(server.requests).toHaveLength(1);
});

test("sleep stops listening to the signal when it ends", async () => {
  const { signal } = new AbortController();
  const removed = vi.spyOn(signal, "removeEventListener");
  await sleep(1, signal);
  expect(removed).toHaveBeenCalledOnce();
  await expect(sleep(60_000, AbortSignal.abort())).rejects.toThrow(AbortedError);
});

test("a wait that is longer than timers can be does not end at once", async () => {
  vi.useFakeTimers();
  try {
    const onEnd = vi.fn();
    void sleep(30 * 24 * 3_600_000).then(onEnd);
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    expect(onEnd).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});

test.each<[string, unknown]>([
  ["a text", "offline"],
  ["nothing", undefined],
  ["an error of a socket", Object.assign(new Error("reset"), { code: "ECONNRESET" })],
])("a fetch that throws %s fails with a connection error that has it as its cause", async (_, thrown) => {
  const feather = createFeather({
    baseUrl: "http://x:81",
    apiKey: null,
    maxRetries: 0,
    fetch: () => Promise.reject(thrown),
  });
  const error: unknown = await feather.models.stats().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ message: "The server at http://x:81 cannot be reached.", cause: thrown });
});

const STATUSES = [400, 401, 403, 404, 408, 409, 413, 422, 425, 429, 500, 501, 502, 503, 504, 505];
const state = { retries: 0, isModelCall: false, maxRetryAfterMs: 60_000, random: 0 };

test.each<[string, RequestInit, boolean, number[]]>([
  ["a read", {}, false, [408, 429, 500, 502, 503, 504]],
  ["a deletion", { method: "DELETE" }, false, [408, 429, 500, 502, 503, 504]],
  ["a POST without a key", { method: "POST" }, false, [429, 503]],
  ["a POST with a key", { method: "POST", headers: { "idempotency-key": "k" } }, false, [408, 429, 500, 502, 503, 504]],
  ["a call of a model", { method: "POST" }, true, [408, 429, 500, 502, 503, 504]],
])("%s is repeated after the statuses of the README that are safe for it", (_, init, isModelCall, repeated) => {
  const request = new Request("http://x/api/y", init);
  const delayOf = (status: number) =>
    getRetryDelayMs(request, new Response(null, { status }), { ...state, isModelCall });
  expect(STATUSES.filter((status) => delayOf(status) !== null)).toEqual(repeated);
});

test("a wait that the server asks for is kept to, also where it says that a retry helps", () => {
  const request = new Request("http://x/api/y");
  const delayFor = (headers: Record<string, string>) => getRetryDelayMs(request, unavailable(headers), state);
  expect(delayFor({ "retry-after": "60" })).toBe(60_000);
  expect(delayFor({ "retry-after": "61" })).toBeNull();
  expect(delayFor({ "retry-after": "61", "x-should-retry": "true" })).toBeNull();
  expect(delayFor({ "retry-after": "" })).toBe(500);
  expect(delayFor({ "retry-after": "5, 5" })).toBe(500);
});
