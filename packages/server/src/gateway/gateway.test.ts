import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Fault } from "../testing/fake-upstream.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

const clock = { at: Date.parse("2026-03-01T12:00:00Z"), now: () => new Date(clock.at) };
const MODEL = "feather/demo";
const LARGE = "Qwen/Qwen3-32B"; // 4 units
let server: TestServer;
let open: Account;

beforeAll(async () => {
  server = await createTestServer({
    clock,
    env: { FEATHER_FIRST_BYTE_TIMEOUT: "0.3", FEATHER_STREAM_IDLE_TIMEOUT: "0.3" },
  });
  open = await server.signUpOnPlan({});
});
afterEach(async () => {
  await server.removeUpstreams();
  await vi.waitFor(() => expect(server.deps.units.total()).toBe(0), { timeout: 250, interval: 5 });
});
afterAll(() => server.close());

const ask = (more: object = {}) => ({ model: MODEL, messages: [{ role: "user", content: "Hello" }], ...more });
const chat = (more: object = {}, options: { token?: string; headers?: Record<string, string> } = {}) =>
  server.call("/v1/chat/completions", { token: open.token, body: ask(more), ...options });
const errorOf = (body: unknown) =>
  (
    body as {
      error: {
        code: string;
        type: string;
        message: string;
        param: string | null;
        request_id: string;
        details?: unknown;
      };
    }
  ).error;
const eventsOf = (text: string) =>
  text
    .split("\n\n")
    .filter((event) => event.startsWith("data: "))
    .map((event) => event.slice(6));
const said = (text: string) =>
  eventsOf(text)
    .filter((data) => data !== "[DONE]")
    .map(
      (data) =>
        (JSON.parse(data) as { choices?: { delta?: { content?: string } }[] }).choices?.[0]?.delta?.content ?? "",
    )
    .join("");

describe("an answer", () => {
  it("comes whole, under the name that callers know the model by", async () => {
    const upstream = await server.addUpstream();
    const answer = await chat({ temperature: 0.5, top_k: 4, made_up_field: { x: 1 } });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ model: MODEL, choices: [{ message: { content: "Hello!" } }] });
    expect(upstream.seen[0]).toMatchObject({
      path: "/v1/chat/completions",
      body: { model: `up:${MODEL}`, temperature: 0.5, top_k: 4, made_up_field: { x: 1 } },
    });
  });

  it("takes the caller's credential nowhere", async () => {
    const upstream = await server.addUpstream();
    await chat();
    expect(JSON.stringify(upstream.seen[0]?.headers)).not.toContain(open.token);
    expect(upstream.seen[0]?.headers).not.toHaveProperty("cookie");
  });

  it("comes as a stream, without usage that was not asked for", async () => {
    const upstream = await server.addUpstream();
    const answer = await chat({ stream: true });
    expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(said(answer.text)).toBe("Hello!");
    expect(eventsOf(answer.text).at(-1)).toBe("[DONE]");
    expect(eventsOf(answer.text)).toHaveLength(5);
    expect(answer.text).not.toContain("prompt_tokens");
    expect(answer.text).not.toContain("up:");
    expect(upstream.seen[0]?.body.stream_options).toEqual({ include_usage: true });
  });

  it("comes as a stream with usage on request", async () => {
    await server.addUpstream();
    const answer = await chat({ stream: true, stream_options: { include_usage: true } });
    expect(answer.text.match(/"prompt_tokens":7/g)).toHaveLength(1);
    expect(eventsOf(answer.text).filter((data) => data === "[DONE]")).toHaveLength(1);
  });

  it("arrives token by token, not at the end", async () => {
    await server.addUpstream({ delayMs: 80 });
    const response = await server.send("/v1/chat/completions", { token: open.token, body: ask({ stream: true }) });
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    expect(said(first)).toBe("Hel");
    await reader?.cancel();
    await vi.waitFor(() => expect(server.deps.units.total()).toBe(0));
  });

  it("finds the model in any letter case", async () => {
    await server.addUpstream();
    expect((await chat({ model: "FEATHER/DEMO" })).body).toMatchObject({ model: MODEL });
  });

  it("completes plain text too", async () => {
    const upstream = await server.addUpstream();
    expect(
      (await server.call("/v1/completions", { token: open.token, body: { model: MODEL, prompt: "Once" } })).status,
    ).toBe(200);
    expect(upstream.seen[0]?.path).toBe("/v1/completions");
  });
});

