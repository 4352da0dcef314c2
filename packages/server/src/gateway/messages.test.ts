import type { UpstreamScript } from "@feather/testing/fake-upstream";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUpOnPlan({});
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

type Event = { type: string; [field: string]: unknown };
const HELLO = [{ role: "user", content: "Hello" }];

const send = (body: object, headers: Record<string, string> = {}) =>
  server.call("/v1/messages", {
    token: owner.token,
    headers: { "anthropic-version": "2023-06-01", ...headers },
    body: { model: MODEL, max_tokens: 50, messages: HELLO, ...body },
  });

async function events(script: UpstreamScript, body: object = {}): Promise<Event[]> {
  await server.addUpstream(script);
  const { text } = await send({ stream: true, ...body });
  return text
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => {
      const [name, data] = event.split("\n");
      const parsed = JSON.parse(data?.slice(6) ?? "") as Event;
      expect(name).toBe(`event: ${parsed.type}`);
      return parsed;
    });
}

describe("system messages inside the conversation", () => {
  const user = (content: unknown) => ({ role: "user", content });
  const says = (content: unknown, role = "system") => ({ role, content });
  const answer = { role: "assistant", content: "Yes." };

  test.each<[string, object, object[]]>([
    [
      "are joined with the system text at the start",
      { system: "One.", messages: [says("Two."), says([{ type: "text", text: "Three." }], "developer"), user("Hi")] },
      [says("One.\n\nTwo.\n\nThree."), user("Hi")],
    ],
    [
      "become the system text if there is no other",
      { messages: [says("One."), user("Hi")] },
      [says("One."), user("Hi")],
    ],
    [
      "are merged into the preceding user turn",
      { system: "One.", messages: [user("Hi"), says("Two."), answer, user("And?")] },
      [says("One."), user("Hi\n\nTwo."), answer, user("And?")],
    ],
    [
      "are merged into the next user turn after an assistant turn",
      { messages: [user("Hi"), answer, says("Two."), user("And?")] },
      [user("Hi"), answer, user("Two.\n\nAnd?")],
    ],
    [
      "become a user turn at the end",
      { messages: [user("Hi"), answer, says("Two.")] },
      [user("Hi"), answer, user("Two.")],
    ],
    [
      "come after tool results",
      {
        messages: [
          user("Hi"),
          { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: {} }] },
          user([{ type: "tool_result", tool_use_id: "t", content: "ok" }]),
          says("Two."),
        ],
      },
      [
        user("Hi"),
        expect.objectContaining({ role: "assistant" }),
        { role: "tool", tool_call_id: "t", content: "ok" },
        user("Two."),
      ],
    ],
  ])("system messages inside the conversation %s", async (_what, body, messages) => {
    const upstream = await server.addUpstream();
    expect((await send(body)).status).toBe(200);
    expect(upstream.recordedRequests[0]?.body.messages).toEqual(messages);
  });

  test("system messages inside the conversation count as prompt tokens", async () => {
    const count = async (messages: object[]) => {
      await server.addUpstream({}, [MODEL], 1, { program: "ollama" });
      const counted = await server.call("/v1/messages/count_tokens", {
        token: owner.token,
        body: { model: MODEL, messages },
      });
      expect(counted.status).toBe(200);
      return (counted.body as { input_tokens: number }).input_tokens;
    };
    const more = await count([user("Hi"), says("word ".repeat(100))]);
    expect(more).toBeGreaterThan((await count([user("Hi")])) + 50);
  });
});

describe("a message", () => {
  test("a message is returned with its usage", async () => {
    await server.addUpstream();
    const answer = await send({});
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: `msg_${answer.headers.get("request-id")}`,
      type: "message",
      role: "assistant",
      model: MODEL,
      content: [{ type: "text", text: "Hello!" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 5, cache_read_input_tokens: 2, cache_creation_input_tokens: 0, output_tokens: 3 },
    });
  });

  test("a message translates system, tools, tool results and images", async () => {
    const known = await server.db
      .selectFrom("models")
      .select("id")
      .where(sql<boolean>`'image' = any(input_modalities) and is_gated is not true`)
      .limit(1)
      .executeTakeFirstOrThrow();
    const seeing = await server.addUpstream({}, [known.id]);
    const { status } = await send({
      model: known.id,
      system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Weather here?" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBOR" } },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm.", signature: "" },
            { type: "text", text: "I look." },
            { type: "tool_use", id: "call_1", name: "weather", input: { city: "Oslo" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "call_1", content: [{ type: "text", text: "12 degrees" }] },
            { type: "text", text: "Well?" },
          ],
        },
      ],
      tools: [{ name: "weather", description: "Weather of a city", input_schema: { type: "object" } }],
      tool_choice: { type: "any", disable_parallel_tool_use: true },
      stop_sequences: ["END"],
      top_k: 3,
      thinking: { type: "disabled" },
      metadata: { user_id: "u-1" },
    });
    expect(status).toBe(200);
    expect(seeing.recordedRequests[0]?.body).toEqual({
      model: `up:${known.id}`,
      max_tokens: 50,
      top_k: 3,
      stop: ["END"],
      user: "u-1",
      chat_template_kwargs: { enable_thinking: false, thinking: false },
      tools: [
        {
          type: "function",
          function: { name: "weather", description: "Weather of a city", parameters: { type: "object" } },
        },
      ],
      tool_choice: "required",
      parallel_tool_calls: false,
      messages: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "Weather here?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,iVBOR" } },
          ],
        },
        {
          role: "assistant",
          content: "I look.",
          reasoning_content: "Hm.",
          tool_calls: [{ id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } }],
        },
        { role: "tool", tool_call_id: "call_1", content: "12 degrees" },
        { role: "user", content: "Well?" },
      ],
    });
  });

  test.each([
    ["length", {}, "max_tokens", null],
    ["content_filter", {}, "refusal", null],
    ["stop", {}, "end_turn", null],
  ])("a message that ended with %s has its stop reason", async (finishReason, more, stop_reason, stop_sequence) => {
    await server.addUpstream({ finishReason, ...more });
    expect((await send({})).body).toMatchObject({ stop_reason, stop_sequence });
  });

  test("a message contains tool calls", async () => {
    const tool_calls = [
      { id: "call_a", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
    ];
    await server.addUpstream({
      message: { role: "assistant", content: null, reasoning_content: "Hm.", tool_calls },
      finishReason: "tool_calls",
    });
    expect((await send({})).body).toMatchObject({
      stop_reason: "tool_use",
      content: [
        { type: "thinking", thinking: "Hm." },
        { type: "tool_use", id: "call_a", name: "weather", input: { city: "Oslo" } },
      ],
    });
  });
});

