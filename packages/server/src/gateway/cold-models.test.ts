import { createTestClock } from "@feather/testing/clock";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../platform/core/clock.ts";
import { createChatRequest, errorOf, MODEL } from "../testing/chat.ts";
import { createTestServer, type TestServer } from "../testing/server.ts";
import { NO_OWN_KEYS } from "./backends/own-keys.ts";
import { createBackendRegistry } from "./backends/registry.ts";
import { createWaitQueue } from "./limits/wait-queue.ts";
import type { Loading, ModelHost } from "./model-host.ts";
import { createRouteStage } from "./stages/route.ts";

const waiter = { organizationId: "org_1", bytes: 100 };
const never = new AbortController().signal;
const READY = new Date("2026-03-01T12:00:20Z");
const clock = createTestClock();

function serving(
  loading: Loading | null,
  coldStatus: 400 | 503 = 503,
  problem: string | null = null,
  coldWaitMs = 10_000,
  mayCallElsewhere = true,
) {
  const registry = createBackendRegistry(systemClock);
  const woken: string[] = [];
  const modelHost: ModelHost = {
    wake: async (id) => {
      woken.push(id);
      return loading;
    },
    state: async () => loading,
    loadingProblem: () => problem,
  };
  const load = () =>
    registry.set({
      name: "engine",
      source: "engine",
      baseUrl: "http://engine/v1",
      weight: 1,
      models: new Map([[MODEL, MODEL]]),
    });
  return {
    serve: createRouteStage({
      registry,
      modelHost,
      waitQueue: createWaitQueue(),
      clock,
      coldStatus,
      coldWaitMs,
      mayCallElsewhere: () => mayCallElsewhere,
      findOwnKeys: () => NO_OWN_KEYS,
    }),
    woken,
    load,
    registry,
  };
}

describe("a model that no backend runs yet", () => {
  test("a model that no backend runs yet starts loading, and the error says when to retry", async () => {
    const { serve, woken } = serving({ tier: "loading", stage: "weights", progress: 0.4, readyAt: READY });
    await expect(serve({ ...waiter, modelKey: MODEL, waitMs: 0, signal: never })).rejects.toMatchObject({
      status: 503,
      code: "model_loading",
      headers: { "retry-after": "20", "retry-after-ms": "20000" },
      details: {
        tier: "loading",
        loading_stage: "weights",
        loading_progress: 0.4,
        estimated_ready_at: "2026-03-01T12:00:20.000Z",
      },
    });
    expect(woken[0]).toBe(MODEL);
  });

  test("a model that no backend runs yet is refused with the reason when it cannot be loaded", async () => {
    const loading: Loading = { tier: "loading", stage: "restarting", readyAt: READY };
    const { serve } = serving(loading, 503, "It needs 400 MB of memory.");
    await expect(serve({ ...waiter, modelKey: MODEL, waitMs: 0, signal: never })).rejects.toMatchObject({
      status: 503,
      code: "capacity_exhausted",
      message: `${MODEL} cannot be loaded on this server: It needs 400 MB of memory.`,
    });
  });

  test.each([
    [new Date("2026-03-01T13:00:00Z"), "30"],
    [new Date("2026-03-01T11:00:00Z"), "1"],
    [null, "30"],
  ])(
    "a model that is expected to be ready at %s gets a retry-after within bounds that clients honour",
    async (readyAt, seconds) => {
      const { serve } = serving({ tier: "cold", stage: null, readyAt });
      await expect(serve({ ...waiter, modelKey: MODEL, waitMs: 0, signal: never })).rejects.toMatchObject({
        headers: { "retry-after": seconds },
      });
    },
  );

  test("a call to a model that no backend runs yet returns 400 when the operator configured that status", async () => {
    const { serve } = serving({ tier: "cold", stage: null, readyAt: null }, 400);
    await expect(serve({ ...waiter, modelKey: MODEL, waitMs: 0, signal: never })).rejects.toMatchObject({
      status: 400,
      code: "model_loading",
    });
  });

  test("a model that no backend runs yet is waited for and answers as soon as it is loaded", async () => {
    const { serve, load } = serving({ tier: "loading", stage: null, readyAt: READY });
    // Longer than the test's time limit, so that only the loaded model can end the wait.
    const served = serve({ ...waiter, modelKey: MODEL, waitMs: 60_000, signal: never });
    setImmediate(load);
    expect((await served).backends).toHaveLength(1);
  });

  test("a model that only a provider has is loaded here and waited for, where calls may not leave this server", async () => {
    const state: Loading = { tier: "loading", stage: null, readyAt: READY };
    const { serve, load, registry, woken } = serving(state, 503, null, 10_000, false);
    const provider = { name: "provider", source: "admin", baseUrl: "https://provider.example/v1", weight: 1 } as const;
    registry.set({ ...provider, models: new Map([[MODEL, MODEL]]) });
    // Longer than the test's time limit, so that only the loaded model can end the wait.
    const served = Promise.resolve(serve({ ...waiter, modelKey: MODEL, waitMs: 60_000, signal: never }));
    setImmediate(load);
    expect((await served).backends.map(({ name }) => name)).toEqual(["engine"]);
    expect(woken).toEqual([MODEL]);
  });

  test("a model that only a provider has and that is too large for this machine is refused, where calls may not leave", async () => {
    const { serve, registry } = serving(null, 503, "It is too large.", 10_000, false);
    const provider = { name: "provider", source: "admin", baseUrl: "https://provider.example/v1", weight: 1 } as const;
    registry.set({ ...provider, models: new Map([[MODEL, MODEL]]) });
    await expect(serve({ ...waiter, modelKey: MODEL, waitMs: 0, signal: never })).rejects.toMatchObject({
      code: "model_only_elsewhere",
    });
  });

  test.each([
    ["soon", new Date("2026-03-01T12:00:09Z")],
    ["at an unknown time", null],
  ])(
    "a model that no backend runs yet and that is expected %s is waited for, even if the caller does not ask for it",
    async (_, readyAt) => {
      // Longer than the test's time limit, so that only the loaded model can end the wait.
      const { serve, load } = serving({ tier: "loading", stage: null, readyAt }, 503, null, 60_000);
      const served = serve({ ...waiter, modelKey: MODEL, waitMs: null, signal: never });
      setImmediate(load);
      expect((await served).backends).toHaveLength(1);
    },
  );

  test.each([
    ["that is expected late", { readyAt: READY, coldWaitMs: 10_000 }, null],
    ["where the operator lets no call wait", { readyAt: null, coldWaitMs: 0 }, null],
    ["where the caller wants no wait", { readyAt: null, coldWaitMs: 60_000 }, 0],
  ])("no call waits for a model %s", async (_, { readyAt, coldWaitMs }, waitMs) => {
    const { serve } = serving({ tier: "loading", stage: null, readyAt }, 503, null, coldWaitMs);
    await expect(serve({ ...waiter, modelKey: MODEL, waitMs, signal: never })).rejects.toMatchObject({
      code: "model_loading",
    });
  });

  test("a model that no backend runs yet is not waited for longer than requested, nor after the caller disconnects", async () => {
    const { serve } = serving({ tier: "loading", stage: null, readyAt: READY });
    await expect(serve({ ...waiter, modelKey: MODEL, waitMs: 20, signal: never })).rejects.toMatchObject({
      code: "model_loading",
    });
    const gone = new AbortController();
    const waiting = serve({ ...waiter, modelKey: MODEL, waitMs: 60_000, signal: gone.signal });
    setTimeout(() => gone.abort(new Error("gone")), 20);
    await expect(waiting).rejects.toThrow("gone");
  });

  test("a model that no backend runs yet is refused at once when it cannot be loaded here", async () => {
    const { serve } = serving(null);
    await expect(serve({ ...waiter, modelKey: MODEL, waitMs: 60_000, signal: never })).rejects.toMatchObject({
      status: 503,
      code: "capacity_exhausted",
      headers: { "x-should-retry": "false" },
    });
  });
});

