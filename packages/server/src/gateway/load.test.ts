import { parseEvents, streamedText } from "@feather/testing/chat-events";
import type { UpstreamFault, UpstreamScript } from "@feather/testing/fake-upstream";
import { waitFor, waitForResolved } from "@feather/testing/wait-for";
import { Agent, request } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, errorOf, LARGE_MODEL, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let open: Account;

beforeAll(async () => {
  server = await createTestServer();
  open = await server.signUpOnPlan({ concurrency: null });
});
afterEach(async () => {
  await server.removeUpstreams();
  await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
  expect(server.api.gateway.running.count()).toBe(0);
});
afterAll(() => server.close());

const chat = (more: object, token: string, headers: Record<string, string> = {}) =>
  server.call("/v1/chat/completions", { token, body: createChatRequest(more), headers });
const xs = (count: number) => Array<string>(count).fill("x");

describe("units under load", () => {
  test("units under load let only as many of fifty concurrent streams run as the plan allows", async () => {
    const mayAnswer = Promise.withResolvers<void>();
    const upstream = await server.addUpstream({ pauseUntil: mayAnswer.promise });
    const { token } = await server.signUpOnPlan({ concurrency: 4 });
    const calls = Array.from({ length: 50 }, () => chat({ stream: true }, token));
    await waitForResolved(calls, 46);
    await expect.poll(upstream.peak).toBe(4);
    mayAnswer.resolve();
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(46);
    for (const { headers, body } of refused) {
      expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(errorOf(body).details).toEqual({ limit: 4, used: 4, cost: 1, over_by: 1 });
    }
    expect(upstream.peak()).toBe(4);
  });

  test("units under load are released when callers abort 200 streams at random moments", async () => {
    // Far more tokens than any call reads.
    const upstream = await server.addUpstream({ delayMs: 15, tokens: xs(10_000) });
    let cut = 0;
    const one = async (at: number) => {
      const gone = new AbortController();
      const pieces = at % 8;
      const call = server.send("/v1/chat/completions", {
        token: open.token,
        body: createChatRequest({ stream: true }),
        signal: gone.signal,
      });
      if (pieces === 0) gone.abort();
      const read = call.then(async ({ body }) => {
        const reader = body?.getReader();
        for (let piece = 0; piece < pieces; piece++) await reader?.read();
        gone.abort();
        await reader?.read();
      });
      await read.catch(() => {
        cut += 1;
      });
    };
    for (let round = 0; round < 4; round++)
      await Promise.all(Array.from({ length: 50 }, (_, at) => one(round * 50 + at)));
    expect(cut).toBe(200);
    await waitFor(() => expect([server.api.gateway.units.totalInUse(), upstream.active()]).toEqual([0, 0]));
    expect(server.api.backends.registry.list()).toMatchObject([{ inFlight: 0, failures: 0 }]);
  });

  test.each<[string, UpstreamFault, number]>([
    ["429", { kind: "refuse", status: 429 }, 429],
    ["500", { kind: "refuse", status: 500 }, 502],
    ["a reset", { kind: "reset", after: 0 }, 502],
    ["a reset after a good status", { kind: "reset after headers" }, 502],
  ])("units under load are released after %s before the first byte", async (_what, fault, status) => {
    await server.addUpstream({ fault });
    expect((await chat({ stream: true }, open.token)).status).toBe(status);
    expect(server.api.gateway.units.totalInUse()).toBe(0);
  });

  test("units of a smaller plan apply to new calls and do not end running ones", async () => {
    const mayGoOn = Promise.withResolvers<void>();
    const upstream = await server.addUpstream({ pauseUntil: mayGoOn.promise });
    const owner = await server.signUpOnPlan({ concurrency: 8 });
    const running = Array.from({ length: 6 }, () => chat({ stream: true }, owner.token));
    await waitFor(() => expect(upstream.active()).toBe(6));
    await server.db.updateTable("plans").set({ concurrency: 4 }).where("id", "=", `plan_${owner.userId}`).execute();
    server.api.plans.invalidatePlan(owner.organizationId);
    const refused = await chat({}, owner.token);
    expect([refused.status, errorOf(refused.body).details]).toEqual([429, { limit: 4, used: 6, cost: 1, over_by: 3 }]);
    mayGoOn.resolve();
    for (const { text } of await Promise.all(running)) expect(parseEvents(text).at(-1)).toBe("[DONE]");
    expect((await chat({}, owner.token)).status).toBe(200);
  });

  test("units under load are granted to a large call among small ones in order", async () => {
    const mayAnswer = Promise.withResolvers<void>();
    const upstream = await server.addUpstream({ thinkUntil: mayAnswer.promise }, [MODEL, LARGE_MODEL]);
    const { token } = await server.signUpOnPlan({ concurrency: 4 });
    const wait = { "x-queue-timeout": "60" };
    const countWaiting = () => server.api.gateway.waitQueue.size().requests;
    let stop = false;
    const small = Array.from({ length: 6 }, async () => {
      while (!stop) expect((await chat({}, token, wait)).status).toBe(200);
    });
    await waitFor(() => expect([upstream.active(), countWaiting()]).toEqual([4, 2]));
    const large = chat({ model: LARGE_MODEL }, token, wait);
    await waitFor(() => expect(countWaiting()).toBe(3));
    mayAnswer.resolve();
    expect((await large).status).toBe(200);
    stop = true;
    await Promise.all(small);
  });

  test("units under load are counted once per call on a connection that is reused after an abort", async () => {
    await server.addUpstream();
    const dispatcher = new Agent({ connections: 1 });
    const call = async () => {
      const response = await request(`${server.url}/v1/chat/completions`, {
        method: "POST",
        dispatcher,
        headers: { authorization: `Bearer ${open.token}`, "content-type": "application/json" },
        body: JSON.stringify(createChatRequest({ stream: true })),
      });
      return streamedText(await response.body.text());
    };
    for (let count = 0; count < 10; count++) {
      const gone = new AbortController();
      const cut = server
        .send("/v1/chat/completions", {
          token: open.token,
          body: createChatRequest({ stream: true }),
          signal: gone.signal,
        })
        .catch(() => null);
      gone.abort();
      await cut;
      expect(await call()).toBe("Hello!");
    }
    await dispatcher.close();
  });
});

