import { createTestClock } from "@feather/testing/clock";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, errorOf } from "../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { createUnits } from "./units.ts";
import { createWaitQueue } from "./wait-queue.ts";

const LIMITS = { organization: { requests: 2, bytes: 1_000 }, total: { requests: 3, bytes: 1_500 } };
const of = (organizationId: string, bytes = 10) => ({ organizationId, bytes });

describe("the wait queue", () => {
  test("the wait queue refuses a request when its organization has too many waiting requests", () => {
    const line = createWaitQueue(LIMITS);
    const leave = line.enter(of("a"));
    line.enter(of("a"));
    expect(() => line.enter(of("a"))).toThrow(
      expect.objectContaining({ status: 429, headers: expect.objectContaining({ "retry-after": "5" }) }),
    );
    line.enter(of("b"));
    expect(() => line.enter(of("c"))).toThrow(/^The server has too many requests waiting already \(3\)/);
    leave();
    leave();
    expect(line.size()).toEqual({ requests: 2, bytes: 20 });
    line.enter(of("a"));
  });

  test("the wait queue refuses a request when the waiting bodies are too large", () => {
    const line = createWaitQueue(LIMITS);
    line.enter(of("a", 900));
    expect(() => line.enter(of("a", 101))).toThrow("Your organization has");
    line.enter(of("b", 600));
    expect(() => line.enter(of("c", 1))).toThrow("The server has");
  });

  test("the wait queue removes requests that get units, time out or disconnect", async () => {
    const line = createWaitQueue();
    const units = createUnits(createTestClock(), line);
    const request = { ...of("a", 100), model: "o/n", cost: 1, limit: 1, priority: "interactive" as const, key: null };
    const gone = new AbortController();
    const never = new AbortController().signal;
    const first = await units.acquire({ ...request, id: "1" }, 0, never);
    const second = units.acquire({ ...request, id: "2" }, 60_000, never);
    const third = units.acquire({ ...request, id: "3" }, 60_000, gone.signal);
    const fourth = units.acquire({ ...request, id: "4" }, 1, never);
    expect(line.size()).toEqual({ requests: 3, bytes: 300 });
    gone.abort(new Error("gone"));
    await expect(third).rejects.toThrow("gone");
    await expect(fourth).rejects.toMatchObject({ status: 429 });
    expect(line.size().requests).toBe(1);
    first[Symbol.dispose]();
    (await second)[Symbol.dispose]();
    expect(line.size()).toEqual({ requests: 0, bytes: 0 });
  });
});

describe("waiting calls", () => {
  let server: TestServer;
  let caller: Account;
  beforeAll(async () => {
    server = await createTestServer();
    caller = await server.signUpOnPlan({ concurrency: 1, daily_request_limit: 70 });
  });
  afterEach(() => server.removeUpstreams());
  afterAll(() => server.close());

  test("waiting calls are limited per organization, and count against the daily limit before they wait", async () => {
    const upstream = await server.addUpstream({ fault: { kind: "stall", after: 0 } });
    const gone = new AbortController();
    const call = () =>
      server
        .send("/v1/chat/completions", {
          token: caller.token,
          body: createChatRequest(),
          headers: { "x-queue-timeout": "600" },
          signal: gone.signal,
        })
        .catch(() => null);
    const running = call();
    await waitFor(() => expect(upstream.active()).toBe(1));
    const answers = await Promise.race([
      Promise.all(Array.from({ length: 100 }, call)),
      waitFor(async () => {
        const { status, headers, body } = await server.call("/v1/chat/completions", {
          token: caller.token,
          body: createChatRequest(),
          headers: { "x-queue-timeout": "1" },
        });
        expect([status, headers.get("retry-after")]).toEqual([429, "5"]);
        return errorOf(body);
      }),
    ]);
    expect(answers).toMatchObject({ code: "concurrency_limit_exceeded", details: { waiting: 64 } });
    gone.abort();
    await running;
    await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
    const statuses = new Set<number>();
    await server.removeUpstreams();
    await server.addUpstream();
    for (let count = 0; count < 6; count++)
      statuses.add(
        (await server.call("/v1/chat/completions", { token: caller.token, body: createChatRequest() })).status,
      );
    expect([...statuses], "65 of 70 were used by those who waited").toEqual([200, 429]);
  });
});

describe("fields outside the prompt", () => {
  let server: TestServer;
  let caller: Account;
  beforeAll(async () => {
    server = await createTestServer();
    caller = await server.signUpOnPlan({});
    await server.addUpstream();
  });
  afterAll(() => server.close());

  const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });
  const properties = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { type: "string" }]));
  const schema = (value: object) => ({ type: "json_schema", json_schema: { name: "x", schema: value } });

  test.each<[string, string, object, number, string]>([
    [
      "large metadata",
      "/v1/chat/completions",
      createChatRequest({ metadata: { a: "x".repeat(2_000_000) } }),
      413,
      "metadata",
    ],
    [
      "large metadata",
      "/v1/messages",
      { ...createChatRequest(), max_tokens: 5, metadata: { a: "x".repeat(2_000_000) } },
      413,
      "metadata",
    ],
    [
      "a field that is not known",
      "/v1/completions",
      { model: createChatRequest().model, prompt: "x", y: "x".repeat(2e6) },
      413,
      "y",
    ],
    [
      "a schema of many properties",
      "/v1/chat/completions",
      createChatRequest({ response_format: schema(properties(12_000)) }),
      400,
      "response_format",
    ],
    [
      "a schema that is deep",
      "/v1/chat/completions",
      createChatRequest({ response_format: schema(deep(100)) }),
      400,
      "response_format",
    ],
    [
      "a schema of many properties",
      "/v1/responses",
      {
        model: createChatRequest().model,
        input: "x",
        text: { format: { ...schema(properties(12_000)).json_schema, type: "json_schema" } },
      },
      400,
      "text",
    ],
  ])("fields outside the prompt are refused: %s in %s", async (_what, path, body, status, param) => {
    const answer = await server.call(path, { token: caller.token, body });
    expect([answer.status, errorOf(answer.body).param]).toEqual([status, param]);
  });

  test("fields outside the prompt can be as large as the tools of real programs", async () => {
    const tool = { name: "f", parameters: { type: "object", properties: properties(40) } };
    const tools = Array.from({ length: 128 }, () => ({ type: "function", function: tool }));
    const body = createChatRequest({ tools, response_format: schema({ type: "object", properties: properties(500) }) });
    expect((await server.call("/v1/chat/completions", { token: caller.token, body })).status).toBe(200);
  });

  test("fields outside the prompt do not limit the prompt, which can be larger", async () => {
    const body = createChatRequest({ messages: [{ role: "user", content: "x".repeat(2_000_000) }] });
    const answer = await server.call("/v1/chat/completions", { token: caller.token, body });
    expect(errorOf(answer.body).code).toBe("context_length_exceeded");
  });
});