describe("units", () => {
  it.each([1, 2, 3])("keep eight calls at once within a plan of %i", async (concurrency) => {
    const upstream = await server.addUpstream({ thinkMs: 60 });
    const { token } = await server.signUpOnPlan({ concurrency });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => chat({ stream: index % 2 === 0 }, { token })),
    );
    expect(upstream.peak()).toBe(concurrency);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(concurrency);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(8 - concurrency);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get("retry-after")).toBe("2");
    expect(errorOf(refused?.body)).toMatchObject({
      type: "rate_limit_error",
      code: "concurrency_limit_exceeded",
      message: expect.stringContaining(
        `${concurrency} of ${concurrency} are busy and ${MODEL} needs 1 (plan limit: ${concurrency})`,
      ),
      details: { limit: concurrency, used: concurrency, cost: 1, over_by: 1 },
    });
  });

  it("count a large model for what it costs", async () => {
    const upstream = await server.addUpstream({ thinkMs: 60 }, [MODEL, LARGE]);
    const { token } = await server.signUpOnPlan({ concurrency: 5 });
    const large = chat({ model: LARGE }, { token });
    await vi.waitFor(() => expect(upstream.active()).toBe(1));
    const small = await Promise.all([chat({}, { token }), chat({}, { token })]);
    expect(small.map(({ status }) => status).sort()).toEqual([200, 429]);
    expect((await large).status).toBe(200);
  });

  it("are waited for on request, and all are served", async () => {
    const upstream = await server.addUpstream({ thinkMs: 30 });
    const { token } = await server.signUpOnPlan({ concurrency: 2 });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => chat({}, { token, headers: { "x-queue-timeout": "5" } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(upstream.peak()).toBe(2);
  });

  it("are not waited for longer than asked", async () => {
    await server.addUpstream({ delayMs: 100, tokens: Array<string>(30).fill("x") });
    const { token } = await server.signUpOnPlan({ concurrency: 1 });
    const gone = new AbortController();
    const first = server
      .send("/v1/chat/completions", { token, body: ask({ stream: true }), signal: gone.signal })
      .catch(() => null);
    await vi.waitFor(() => expect(server.deps.units.total()).toBe(1));
    const started = Date.now();
    expect((await chat({}, { token, headers: { "x-queue-timeout": "1" } })).status).toBe(429);
    expect(Date.now() - started).toBeGreaterThanOrEqual(950);
    expect(Date.now() - started).toBeLessThan(2_000);
    gone.abort();
    await (await first)?.text().catch(() => null);
    await vi.waitFor(() => expect(server.deps.units.total()).toBe(0));
  });

  it("are shown while they are held", async () => {
    const upstream = await server.addUpstream({ thinkMs: 100 });
    const { token } = await server.signUpOnPlan({ concurrency: 3 });
    const running = chat({}, { token });
    await vi.waitFor(() => expect(upstream.active()).toBe(1));
    expect((await server.call("/api/account/concurrency", { token })).body).toMatchObject({
      limit: 3,
      used_cost: 1,
      request_count: 1,
      requests: [{ model: MODEL, cost: 1 }],
    });
    expect((await server.call("/api/account/concurrency", { token: open.token })).body).toMatchObject({
      used_cost: 0,
      requests: [],
    });
    await running;
  });

  it.each([
    ["in mid-stream", { delayMs: 60, tokens: Array<string>(50).fill("x") }, true],
    ["before the first byte", { thinkMs: 290 }, true],
    ["of a whole answer", { thinkMs: 290 }, false],
  ])("come back within 250 ms when the caller goes %s, and the backend is told", async (_when, script, stream) => {
    const upstream = await server.addUpstream(script);
    const gone = new AbortController();
    const call = server
      .send("/v1/chat/completions", { token: open.token, body: ask({ stream }), signal: gone.signal })
      .then((response) => response.text());
    const ended = call.catch(() => "gone");
    await vi.waitFor(() => expect(upstream.active()).toBe(1));
    await sleep(20);
    const at = Date.now();
    gone.abort();
    expect(await ended).toBe("gone");
    await vi.waitFor(() => expect([server.deps.units.total(), upstream.active()]).toEqual([0, 0]), {
      timeout: 250,
      interval: 5,
    });
    expect(upstream.cancelled).toHaveLength(1);
    expect((upstream.cancelled[0]?.at ?? Number.POSITIVE_INFINITY) - at).toBeLessThan(250);
    expect(server.deps.registry.list().map(({ inFlight, failures }) => ({ inFlight, failures }))).toEqual([
      { inFlight: 0, failures: 0 },
    ]);
  });

  it("are not held by a call that went while it waited", async () => {
    const upstream = await server.addUpstream({ thinkMs: 150 });
    const { token } = await server.signUpOnPlan({ concurrency: 1 });
    const running = chat({}, { token });
    await vi.waitFor(() => expect(upstream.active()).toBe(1));
    const gone = new AbortController();
    const waiting = server
      .send("/v1/chat/completions", { token, body: ask(), headers: { "x-queue-timeout": "5" }, signal: gone.signal })
      .catch(() => "gone");
    await sleep(30);
    gone.abort();
    expect(await waiting).toBe("gone");
    expect((await running).status).toBe(200);
    await sleep(20);
    expect(upstream.seen).toHaveLength(1);
  });
});