describe("seven backend faults, thirty times each", () => {
  const FAULTS: UpstreamFault[] = [
    { kind: "reset", after: 2 },
    { kind: "hang up", after: 2 },
    { kind: "half frame", after: 2 },
    { kind: "half character", after: 2 },
    { kind: "error event", after: 2 },
    { kind: "wrong json", after: 2 },
    { kind: "no finish reason" },
  ];
  test.each(FAULTS.map((fault) => [fault.kind, fault] as const))(
    "%s never looks like a complete answer",
    async (_kind, fault) => {
      await server.addUpstream({ fault });
      const answers = await Promise.all(Array.from({ length: 30 }, () => chat({ stream: true }, open.token)));
      for (const { status, text } of answers) {
        if (status !== 200) continue; // the backend rests by now
        expect(parseEvents(text)).not.toContain("[DONE]");
        expect(JSON.parse(parseEvents(text).at(-1) ?? "{}")).toHaveProperty("error");
      }
      expect(answers.some(({ status }) => status === 200)).toBe(true);
    },
  );
});

describe("the usage rows of hundreds of mixed calls", () => {
  test("add up to the usage that the backends counted", async () => {
    const truth = { prompt: 0, completion: 0 };
    let turn = 0;
    const counting: UpstreamScript = {
      usage: () => {
        turn += 1;
        const usage = { prompt_tokens: 10 + (turn % 7), completion_tokens: 1 + (turn % 5) };
        truth.prompt += usage.prompt_tokens;
        truth.completion += usage.completion_tokens;
        return { ...usage, total_tokens: 0 };
      },
    };
    await server.addUpstream(counting, [MODEL, LARGE_MODEL]);
    const owner = await server.signUpOnPlan({ concurrency: null });
    const kinds = [
      () => chat({}, owner.token),
      () => chat({ stream: true }, owner.token),
      () => chat({ stream: true, model: LARGE_MODEL, stream_options: { include_usage: true } }, owner.token),
      () => server.call("/v1/completions", { token: owner.token, body: { model: MODEL, prompt: ["a", "b"] } }),
      () => server.call("/v1/responses", { token: owner.token, body: { model: MODEL, input: "Hi", stream: true } }),
      () => server.call("/v1/messages", { token: owner.token, body: { ...createChatRequest(), max_tokens: 9 } }),
    ];
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(Array.from({ length: 36 }, (_, at) => kinds[at % kinds.length]?.()));
      expect(answers.filter((answer) => answer?.status !== 200).map((answer) => answer?.text)).toEqual([]);
    }
    await server.api.gateway.usageWriter.flush();
    const sums = await server.db
      .selectFrom("requests")
      .select((eb) => [
        eb.fn.sum<string>("prompt_tokens").as("prompt"),
        eb.fn.sum<string>("completion_tokens").as("completion"),
        eb.fn.countAll<number>().as("rows"),
      ])
      .where("organization_id", "=", owner.organizationId)
      .executeTakeFirstOrThrow();
    expect({ prompt: Number(sums.prompt), completion: Number(sums.completion), rows: Number(sums.rows) }).toEqual({
      ...truth,
      rows: 360,
    });
  });
});