describe("refused calls", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer();
  });
  afterEach(() => server.removeUpstreams());
  afterAll(() => server.close());

  test("refused calls do not count against any limit", async () => {
    const { token } = await server.signUpOnPlan({
      concurrency: 1,
      daily_request_limit: 3,
      model_switches_per_minute: 1,
    });
    const call = (model = MODEL) => server.call("/v1/chat/completions", { token, body: createChatRequest({ model }) });
    for (let count = 0; count < 3; count++) expect(errorOf((await call()).body).code).toBe("capacity_exhausted");
    const answering = Promise.withResolvers<void>();
    const upstream = await server.addUpstream({ thinkUntil: answering.promise });
    const running = call();
    await expect.poll(() => upstream.active()).toBe(1);
    for (let count = 0; count < 3; count++)
      expect(errorOf((await call()).body).code).toBe("concurrency_limit_exceeded");
    answering.resolve();
    expect((await running).status).toBe(200);
    expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
    expect(errorOf((await call()).body).code).toBe("rate_limit_exceeded");
  });

  test("refused calls always have a retry-after within bounds that clients honour", async () => {
    await server.addUpstream({}, [MODEL, "Qwen/Qwen3-4B"]);
    const { token } = await server.signUpOnPlan({ daily_request_limit: 1, model_switches_per_minute: 1 });
    await server.call("/v1/chat/completions", { token, body: createChatRequest() });
    for (const model of [MODEL, "Qwen/Qwen3-4B"]) {
      const answer = await server.call("/v1/chat/completions", { token, body: createChatRequest({ model }) });
      expect(answer.status).toBe(429);
      const seconds = Number(answer.headers.get("retry-after"));
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(30);
    }
  });

  test("refused calls for missing credits do not count against the daily limit", async () => {
    await server.addUpstream();
    const owner = await server.signUpOnPlan({ billing_mode: "request_pricing", daily_request_limit: 1 });
    const call = () => server.call("/v1/chat/completions", { token: owner.token, body: createChatRequest() });
    const first = await call();
    if (first.status === 200) return; // the model has no price, so nothing was refused
    expect([first.status, first.headers.get("x-should-retry")]).toEqual([402, "false"]);
    expect((await call()).status).toBe(402);
    expect(server.api.gateway.units.totalInUse()).toBe(0);
  });
});
