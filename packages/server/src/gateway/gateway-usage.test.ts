import { createTestClock } from "@feather/testing/clock";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { HOUR_MS } from "../platform/core/time.ts";
import { createChatRequest, errorOf, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let open: Account;

const clock = createTestClock("2026-11-01T12:00:00Z");

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

describe("the usage row", () => {
  test.each([false, true])(
    "the usage row contains the backend's usage (stream: %s) under the response's request id",
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

  test.each([
    [false, null],
    [true, null],
    [true, "nonsense"],
    [false, { prompt_tokens: "many" }],
  ])("the usage row is estimated when the backend reports no usage (stream: %s, usage: %j)", async (stream, usage) => {
    await server.addUpstream({ usage: usage as object | null });
    const row = await server.usageRow((await chat({ stream })).headers.get("request-id"));
    expect(row).toMatchObject({ outcome: "completed", estimated: true });
    expect(row?.prompt_tokens).toBeGreaterThan(0);
    expect(row?.completion_tokens).toBeGreaterThan(0);
    expect(row?.completion_tokens).toBeLessThan(20);
  });

  test.each([HOUR_MS, -HOUR_MS])(
    "the usage row tells how long the call lasted though the clock was set by %i ms meanwhile",
    async (ms) => {
      const clockWasSet = Promise.withResolvers<void>();
      // The backend waits a little, so that the call takes longer than 0 ms.
      const upstream = await server.addUpstream({ thinkUntil: clockWasSet.promise, thinkMs: 5 });
      const running = chat();
      await waitFor(() => expect(upstream.active()).toBe(1));
      clock.at += ms;
      clockWasSet.resolve();
      const row = await server.usageRow((await running).headers.get("request-id"));
      for (const elapsed of [row?.duration_ms, row?.first_byte_ms]) {
        expect(elapsed).toBeGreaterThan(0);
        expect(elapsed).toBeLessThan(HOUR_MS);
      }
      expect(row?.queued_ms).toBeLessThan(HOUR_MS);
    },
  );

  test("the usage row is written whatever numbers a backend reports", async () => {
    await server.addUpstream({
      usage: { prompt_tokens: 1.5, completion_tokens: 1e300, prompt_tokens_details: { cached_tokens: -4 } },
    });
    const row = await server.usageRow((await chat()).headers.get("request-id"));
    expect(row).toMatchObject({ prompt_tokens: 2, completion_tokens: 2_147_483_647, cached_tokens: 0 });
  });

  test("the usage row is written for a caller who disconnected, with the tokens until then", async () => {
    await server.addUpstream({ pauseUntil: new Promise(() => {}) });
    const gone = new AbortController();
    const response = await server.send("/v1/chat/completions", {
      token: open.token,
      body: createChatRequest({ stream: true }),
      signal: gone.signal,
    });
    await response.body?.getReader().read();
    gone.abort();
    await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
    const row = await server.usageRow(response.headers.get("request-id"));
    expect(row).toMatchObject({ outcome: "aborted", status: 499, error_code: "client_closed", estimated: true });
    expect(row?.completion_tokens).toBeGreaterThan(0);
  });

  test("the usage row is written for a failed call", async () => {
    await server.addUpstream({ fault: { kind: "refuse", status: 500 } });
    const answer = await chat();
    expect(errorOf(answer.body).request_id).toBe(answer.headers.get("request-id"));
    expect(await server.usageRow(answer.headers.get("request-id"))).toMatchObject({
      outcome: "failed",
      status: 502,
      completion_tokens: 0,
    });
  });

  test("the usage row contains no text of prompt or answer", async () => {
    await server.addUpstream({ tokens: ["zzanswer"] });
    const answer = await chat({ messages: [{ role: "user", content: "zzquestion" }] });
    const row = await server.usageRow(answer.headers.get("request-id"));
    expect(row).toBeDefined();
    // Whole words are searched, because random ids may contain any two letters.
    expect(JSON.stringify(row)).not.toMatch(/zzanswer|zzquestion/);
  });
});