describe("units with short time limits for backends", () => {
  let impatient: TestServer;
  let token: string;

  beforeAll(async () => {
    impatient = await createTestServer({
      env: { FEATHER_FIRST_BYTE_TIMEOUT: "2", FEATHER_STREAM_IDLE_TIMEOUT: "0.5" },
    });
    ({ token } = await impatient.signUpOnPlan({ concurrency: null }));
  });
  afterEach(() => impatient.removeUpstreams());
  afterAll(() => impatient.close());

  const stream = () => impatient.call("/v1/chat/completions", { token, body: createChatRequest({ stream: true }) });

  test("units with short time limits for backends are released after silence before the first byte", async () => {
    await impatient.addUpstream({ fault: { kind: "stall", after: 0 } });
    expect((await stream()).status).toBe(504);
    expect(impatient.api.gateway.units.totalInUse()).toBe(0);
  });

  test("units with short time limits for backends are released when a backend stalls in mid-stream", async () => {
    await impatient.addUpstream({ fault: { kind: "stall", after: 2 } });
    const { text } = await stream();
    expect(JSON.parse(parseEvents(text).at(-1) ?? "")).toMatchObject({ error: { code: "upstream_timeout" } });
    expect(impatient.api.gateway.units.totalInUse()).toBe(0);
  });
});

describe("callers who do not read", () => {
  let impatient: TestServer;
  let token: string;

  beforeAll(async () => {
    impatient = await createTestServer({ env: { FEATHER_STALLED_TIMEOUT: "2" } });
    ({ token } = await impatient.signUpOnPlan({ concurrency: null }));
  });
  afterEach(() => impatient.removeUpstreams());
  afterAll(() => impatient.close());

  const stream = () => impatient.call("/v1/chat/completions", { token, body: createChatRequest({ stream: true }) });

  test("their stream are disconnected, without using memory or delaying others", async () => {
    const endless = await impatient.addUpstream({ tokens: Array<string>(3_000).fill("y".repeat(10_000)) }, [
      LARGE_MODEL,
    ]);
    await impatient.addUpstream({ tokens: xs(5), delayMs: 5 }, [MODEL]);
    const before = process.memoryUsage().rss;
    const agent = new Agent({ connections: 20, bodyTimeout: 0 });
    const stalled = await Promise.all(
      Array.from({ length: 12 }, () =>
        request(`${impatient.url}/v1/chat/completions`, {
          method: "POST",
          dispatcher: agent,
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify(createChatRequest({ stream: true, model: LARGE_MODEL })),
        }),
      ),
    );
    for (const { body } of stalled) body.on("error", () => {}).pause();
    const others = await Promise.all(Array.from({ length: 20 }, () => stream()));
    for (const { text } of others) expect(streamedText(text)).toBe("xxxxx");
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
    await waitFor(() => expect([impatient.api.gateway.units.totalInUse(), endless.active()]).toEqual([0, 0]));
    await agent.destroy();
  });

  test("an answer that is not streamed are disconnected, and their units released", async () => {
    await impatient.addUpstream({ tokens: Array<string>(1_500).fill("y".repeat(10_000)) }, [LARGE_MODEL]);
    const agent = new Agent({ connections: 4, bodyTimeout: 0 });
    const ask = () =>
      request(`${impatient.url}/v1/chat/completions`, {
        method: "POST",
        dispatcher: agent,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(createChatRequest({ model: LARGE_MODEL })),
      });
    // Each acts as soon as its answer begins, since the others may begin later than a caller has time to read.
    const read = ask().then(({ body }) => body.text());
    const answers = Array.from({ length: 3 }, () => ask().then(({ body }) => body.on("error", () => {}).pause()));
    const stalled = await Promise.all(answers);
    expect((await read).length).toBeGreaterThan(15_000_000);
    await waitFor(() => expect(impatient.api.gateway.units.totalInUse()).toBe(0));
    for (const body of stalled) await expect(body.text()).rejects.toThrow();
    await agent.destroy();
  });
});
