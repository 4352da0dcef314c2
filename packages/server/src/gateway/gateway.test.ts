import { parseEvents, streamedText } from "@feather/testing/chat-events";
import { createTestClock } from "@feather/testing/clock";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, errorOf, LARGE_MODEL, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

const clock = createTestClock();
let server: TestServer;
let open: Account;

beforeAll(async () => {
  server = await createTestServer({ clock });
  open = await server.signUpOnPlan({});
});
afterEach(async () => {
  await server.removeUpstreams();
  await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
});
afterAll(() => server.close());

const chat = (more: object = {}, options: { token?: string; headers?: Record<string, string> } = {}) =>
  server.call("/v1/chat/completions", { token: open.token, body: createChatRequest(more), ...options });

describe("an invalid credential", () => {
  test.each(["/v1/chat/completions", "/v1/messages", "/v1/responses", "/v1/embeddings"])(
    "an invalid credential is refused by %s with a header that keeps clients from retrying",
    async (path) => {
      const answer = await server.call(path, { token: "rc_wrong", body: createChatRequest() });
      expect([answer.status, answer.headers.get("x-should-retry")]).toEqual([401, "false"]);
    },
  );

  test("an invalid credential with the wrong scope is refused without retry", async () => {
    const { secret } = await server.createKey(open, { scopes: ["user.read"] });
    const answer = await chat({}, { token: secret });
    expect([answer.status, answer.headers.get("x-should-retry")]).toEqual([403, "false"]);
  });
});

describe("an answer", () => {
  test("an answer is returned buffered, with the model id of the catalogue", async () => {
    const upstream = await server.addUpstream();
    const answer = await chat({ temperature: 0.5, top_k: 4 });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      model: MODEL,
      system_fingerprint: null,
      choices: [{ message: { content: "Hello!" } }],
    });
    expect(upstream.recordedRequests[0]).toMatchObject({
      path: "/v1/chat/completions",
      body: { model: `up:${MODEL}`, temperature: 0.5, top_k: 4 },
    });
    expect(answer.body).toMatchObject({ id: `chatcmpl-${answer.headers.get("request-id")}` });
  });

  test("an answer does not forward the caller's credential", async () => {
    const upstream = await server.addUpstream();
    await chat();
    expect(JSON.stringify(upstream.recordedRequests[0]?.headers)).not.toContain(open.token);
    expect(upstream.recordedRequests[0]?.headers).not.toHaveProperty("cookie");
  });

  test("an answer is streamed without usage by default", async () => {
    const upstream = await server.addUpstream();
    const answer = await chat({ stream: true });
    expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(streamedText(answer.text)).toBe("Hello!");
    expect(parseEvents(answer.text).at(-1)).toBe("[DONE]");
    expect(parseEvents(answer.text)).toHaveLength(5);
    expect(answer.text).not.toContain("prompt_tokens");
    expect(answer.text).not.toContain("up:");
    expect(upstream.recordedRequests[0]?.body.stream_options).toEqual({ include_usage: true });
  });

  test("an answer is streamed with usage on request", async () => {
    await server.addUpstream();
    const answer = await chat({ stream: true, stream_options: { include_usage: true } });
    expect(answer.text.match(/"prompt_tokens":7/g)).toHaveLength(1);
    expect(parseEvents(answer.text).filter((data) => data === "[DONE]")).toHaveLength(1);
  });

  test("an answer has no comments while the backend does not pause", async () => {
    await server.addUpstream();
    expect((await chat({ stream: true })).text).not.toContain("keep-alive");
  });

  test("an answer arrives token by token", async () => {
    await server.addUpstream({ pauseUntil: new Promise(() => {}) });
    const response = await server.send("/v1/chat/completions", {
      token: open.token,
      body: createChatRequest({ stream: true }),
    });
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    expect(streamedText(first)).toBe("Hel");
    await reader?.cancel();
    await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
  });

  test("an answer matches the model id case-insensitively", async () => {
    await server.addUpstream();
    expect((await chat({ model: "FEATHER/DEMO" })).body).toMatchObject({ model: MODEL });
  });

  test("an answer is returned for text completions too", async () => {
    const upstream = await server.addUpstream();
    expect(
      (await server.call("/v1/completions", { token: open.token, body: { model: MODEL, prompt: "Once" } })).status,
    ).toBe(200);
    expect(upstream.recordedRequests[0]?.path).toBe("/v1/completions");
  });
});

