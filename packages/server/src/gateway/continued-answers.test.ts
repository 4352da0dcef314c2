import { streamedText } from "@feather/testing/chat-events";
import type { UpstreamScript } from "@feather/testing/fake-upstream";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let open: Account;

beforeAll(async () => {
  server = await createTestServer({ env: { FEATHER_STREAM_IDLE_TIMEOUT: "1" } });
  open = await server.signUpOnPlan({});
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

const BREAKS: UpstreamScript = { tokens: ["One ", "two ", "three"], fault: { kind: "reset", after: 2 } };
const RESUMED = ": resumed";

const addFirst = (script: UpstreamScript = BREAKS) => server.addUpstream(script, [MODEL], 100, { program: "vllm" });
const addSecond = (script: UpstreamScript = { tokens: ["thr", "ee."] }) =>
  server.addUpstream(script, [MODEL], 1, { program: "vllm" });
const stream = (more: object = {}, headers: Record<string, string> = { "x-resume": "continue" }) =>
  server.call("/v1/chat/completions", {
    token: open.token,
    headers,
    body: createChatRequest({ stream: true, ...more }),
  });

describe("a stream that breaks off is continued by another backend", () => {
  test("with the text that was sent, as one answer", async () => {
    await addFirst();
    const second = await addSecond();
    const answer = await stream({ max_tokens: 10 });
    expect(streamedText(answer.text)).toBe("One two three.");
    expect(answer.text.split(RESUMED)).toHaveLength(2);
    expect(answer.text.match(/"role":"assistant"/g)).toHaveLength(1);
    expect(answer.text.match(/"finish_reason":"stop"/g)).toHaveLength(1);
    expect(answer.text.trimEnd().endsWith("data: [DONE]")).toBe(true);
    expect(new Set(answer.text.match(/chatcmpl-[\w-]+/g))).toHaveProperty("size", 1);
    expect(second.recordedRequests[0]?.body).toMatchObject({
      continue_final_message: true,
      max_tokens: 8,
      messages: [
        { role: "user", content: "Hello" },
        { role: "assistant", content: "One two " },
      ],
    });
  });

  test("unless the organization's own key would pay for only one part of it", async () => {
    await addFirst();
    const second = await addSecond();
    const { registry } = server.api.backends;
    const [first] = registry.list();
    const { baseUrl = "" } = first ?? {};
    const own = { baseUrl, provider: "openrouter", ownKeys: "allowed", program: "vllm" } as const;
    registry.set({ name: "fake-1", source: "settings", weight: 1, models: new Map([[MODEL, MODEL]]), ...own });
    const path = "/api/organization/provider-keys/openrouter";
    await server.call(path, { method: "PUT", token: open.token, body: { key: "own" } });
    const answer = await stream();
    await server.call(path, { method: "DELETE", token: open.token });
    expect(streamedText(answer.text)).toBe("One two ");
    expect(second.recordedRequests).toEqual([]);
  });

  test("and counted once: the prompt without the text that was continued, and all tokens of the answer", async () => {
    await addFirst();
    await addSecond({ tokens: ["thr", "ee."], usage: { prompt_tokens: 12, completion_tokens: 2, total_tokens: 14 } });
    const answer = await stream({ stream_options: { include_usage: true } });
    expect(answer.text).toContain('"prompt_tokens":10');
    const row = await server.usageRow(answer.headers.get("request-id"));
    expect(row).toMatchObject({ outcome: "completed", prompt_tokens: 10, completion_tokens: 4, estimated: true });
    expect(row?.backend).toBe("fake-2");
  });

  test("and by a third one if the second breaks off too", async () => {
    await addFirst();
    await server.addUpstream({ tokens: ["th", "ree"], fault: { kind: "reset", after: 1 } }, [MODEL], 10, {
      program: "vllm",
    });
    const third = await addSecond({ tokens: ["ree."] });
    const answer = await stream();
    expect(streamedText(answer.text)).toBe("One two three.");
    expect(third.recordedRequests[0]?.body).toMatchObject({ messages: [{}, { content: "One two th" }] });
  });
});

describe("a stream that breaks off ends with an error", () => {
  const expectError = (answer: { text: string }) => {
    expect(answer.text).toContain('"upstream_error"');
    expect(answer.text).not.toContain("[DONE]");
    expect(answer.text).not.toContain(RESUMED);
  };

  test("without the header", async () => {
    await addFirst();
    const second = await addSecond();
    expectError(await stream({}, {}));
    expect(second.recordedRequests).toEqual([]);
  });

  test.each([
    ["several answers are asked for", { n: 2 }],
    ["the answer is JSON", { response_format: { type: "json_object" } }],
    ["the probabilities of tokens are asked for", { logprobs: true }],
    [
      "it continues a message of the caller",
      {
        messages: [
          { role: "user", content: "Hi" },
          { role: "assistant", content: "O" },
        ],
      },
    ],
  ])("when %s", async (_what, more) => {
    await addFirst();
    const second = await addSecond();
    expectError(await stream(more));
    expect(second.recordedRequests).toEqual([]);
  });

  test.each([
    ["a tool call", { tool_calls: [{ index: 0, id: "c1", function: { name: "look", arguments: "{" } }] }],
    ["reasoning", { reasoning_content: "Hm." }],
  ])("when %s has begun", async (_what, delta) => {
    await addFirst({ deltas: [{ content: "One " }, delta, { content: "x" }], fault: { kind: "reset", after: 2 } });
    const second = await addSecond();
    expectError(await stream());
    expect(second.recordedRequests).toEqual([]);
  });

  test("when no other backend can continue a message, or it fails", async () => {
    await addFirst();
    const other = await server.addUpstream({}, [MODEL], 1);
    expectError(await stream());
    expect(other.recordedRequests).toEqual([]);
    await addSecond({ fault: { kind: "refuse", status: 500 } });
    expectError(await stream());
  });
});
