import { waitFor, waitForResolved } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, errorOf, LARGE_MODEL, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let open: Account;

beforeAll(async () => {
  server = await createTestServer();
  open = await server.signUpOnPlan({});
});
afterEach(async () => {
  await server.removeUpstreams();
  await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
});
afterAll(() => server.close());

const NEVER = new Promise<void>(() => {});
const chat = (more: object = {}, options: { token?: string; headers?: Record<string, string> } = {}) =>
  server.call("/v1/chat/completions", { token: open.token, body: createChatRequest(more), ...options });

describe("units", () => {
  test.each([1, 2, 3])("limit eight concurrent calls to a plan of %i", async (concurrency) => {
    const mayAnswer = Promise.withResolvers<void>();
    const upstream = await server.addUpstream({ thinkUntil: mayAnswer.promise });
    const { token } = await server.signUpOnPlan({ concurrency });
    const calls = Array.from({ length: 8 }, (_, index) => chat({ stream: index % 2 === 0 }, { token }));
    await waitForResolved(calls, 8 - concurrency);
    await waitFor(() => expect(upstream.active()).toBe(concurrency));
    mayAnswer.resolve();
    const answers = await Promise.all(calls);
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

  test("units go to interactive calls before those of a batch key, which has waited longer", async () => {
    const owner = await server.signUpOnPlan({ concurrency: 1 });
    const batch = await server.createKey(owner, { priority: "batch" });
    const mayAnswer = Promise.withResolvers<void>();
    const upstream = await server.addUpstream({ thinkUntil: mayAnswer.promise });
    const headers = { "x-queue-timeout": "60" };
    const order: string[] = [];
    const run = async (name: string, token: string) => {
      const { status } = await chat({}, { token, headers });
      order.push(`${name} ${status}`);
    };
    const calls = [run("first", owner.token)];
    await waitFor(() => expect(upstream.active()).toBe(1));
    for (const [name, token] of [
      ["batch", batch.secret],
      ["person", owner.token],
    ] as const) {
      calls.push(run(name, token));
      await waitFor(() => expect(server.api.gateway.waitQueue.size().requests).toBe(calls.length - 1));
    }
    mayAnswer.resolve();
    await Promise.all(calls);
    expect(order).toEqual(["first 200", "person 200", "batch 200"]);
  });

  test("units count a large model with its cost", async () => {
    const mayAnswer = Promise.withResolvers<void>();
    const upstream = await server.addUpstream({ thinkUntil: mayAnswer.promise }, [MODEL, LARGE_MODEL]);
    const { token } = await server.signUpOnPlan({ concurrency: 5 });
    const large = chat({ model: LARGE_MODEL }, { token });
    await waitFor(() => expect(upstream.active()).toBe(1));
    const small = [chat({}, { token }), chat({}, { token })];
    await waitForResolved(small, 1);
    mayAnswer.resolve();
    expect((await Promise.all(small)).map(({ status }) => status).sort()).toEqual([200, 429]);
    expect((await large).status).toBe(200);
  });

  test("units count each of several answers", async () => {
    await server.addUpstream();
    const { token } = await server.signUpOnPlan({ concurrency: 3 });
    const three = await chat({ n: 3 }, { token });
    expect([three.status, three.headers.get("x-concurrency-cost")]).toEqual([200, "3"]);
    const four = await chat({ n: 4 }, { token });
    expect([four.status, errorOf(four.body)]).toMatchObject([
      400,
      { param: "n", details: { limit: 3, cost: 4, answers: 3 } },
    ]);
  });

  test("units are waited for on request until all calls are served", async () => {
    const mayAnswer = Promise.withResolvers<void>();
    const upstream = await server.addUpstream({ thinkUntil: mayAnswer.promise });
    const { token } = await server.signUpOnPlan({ concurrency: 2 });
    const calls = Array.from({ length: 8 }, () => chat({}, { token, headers: { "x-queue-timeout": "600" } }));
    await waitFor(() => expect([upstream.active(), server.api.gateway.waitQueue.size().requests]).toEqual([2, 6]));
    mayAnswer.resolve();
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(upstream.peak()).toBe(2);
    await server.api.gateway.usageWriter.flush();
    const { body } = await server.call("/api/usage/concurrencies?bucket=minute", { token });
    expect(body, "nobody holds units while they wait").toMatchObject({ limit: 2, peak: 2 });
  });

  test("units are not waited for longer than requested", async () => {
    await server.addUpstream({ delayMs: 100, tokens: Array<string>(10_000).fill("x") });
    const { token } = await server.signUpOnPlan({ concurrency: 1 });
    const gone = new AbortController();
    const first = server
      .send("/v1/chat/completions", { token, body: createChatRequest({ stream: true }), signal: gone.signal })
      .catch(() => null);
    await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(1));
    const started = Date.now();
    expect((await chat({}, { token, headers: { "x-queue-timeout": "1" } })).status).toBe(429);
    expect(Date.now() - started).toBeGreaterThanOrEqual(950);
    gone.abort();
    await (await first)?.text().catch(() => null);
    await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
  });

  test("units are listed while they are held", async () => {
    const mayAnswer = Promise.withResolvers<void>();
    const upstream = await server.addUpstream({ thinkUntil: mayAnswer.promise });
    const { token } = await server.signUpOnPlan({ concurrency: 3 });
    const running = chat({}, { token });
    await waitFor(() => expect(upstream.active()).toBe(1));
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
    mayAnswer.resolve();
    await running;
  });

  test("units are listed with the tokens of a streamed answer so far and how many come in a second", async () => {
    await server.addUpstream({ delayMs: 20, tokens: Array<string>(10_000).fill("x") });
    const { token } = await server.signUpOnPlan({ concurrency: 3 });
    const gone = new AbortController();
    const call = server
      .send("/v1/chat/completions", { token, body: createChatRequest({ stream: true }), signal: gone.signal })
      .then((response) => response.text())
      .catch(() => "gone");
    const list = async () => {
      const { body } = await server.call("/api/account/concurrency", { token });
      return (body as { requests: { output_tokens: number | null; tokens_per_second: number | null }[] }).requests[0];
    };
    await expect.poll(async () => (await list())?.tokens_per_second ?? 0).toBeGreaterThan(0);
    const before = await list();
    expect(before).toMatchObject({ output_tokens: expect.any(Number), is_own: true });
    await expect.poll(async () => (await list())?.output_tokens).toBeGreaterThan(before?.output_tokens ?? 0);
    gone.abort();
    expect(await call).toBe("gone");
  });

  test.each([
    ["in mid-stream", { pauseUntil: NEVER }, true],
    ["before the first byte", { thinkUntil: NEVER }, true],
    ["of a whole answer", { thinkUntil: NEVER }, false],
  ])(
    "units are released when the caller disconnects %s, long before the answer ends, and the backend's request is aborted",
    async (when, script, stream) => {
      const upstream = await server.addUpstream(script);
      const firstBytes = Promise.withResolvers<void>();
      const gone = new AbortController();
      const call = server
        .send("/v1/chat/completions", { token: open.token, body: createChatRequest({ stream }), signal: gone.signal })
        .then(async (response) => {
          const reader = response.body?.getReader();
          await reader?.read();
          firstBytes.resolve();
          await reader?.read();
        });
      const ended = call.catch(() => "gone");
      await waitFor(() => expect(upstream.active()).toBe(1));
      if (when === "in mid-stream") await firstBytes.promise;
      gone.abort();
      expect(await ended).toBe("gone");
      await waitFor(() => expect([server.api.gateway.units.totalInUse(), upstream.active()]).toEqual([0, 0]));
      expect(upstream.cancelled).toHaveLength(1);
      expect(server.api.backends.registry.list().map(({ inFlight, failures }) => ({ inFlight, failures }))).toEqual([
        { inFlight: 0, failures: 0 },
      ]);
    },
  );

  test("units are not held by a call whose caller disconnected while waiting", async () => {
    const mayAnswer = Promise.withResolvers<void>();
    const upstream = await server.addUpstream({ thinkUntil: mayAnswer.promise });
    const { token } = await server.signUpOnPlan({ concurrency: 1 });
    const running = chat({}, { token });
    await waitFor(() => expect(upstream.active()).toBe(1));
    const gone = new AbortController();
    const waiting = server
      .send("/v1/chat/completions", {
        token,
        body: createChatRequest(),
        headers: { "x-queue-timeout": "600" },
        signal: gone.signal,
      })
      .catch(() => "gone");
    const countWaiting = () => server.api.gateway.waitQueue.size().requests;
    await waitFor(() => expect(countWaiting()).toBe(1));
    gone.abort();
    expect(await waiting).toBe("gone");
    await waitFor(() => expect(countWaiting()).toBe(0));
    mayAnswer.resolve();
    expect((await running).status).toBe(200);
    expect((await chat({}, { token, headers: { "x-queue-timeout": "600" } })).status).toBe(200);
    expect(upstream.recordedRequests).toHaveLength(2);
  });
});
