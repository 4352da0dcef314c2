import { parseEvents, streamedText } from "@feather/testing/chat-events";
import { createTestClock } from "@feather/testing/clock";
import type { UpstreamFault } from "@feather/testing/fake-upstream";
import { waitFor } from "@feather/testing/wait-for";
import { Agent, request } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, errorOf, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

const clock = createTestClock();
let server: TestServer;
let open: Account;

beforeAll(async () => {
  server = await createTestServer({
    clock,
    env: { FEATHER_FIRST_BYTE_TIMEOUT: "2", FEATHER_STREAM_IDLE_TIMEOUT: "2" },
  });
  open = await server.signUpOnPlan({});
});
afterEach(async () => {
  await server.removeUpstreams();
  await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
});
afterAll(() => server.close());

const chat = (more: object = {}, options: { token?: string; headers?: Record<string, string> } = {}) =>
  server.call("/v1/chat/completions", { token: open.token, body: createChatRequest(more), ...options });

describe("a fault before the first byte", () => {
  test.each<[string, UpstreamFault, number, string]>([
    ["a 500", { kind: "refuse", status: 500 }, 502, "upstream_error"],
    ["a 404", { kind: "refuse", status: 404 }, 502, "upstream_error"],
    [
      "a refused key",
      { kind: "refuse", status: 401, body: { error: { message: "bad key sk-secret" } } },
      502,
      "upstream_error",
    ],
    ["a 429", { kind: "refuse", status: 429 }, 429, "rate_limit_exceeded"],
    ["a 503", { kind: "refuse", status: 503 }, 503, "capacity_exhausted"],
    ["a reset", { kind: "reset", after: 0 }, 502, "upstream_error"],
    ["silence", { kind: "stall", after: 0 }, 504, "upstream_timeout"],
  ])("a fault before the first byte (%s) returns its status and code", async (_what, fault, status, code) => {
    await server.addUpstream({ fault });
    for (const stream of [false, true]) {
      const answer = await chat({ stream });
      expect([answer.status, errorOf(answer.body).code]).toEqual([status, code]);
      expect(answer.headers.get("content-type")).toContain("application/json");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(answer.text).not.toContain("sk-secret");
    }
  });

  test.each<[string, object, object]>([
    [
      "of a prompt that is too long",
      { message: "This model's maximum context length is 4096 tokens at /srv/x.", code: 400 },
      { code: "context_length_exceeded", param: "messages" },
    ],
    [
      "of tools",
      { message: "registry.local/x does not support tools" },
      { code: "unsupported_parameter", param: "tools" },
    ],
    ["of a picture", { message: "/srv/x is not a multimodal model" }, { code: "unsupported_modality" }],
    ["of a schema", { message: "Invalid grammar in /srv/x" }, { param: "response_format" }],
    ["of the order of roles", { message: "/srv/x: roles must alternate" }, { param: "messages" }],
    [
      "of a field",
      { message: "10.0.0.5 says no", param: "seed", code: "own_code" },
      { code: "invalid_request", param: "seed" },
    ],
    ["of anything else", { message: "10.0.0.5 says no", param: "/srv/x" }, { code: "invalid_request", param: null }],
  ])(
    "a fault before the first byte that is a refusal %s is returned in the server's own words without trying another backend",
    async (_what, error, expected) => {
      await server.addUpstream({ fault: { kind: "refuse", status: 400, body: { error } } });
      const second = await server.addUpstream();
      const answer = await chat();
      expect([answer.status, errorOf(answer.body)]).toMatchObject([400, expected]);
      expect(answer.text).not.toMatch(/srv|10\.0|registry|own_code/);
      expect(second.recordedRequests).toHaveLength(0);
    },
  );

  test("a fault before the first byte is reported without the name of the backend", async () => {
    await server.addUpstream({ fault: { kind: "refuse", status: 500 } });
    const answer = await chat();
    expect(errorOf(answer.body).message).toBe("The backend failed (status 500).");
    expect(answer.text).not.toContain("fake-");
  });

  test.each<[string, UpstreamFault]>([
    ["a 500", { kind: "refuse", status: 500 }],
    ["a 429", { kind: "refuse", status: 429 }],
    ["a reset", { kind: "reset", after: 0 }],
    ["silence", { kind: "stall", after: 0 }],
  ])("a fault before the first byte (%s) is hidden when a second backend answers", async (_what, fault) => {
    const first = await server.addUpstream({ fault }, [MODEL], 2);
    const second = await server.addUpstream({}, [MODEL], 1);
    const answer = await chat({ stream: true });
    expect(streamedText(answer.text)).toBe("Hello!");
    expect([first.recordedRequests.length, second.recordedRequests.length]).toEqual([1, 1]);
    expect((await server.usageRow(answer.headers.get("request-id")))?.backend).toBe("fake-2");
  });

  test("a fault before the first byte opens a backend's circuit after three failures, and closes it after a while", async () => {
    const bad = await server.addUpstream({ fault: { kind: "refuse", status: 500 } }, [MODEL], 100);
    await server.addUpstream({}, [MODEL], 1);
    for (let count = 0; count < 5; count++) expect((await chat()).status).toBe(200);
    expect(bad.recordedRequests).toHaveLength(3);
    clock.at += 11_000;
    expect((await chat()).status).toBe(200);
    expect(bad.recordedRequests).toHaveLength(4);
  });

  test("a fault before the first byte returns 503 when no backend runs the model", async () => {
    const answer = await chat();
    expect(answer.status).toBe(503);
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expect(errorOf(answer.body)).toMatchObject({
      code: "capacity_exhausted",
      message: expect.stringContaining("Request it on its page"),
    });
  });
});