describe("a fault before the first byte", () => {
  it.each<[string, Fault, number, string]>([
    ["a 500", { kind: "refuse", status: 500 }, 502, "upstream_error"],
    ["a 404", { kind: "refuse", status: 404 }, 502, "upstream_error"],
    [
      "a refused key",
      { kind: "refuse", status: 401, body: { error: { message: "bad key sk-secret" } } },
      502,
      "upstream_error",
    ],
    ["a 429", { kind: "refuse", status: 429 }, 503, "capacity_exhausted"],
    ["a 503", { kind: "refuse", status: 503 }, 503, "capacity_exhausted"],
    ["a reset", { kind: "reset", after: 0 }, 502, "upstream_error"],
    ["silence", { kind: "stall", after: 0 }, 504, "upstream_timeout"],
  ])("%s is told as such", async (_what, fault, status, code) => {
    await server.addUpstream({ fault });
    for (const stream of [false, true]) {
      const answer = await chat({ stream });
      expect([answer.status, errorOf(answer.body).code]).toEqual([status, code]);
      expect(answer.headers.get("content-type")).toContain("application/json");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(answer.text).not.toContain("sk-secret");
    }
  });

  it("passes the backend's refusal of the request itself on", async () => {
    await server.addUpstream({
      fault: {
        kind: "refuse",
        status: 400,
        body: { error: { message: "context too long", code: "context_length_exceeded", param: "messages" } },
      },
    });
    const second = await server.addUpstream();
    const answer = await chat();
    expect(answer.status).toBe(400);
    expect(errorOf(answer.body)).toMatchObject({
      message: "context too long",
      code: "context_length_exceeded",
      param: "messages",
    });
    expect(second.seen).toHaveLength(0);
  });

  it.each<[string, Fault]>([
    ["a 500", { kind: "refuse", status: 500 }],
    ["a 429", { kind: "refuse", status: 429 }],
    ["a reset", { kind: "reset", after: 0 }],
    ["silence", { kind: "stall", after: 0 }],
  ])("%s goes unnoticed where a second backend answers", async (_what, fault) => {
    const first = await server.addUpstream({ fault }, [MODEL], 2);
    const second = await server.addUpstream({}, [MODEL], 1);
    const answer = await chat({ stream: true });
    expect(said(answer.text)).toBe("Hello!");
    expect([first.seen.length, second.seen.length]).toEqual([1, 1]);
    expect((await server.usageRow(answer.headers.get("request-id")))?.backend).toBe("fake-2");
  });

  it("makes a backend rest after three, and it comes back after a while", async () => {
    const bad = await server.addUpstream({ fault: { kind: "refuse", status: 500 } }, [MODEL], 100);
    await server.addUpstream({}, [MODEL], 1);
    for (let count = 0; count < 5; count++) expect((await chat()).status).toBe(200);
    expect(bad.seen).toHaveLength(3);
    clock.at += 11_000;
    expect((await chat()).status).toBe(200);
    expect(bad.seen).toHaveLength(4);
  });

  it("is told where no backend runs the model", async () => {
    const answer = await chat();
    expect(answer.status).toBe(503);
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expect(errorOf(answer.body)).toMatchObject({
      code: "capacity_exhausted",
      message: expect.stringContaining("FEATHER_BACKENDS"),
    });
  });
});