describe("the limits of a plan", () => {
  test("limit requests per UTC day, also for concurrent calls", async () => {
    await server.addUpstream();
    const { token } = await server.signUpOnPlan({ daily_request_limit: 3 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => chat({}, { token })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(errorOf(refused?.body)).toMatchObject({
      code: "rate_limit_exceeded",
      message: expect.stringContaining("3 requests a day"),
    });
    expect(refused?.headers.get("x-should-retry")).toBe("false");
    clock.at += 86_400_000;
    expect((await chat({}, { token: (await server.createKey(await server.signUpOnPlan({}))).secret })).status).toBe(
      200,
    );
    expect((await server.call("/v1/chat/completions", { token, body: createChatRequest() })).status).toBe(200);
  });

  test("the limits of a plan on model switches do not count repeated models", async () => {
    await server.addUpstream({}, [MODEL, "Qwen/Qwen3-4B", "Qwen/Qwen3-8B"]);
    const { token } = await server.signUpOnPlan({ model_switches_per_minute: 2 });
    const statusOf = async (model: string) => (await chat({ model }, { token })).status;
    expect(await statusOf(MODEL)).toBe(200);
    expect(await statusOf("Qwen/Qwen3-4B")).toBe(200);
    const refused = await chat({ model: "Qwen/Qwen3-8B" }, { token });
    expect([refused.status, errorOf(refused.body).code]).toEqual([429, "model_switch_limit"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await statusOf(MODEL)).toBe(200);
    clock.at += 60_000;
    expect(await statusOf("Qwen/Qwen3-8B")).toBe(200);
  });

  test("the limits of a plan on model size are refused without retry", async () => {
    await server.addUpstream({}, [LARGE_MODEL]);
    const { token } = await server.signUpOnPlan({ max_model_size: 8_500_000_000 });
    const answer = await chat({ model: LARGE_MODEL }, { token });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expect(errorOf(answer.body)).toMatchObject({
      type: "permission_error",
      code: "model_not_on_plan",
      param: "model",
      message: expect.stringContaining("up to 8.5B"),
    });
  });

  test("the limits of a plan on units refuse a model that never fits without waiting", async () => {
    await server.addUpstream({}, [LARGE_MODEL]);
    const { token } = await server.signUpOnPlan({ concurrency: 2 });
    const answer = await chat({ model: LARGE_MODEL }, { token, headers: { "x-queue-timeout": "5" } });
    expect([answer.status, answer.headers.get("x-should-retry")]).toEqual([403, "false"]);
  });
});

describe("an invalid request", () => {
  test("an invalid request for an unknown model returns 404 with a suggestion", async () => {
    const answer = await chat({ model: "Qwen/Qwen3-32" });
    expect(answer.status).toBe(404);
    expect(errorOf(answer.body)).toMatchObject({
      code: "model_not_found",
      param: "model",
      details: { suggestions: expect.arrayContaining([LARGE_MODEL]) },
    });
  });

  test.each([
    ["JSON that ends early", '{"model":', "invalid_json"],
    ["no JSON", "hello", "invalid_json"],
    ["nothing", "", "invalid_json"],
    ["a list", "[]", "invalid_request"],
    ["a model that is a number", createChatRequest({ model: 5 }), "invalid_request"],
    ["an empty model", createChatRequest({ model: "" }), "invalid_request"],
    ["messages that are text", createChatRequest({ messages: "Hi" }), "invalid_request"],
    ["no messages", createChatRequest({ messages: [] }), "invalid_request"],
    ["a message that is null", createChatRequest({ messages: [null] }), "invalid_request"],
    ["stream that is text", createChatRequest({ stream: "true" }), "invalid_request"],
    ["a temperature in words", createChatRequest({ temperature: "hot" }), "invalid_request"],
    ["a temperature beyond the range", createChatRequest({ temperature: 3 }), "invalid_request"],
    ["tokens below one", createChatRequest({ max_tokens: 0 }), "invalid_request"],
    ["NUL in the model", createChatRequest({ model: "a/b\0" }), "invalid_request"],
  ])("an invalid request with %s returns 400", async (_what, body, code) => {
    const answer = await server.call("/v1/chat/completions", { token: open.token, body });
    expect([answer.status, errorOf(answer.body).code]).toEqual([400, code]);
    expect(errorOf(answer.body).message).not.toBe("");
  });

  test.each(["-1", "soon", "1e9", "NaN", "0.5"])(
    "an invalid request with x-queue-timeout: %s returns 400",
    async (value) => {
      await server.addUpstream();
      expect((await chat({}, { headers: { "x-queue-timeout": value } })).status).toBe(400);
    },
  );

  test("an invalid request that is too large returns 413", async () => {
    const answer = await chat({ messages: [{ role: "user", content: "x".repeat(17 * 1024 * 1024) }] });
    expect([answer.status, errorOf(answer.body).code]).toEqual([413, "payload_too_large"]);
  });

  test("an invalid request with another content type returns 415", async () => {
    const answer = await chat({}, { headers: { "content-type": "text/plain" } });
    expect(answer.status).toBe(415);
  });

  test("an invalid request for an unknown path returns 404 in the same envelope", async () => {
    const answer = await server.call("/v1/nonsense", { token: open.token, body: {} });
    expect([answer.status, errorOf(answer.body).type]).toEqual([404, "invalid_request_error"]);
    expect((await server.call("/v1/models/%2e%2e%2fadmin")).status).toBeGreaterThanOrEqual(400);
  });
});