describe("a fault in mid-stream", () => {
  test("a fault in mid-stream leaves the caller's connection open for the next call", async () => {
    await server.addUpstream({ fault: { kind: "error event", after: 1 } });
    let connections = 0;
    const agent = new Agent({ connections: 1 });
    agent.on("connect", () => {
      connections += 1;
    });
    const callOnSameConnection = async (more: object) => {
      const { body } = await request(`${server.url}/v1/chat/completions`, {
        dispatcher: agent,
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${open.token}` },
        body: JSON.stringify(createChatRequest(more)),
      });
      return body.text();
    };
    expect(await callOnSameConnection({ stream: true })).toContain("upstream_error");
    expect(await callOnSameConnection({ stream: true })).toContain("upstream_error");
    expect(await callOnSameConnection({ model: "o/unknown" })).toContain("model_not_found");
    expect(connections).toBe(1);
    await agent.close();
  });

  const FAULTS: UpstreamFault[] = [
    { kind: "reset", after: 2 },
    { kind: "hang up", after: 2 },
    { kind: "half frame", after: 2 },
    { kind: "half character", after: 2 },
    { kind: "stall", after: 2 },
    { kind: "error event", after: 2 },
    { kind: "wrong json", after: 2 },
    { kind: "no finish reason" },
  ];

  test.each(FAULTS.map((fault) => [fault.kind, fault] as const))(
    "(%s) ends the stream with an error and without [DONE]",
    async (kind, fault) => {
      const upstream = await server.addUpstream({ fault });
      const answer = await chat({ stream: true });
      expect(answer.status).toBe(200);
      const events = parseEvents(answer.text);
      expect(streamedText(answer.text)).toBe(kind === "no finish reason" ? "Hello!" : "Hello");
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
      await waitFor(() => expect(upstream.active()).toBe(0));
      expect(await server.usageRow(id)).toMatchObject({ outcome: "failed", streamed: true, backend: "fake-1" });
    },
  );

  test.each<UpstreamFault>([
    { kind: "reset", after: 1 },
    { kind: "hang up", after: 1 },
    { kind: "wrong json", after: 0 },
  ])("a fault in mid-stream of a buffered answer ($kind) returns 502", async (fault) => {
    await server.addUpstream({ fault });
    const answer = await chat();
    expect([answer.status, errorOf(answer.body).code]).toEqual([502, "upstream_error"]);
    expect(await server.usageRow(answer.headers.get("request-id"))).toMatchObject({
      outcome: "failed",
      status: 502,
      error_code: "upstream_error",
    });
    expect(server.api.backends.registry.list()).toMatchObject([{ failures: 1, inFlight: 0 }]);
  });
});