describe("a streamed message", () => {
  test("a streamed message consists of content blocks, one after the other", async () => {
    const all = await events({
      deltas: [
        { reasoning_content: "Hm" },
        { content: "I " },
        { content: "look." },
        { tool_calls: [{ index: 0, id: "call_a", function: { name: "weather", arguments: "" } }] },
        { tool_calls: [{ index: 0, function: { arguments: '{"city":"Oslo"}' } }] },
        { tool_calls: [{ index: 1, id: "call_b", function: { name: "time", arguments: "{}" } }] },
      ],
      finishReason: "tool_calls",
    });
    const row = all.map(({ type, index, content_block: block, delta }) => [
      type,
      index,
      (block as { type?: string } | undefined)?.type ?? Object.values((delta as object | undefined) ?? {})[1],
    ]);
    expect(row).toEqual([
      ["message_start", undefined, undefined],
      ["content_block_start", 0, "thinking"],
      ["content_block_delta", 0, "Hm"],
      ["content_block_stop", 0, undefined],
      ["content_block_start", 1, "text"],
      ["content_block_delta", 1, "I "],
      ["content_block_delta", 1, "look."],
      ["content_block_stop", 1, undefined],
      ["content_block_start", 2, "tool_use"],
      ["content_block_delta", 2, '{"city":"Oslo"}'],
      ["content_block_stop", 2, undefined],
      ["content_block_start", 3, "tool_use"],
      ["content_block_delta", 3, "{}"],
      ["content_block_stop", 3, undefined],
      ["message_delta", undefined, null],
      ["message_stop", undefined, undefined],
    ]);
    expect(all.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use" }, usage: { output_tokens: 3 } });
  });

  test("a streamed message ends with an error event when the backend disconnects", async () => {
    const all = await events({ fault: { kind: "reset", after: 2 } });
    expect(all.at(-1)).toMatchObject({ type: "error", error: { type: "api_error", code: "upstream_error" } });
    expect(all.map(({ type }) => type)).not.toContain("message_stop");
  });
});

describe("errors of the Messages API", () => {
  test.each([
    ["a field that is missing", { max_tokens: undefined }, 400, "invalid_request_error", "invalid_request"],
    ["an unknown model", { model: "nobody/nothing" }, 404, "not_found_error", "model_not_found"],
    ["nothing that runs it", {}, 503, "overloaded_error", "capacity_exhausted"],
    [
      "a block of another kind",
      { messages: [{ role: "user", content: [{ type: "video" }] }] },
      400,
      "invalid_request_error",
      "invalid_request",
    ],
  ])("errors of the Messages API for %s use Anthropic's envelope", async (_what, body, status, type, code) => {
    const answer = await send(body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({
      type: "error",
      error: { type, code, message: expect.stringMatching(/\w/) },
      request_id: answer.headers.get("request-id"),
    });
  });

  test("errors of the Messages API for an invalid key in x-api-key use Anthropic's envelope", async () => {
    await server.addUpstream();
    const { secret } = await server.createKey(owner);
    const call = (key: string) =>
      server.call("/v1/messages", {
        headers: { "x-api-key": key },
        body: { model: MODEL, max_tokens: 5, messages: HELLO },
      });
    expect((await call(secret)).status).toBe(200);
    const refused = await call("rc_wrong");
    expect([refused.status, refused.body]).toMatchObject([
      401,
      { type: "error", error: { type: "authentication_error" } },
    ]);
  });
});

describe("counting tokens", () => {
  const count = async (abilities: Parameters<TestServer["addUpstream"]>[3]) => {
    await server.addUpstream({ tokenIds: [1, 2, 3, 4, 5, 6, 7] }, [MODEL], 1, abilities);
    return server.call("/v1/messages/count_tokens", {
      token: owner.token,
      body: { model: MODEL, system: "Be brief.", messages: HELLO },
    });
  };

  test("counting tokens uses the backend's tokenizer if it has one", async () => {
    expect((await count({ program: "vllm" })).body).toEqual({ input_tokens: 7 });
  });

  test("counting tokens estimates tokens without a tokenizer", async () => {
    const { input_tokens } = (await count({})).body as { input_tokens: number };
    expect(input_tokens).toBeGreaterThan(2);
    expect(input_tokens).toBeLessThan(10);
  });
});