describe("a fault in mid-stream", () => {
  const FAULTS: Fault[] = [
    { kind: "reset", after: 2 },
    { kind: "hang up", after: 2 },
    { kind: "half frame", after: 2 },
    { kind: "half character", after: 2 },
    { kind: "stall", after: 2 },
    { kind: "error event", after: 2 },
    { kind: "wrong json", after: 2 },
    { kind: "no finish reason" },
  ];

  it.each(FAULTS.map((fault) => [fault.kind, fault] as const))(
    "(%s) becomes an error in the stream, and no [DONE]",
    async (kind, fault) => {
      const upstream = await server.addUpstream({ fault });
      const answer = await chat({ stream: true });
      expect(answer.status).toBe(200);
      const events = eventsOf(answer.text);
      expect(said(answer.text)).toBe(kind === "no finish reason" ? "Hello!" : "Hello");
      expect(events).not.toContain("[DONE]");
      const id = answer.headers.get("request-id");
      const failed = events.filter((data) => data.includes('"error"'));
      expect(failed).toHaveLength(1);
      expect(errorOf(JSON.parse(events.at(-1) ?? ""))).toMatchObject({
        type: "server_error",
        code: kind === "stall" ? "upstream_timeout" : "upstream_error",
        request_id: id,
      });
      expect(answer.text).not.toContain("scripted secret");
      await vi.waitFor(() => expect(upstream.active()).toBe(0));
      expect(await server.usageRow(id)).toMatchObject({ outcome: "failed", streamed: true, backend: "fake-1" });
    },
  );

  it.each<Fault>([
    { kind: "reset", after: 1 },
    { kind: "hang up", after: 1 },
    { kind: "wrong json", after: 0 },
  ])("of a whole answer ($kind) is a 502", async (fault) => {
    await server.addUpstream({ fault });
    const answer = await chat();
    expect([answer.status, errorOf(answer.body).code]).toEqual([502, "upstream_error"]);
    expect(await server.usageRow(answer.headers.get("request-id"))).toMatchObject({
      outcome: "failed",
      status: 502,
      error_code: "upstream_error",
    });
    expect(server.deps.registry.list()).toMatchObject([{ failures: 1, inFlight: 0 }]);
  });
});

describe("the usage row", () => {
  it.each([false, true])(
    "holds what the backend counted (stream: %s), under the answer's request-id",
    async (stream) => {
      await server.addUpstream();
      const { id: keyId, secret } = await server.createKey(open);
      const answer = await chat({ stream }, { token: secret });
      expect(await server.usageRow(answer.headers.get("request-id"))).toMatchObject({
        organization_id: open.organizationId,
        user_id: open.userId,
        api_key_id: keyId,
        model_id: MODEL,
        backend: "fake-1",
        kind: "chat",
        outcome: "completed",
        status: 200,
        error_code: null,
        streamed: stream,
        prompt_tokens: 7,
        completion_tokens: 3,
        cached_tokens: 2,
        estimated: false,
        units: 1,
      });
    },
  );

  it.each([
    [false, null],
    [true, null],
    [true, "nonsense"],
    [false, { prompt_tokens: "many" }],
  ])("is estimated where the backend counts nothing (stream: %s, usage: %j)", async (stream, usage) => {
    await server.addUpstream({ usage: usage as object | null });
    const row = await server.usageRow((await chat({ stream })).headers.get("request-id"));
    expect(row).toMatchObject({ outcome: "completed", estimated: true });
    expect(row?.prompt_tokens).toBeGreaterThan(0);
    expect(row?.completion_tokens).toBeGreaterThan(0);
    expect(row?.completion_tokens).toBeLessThan(20);
  });

  it("is written whatever numbers a backend gives", async () => {
    await server.addUpstream({
      usage: { prompt_tokens: 1.5, completion_tokens: 1e300, prompt_tokens_details: { cached_tokens: -4 } },
    });
    const row = await server.usageRow((await chat()).headers.get("request-id"));
    expect(row).toMatchObject({ prompt_tokens: 2, completion_tokens: 2_147_483_647, cached_tokens: 0 });
  });

  it("is written for a caller who went, with what had come by then", async () => {
    await server.addUpstream({ delayMs: 40, tokens: Array<string>(50).fill("x") });
    const gone = new AbortController();
    const response = await server.send("/v1/chat/completions", {
      token: open.token,
      body: ask({ stream: true }),
      signal: gone.signal,
    });
    await response.body?.getReader().read();
    gone.abort();
    await vi.waitFor(() => expect(server.deps.units.total()).toBe(0));
    const row = await server.usageRow(response.headers.get("request-id"));
    expect(row).toMatchObject({ outcome: "aborted", status: 499, error_code: "client_closed", estimated: true });
    expect(row?.completion_tokens).toBeGreaterThan(0);
  });

  it("is written for a call that failed", async () => {
    await server.addUpstream({ fault: { kind: "refuse", status: 500 } });
    const answer = await chat();
    expect(errorOf(answer.body).request_id).toBe(answer.headers.get("request-id"));
    expect(await server.usageRow(answer.headers.get("request-id"))).toMatchObject({
      outcome: "failed",
      status: 502,
      completion_tokens: 0,
    });
  });

  it("holds no word of what was said", async () => {
    await server.addUpstream({ tokens: ["zzanswer"] });
    const answer = await chat({ messages: [{ role: "user", content: "zzquestion" }] });
    const row = await server.usageRow(answer.headers.get("request-id"));
    expect(row).toBeDefined();
    expect(JSON.stringify(row)).not.toContain("zz");
  });
});

describe("the limits of a plan", () => {
  it("on requests a day hold until midnight UTC, also for calls at once", async () => {
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
    expect((await server.call("/v1/chat/completions", { token, body: ask() })).status).toBe(200);
  });

  it("on switching models let the same ones be called again", async () => {
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

  it("on size are no matter of trying again", async () => {
    await server.addUpstream({}, [LARGE]);
    const { token } = await server.signUpOnPlan({ max_model_size: 8_500_000_000 });
    const answer = await chat({ model: LARGE }, { token });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expect(errorOf(answer.body)).toMatchObject({
      type: "permission_error",
      code: "model_not_on_plan",
      param: "model",
      message: expect.stringContaining("up to 8.5B"),
    });
  });

  it("on units refuse a model that never fits, however long one waits", async () => {
    await server.addUpstream({}, [LARGE]);
    const { token } = await server.signUpOnPlan({ concurrency: 2 });
    const answer = await chat({ model: LARGE }, { token, headers: { "x-queue-timeout": "5" } });
    expect([answer.status, answer.headers.get("x-should-retry")]).toEqual([403, "false"]);
  });
});

describe("a request that is wrong", () => {
  it("for an unknown model is a 404 with what was perhaps meant", async () => {
    const answer = await chat({ model: "Qwen/Qwen3-32" });
    expect(answer.status).toBe(404);
    expect(errorOf(answer.body)).toMatchObject({
      code: "model_not_found",
      param: "model",
      details: { suggestions: expect.arrayContaining([LARGE]) },
    });
  });

  it.each([
    ["JSON that ends early", '{"model":', "invalid_json"],
    ["no JSON", "hello", "invalid_json"],
    ["nothing", "", "invalid_json"],
    ["a list", "[]", "invalid_request"],
    ["a model that is a number", ask({ model: 5 }), "invalid_request"],
    ["an empty model", ask({ model: "" }), "invalid_request"],
    ["messages that are text", ask({ messages: "Hi" }), "invalid_request"],
    ["no messages", ask({ messages: [] }), "invalid_request"],
    ["a message that is null", ask({ messages: [null] }), "invalid_request"],
    ["stream that is text", ask({ stream: "true" }), "invalid_request"],
    ["a temperature in words", ask({ temperature: "hot" }), "invalid_request"],
    ["a temperature beyond the range", ask({ temperature: 3 }), "invalid_request"],
    ["tokens below one", ask({ max_tokens: 0 }), "invalid_request"],
    ["NUL in the model", ask({ model: "a/b\0" }), "invalid_request"],
  ])("with %s is a 400", async (_what, body, code) => {
    const answer = await server.call("/v1/chat/completions", { token: open.token, body });
    expect([answer.status, errorOf(answer.body).code]).toEqual([400, code]);
    expect(errorOf(answer.body).message).not.toBe("");
  });

  it.each(["-1", "soon", "1e9", "NaN", "0.5"])("with x-queue-timeout: %s is a 400", async (value) => {
    await server.addUpstream();
    expect((await chat({}, { headers: { "x-queue-timeout": value } })).status).toBe(400);
  });

  it("that is too large is a 413", async () => {
    const answer = await chat({ messages: [{ role: "user", content: "x".repeat(17 * 1024 * 1024) }] });
    expect([answer.status, errorOf(answer.body).code]).toEqual([413, "payload_too_large"]);
  });

  it("in another form is a 415", async () => {
    const answer = await chat({}, { headers: { "content-type": "text/plain" } });
    expect(answer.status).toBe(415);
  });

  it("to an address that does not exist is told so in the same envelope", async () => {
    const answer = await server.call("/v1/nonsense", { token: open.token, body: {} });
    expect([answer.status, errorOf(answer.body).type]).toEqual([404, "invalid_request_error"]);
    expect((await server.call("/v1/models/%2e%2e%2fadmin")).status).toBeGreaterThanOrEqual(400);
  });
});
