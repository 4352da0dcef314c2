import type { UpstreamScript } from "@feather/testing/fake-upstream";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { errorOf, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await createTestServer({ env: { FEATHER_STREAM_IDLE_TIMEOUT: "2" } });
  owner = await server.signUpOnPlan({});
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

type Event = { type: string; sequence_number: number; response?: Record<string, unknown>; [field: string]: unknown };

const respond = (body: object) =>
  server.call("/v1/responses", { token: owner.token, body: { model: MODEL, input: "Hello", ...body } });

async function events(script: UpstreamScript, body: object = {}): Promise<Event[]> {
  await server.addUpstream(script);
  const { text } = await respond({ stream: true, ...body });
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

const TOOL_CALL = [
  { tool_calls: [{ index: 0, id: "call_a", type: "function", function: { name: "weather", arguments: "" } }] },
  { tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] },
  { tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] },
  { tool_calls: [{ index: 1, id: "call_b", type: "function", function: { name: "time", arguments: "{}" } }] },
];

describe("a response", () => {
  test("a response has the backend's total and its reasoning tokens in its usage, and 0 for details that it does not give", async () => {
    const counted = { prompt_tokens: 7, completion_tokens: 3 };
    await server.addUpstream({
      usage: { ...counted, total_tokens: 12, completion_tokens_details: { reasoning_tokens: 2 } },
    });
    expect((await respond({})).body).toMatchObject({
      usage: {
        input_tokens: 7,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 3,
        output_tokens_details: { reasoning_tokens: 2 },
        total_tokens: 12,
      },
    });
  });

  test("a response is returned with its usage", async () => {
    await server.addUpstream();
    const answer = await respond({ instructions: "Be brief.", max_output_tokens: 9, metadata: { a: "b" } });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      id: `resp_${answer.headers.get("request-id")}`,
      object: "response",
      status: "completed",
      model: MODEL,
      store: false,
      instructions: "Be brief.",
      metadata: { a: "b" },
      output: [
        { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: "Hello!" }] },
      ],
      usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10, input_tokens_details: { cached_tokens: 2 } },
    });
    expect(typeof (answer.body as { created_at: unknown }).created_at).toBe("number");
  });

  test("a response translates the whole conversation in the request", async () => {
    const upstream = await server.addUpstream();
    const { status } = await respond({
      instructions: "Be brief.",
      input: [
        { role: "developer", content: "No jokes." },
        { type: "message", role: "user", content: [{ type: "input_text", text: "Weather?" }] },
        { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "I need a tool." }] },
        { type: "function_call", call_id: "call_1", name: "weather", arguments: '{"city":"Oslo"}' },
        { type: "function_call", call_id: "call_2", name: "time", arguments: "{}" },
        { type: "function_call_output", call_id: "call_1", output: "12 degrees" },
        { type: "function_call_output", call_id: "call_2", output: [{ type: "input_text", text: "noon" }] },
        { role: "assistant", content: [{ type: "output_text", text: "Mild." }] },
        { role: "user", content: "Thanks" },
      ],
      tools: [{ type: "function", name: "weather", parameters: { type: "object" }, strict: true }],
      tool_choice: { type: "function", name: "weather" },
      text: { format: { type: "json_schema", name: "w", schema: { type: "object" }, strict: true } },
      reasoning: { effort: "low" },
      top_k: 5,
    });
    expect(status).toBe(200);
    expect(upstream.recordedRequests[0]?.path).toBe("/v1/chat/completions");
    expect(upstream.recordedRequests[0]?.body).toMatchObject({
      messages: [
        { role: "system", content: "Be brief.\n\nNo jokes." },
        { role: "user", content: "Weather?" },
        {
          role: "assistant",
          reasoning_content: "I need a tool.",
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
            { id: "call_2", function: { name: "time" } },
          ],
        },
        { role: "tool", tool_call_id: "call_1", content: "12 degrees" },
        { role: "tool", tool_call_id: "call_2", content: "noon" },
        { role: "assistant", content: "Mild." },
        { role: "user", content: "Thanks" },
      ],
      tools: [{ type: "function", function: { name: "weather", parameters: { type: "object" }, strict: true } }],
      tool_choice: { type: "function", function: { name: "weather" } },
      response_format: { type: "json_schema", json_schema: { name: "w", strict: true } },
      reasoning_effort: "low",
      top_k: 5,
    });
    expect(Object.keys(upstream.recordedRequests[0]?.body ?? {})).not.toContain("input");
  });

  test("a response contains function calls and reasoning as separate items", async () => {
    const tool_calls = [{ id: "call_a", type: "function", function: { name: "weather", arguments: "{}" } }];
    await server.addUpstream({
      message: { role: "assistant", content: null, reasoning: "Hm.", tool_calls },
      finishReason: "tool_calls",
    });
    expect((await respond({})).body).toMatchObject({
      status: "completed",
      output: [
        { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] },
        { type: "function_call", call_id: "call_a", name: "weather", arguments: "{}", status: "completed" },
      ],
    });
  });

  test("a response that reached its length limit is incomplete", async () => {
    await server.addUpstream({ finishReason: "length" });
    expect((await respond({})).body).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    });
  });
});

describe("a streamed response", () => {
  test("a streamed response is a sequence of numbered events with one end", async () => {
    const all = await events({});
    expect(all.map(({ type }) => type)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(all.map((event) => event.sequence_number)).toEqual(all.map((_, index) => index));
    expect(all.at(-1)?.response).toMatchObject({
      status: "completed",
      output: [{ content: [{ text: "Hello!" }] }],
      usage: { total_tokens: 10 },
    });
    expect(all[0]?.response).toMatchObject({ status: "in_progress", output: [], usage: null });
  });

  test("a streamed response separates reasoning, text and function calls", async () => {
    const all = await events({
      deltas: [{ reasoning_content: "Hm" }, { content: "Let me look." }, ...TOOL_CALL],
      finishReason: "tool_calls",
    });
    expect(all.at(-1)?.response?.output).toMatchObject([
      { type: "reasoning", summary: [{ text: "Hm" }] },
      { type: "message", content: [{ text: "Let me look." }] },
      { type: "function_call", call_id: "call_a", name: "weather", arguments: '{"city":"Oslo"}' },
      { type: "function_call", call_id: "call_b", name: "time", arguments: "{}" },
    ]);
    const added = all.filter(({ type }) => type === "response.output_item.added");
    expect(added.map(({ output_index }) => output_index)).toEqual([0, 1, 2, 3]);
    const texts = all.filter(({ type }) => type === "response.function_call_arguments.delta").map(({ delta }) => delta);
    expect(texts.join("")).toBe('{"city":"Oslo"}{}');
  });

  test.each<[string, UpstreamScript["fault"]]>([
    ["is reset", { kind: "reset", after: 2 }],
    ["hangs up", { kind: "hang up", after: 2 }],
    ["stalls", { kind: "stall", after: 2 }],
    ["reports an error", { kind: "error event", after: 2 }],
    ["gives no reason", { kind: "no finish reason" }],
  ])("a streamed response ends with response.failed when the backend %s", async (_how, fault) => {
    const all = await events(fault ? { fault } : {});
    const last = all.at(-1);
    expect(last).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { code: expect.stringMatching(/^upstream_/) } },
    });
    expect(all.filter(({ type }) => /^response\.(completed|incomplete|failed)$/.test(type))).toHaveLength(1);
    expect(JSON.stringify(all)).not.toContain("scripted secret");
  });

  test("a streamed response that reached its length limit ends with response.incomplete", async () => {
    expect((await events({ finishReason: "length" })).at(-1)).toMatchObject({
      type: "response.incomplete",
      response: { status: "incomplete", output: [{ status: "incomplete" }] },
    });
  });
});

describe("a request that cannot be answered", () => {
  test.each([
    ["store", { store: true }],
    ["previous_response_id", { previous_response_id: "resp_1" }],
    ["background", { background: true }],
    ["conversation", { conversation: "conv_1" }],
  ])("a Responses request that needs stored state (%s) is rejected", async (param, body) => {
    const answer = await respond(body);
    expect([answer.status, errorOf(answer.body).code, errorOf(answer.body).param]).toEqual([
      400,
      "unsupported_parameter",
      param,
    ]);
  });

  test.each([
    ["an item of an unknown type", { input: [{ type: "item_reference", id: "x" }] }, "input[0].type"],
    ["a message without content", { input: [{ role: "user" }] }, "input[0].content"],
    ["an output without its call", { input: [{ type: "function_call_output", output: "x" }] }, "input[0].call_id"],
    [
      "a part of an unknown type",
      { input: [{ role: "user", content: [{ type: "input_video" }] }] },
      "input[0].content[0].type",
    ],
  ])("a Responses request with %s is rejected with the name of the field", async (_what, body, param) => {
    const answer = await respond(body);
    expect([answer.status, errorOf(answer.body).param]).toEqual([400, param]);
  });

  test("a Responses request with a tool that only OpenAI runs is sent without it, or rejected on request", async () => {
    await server.addUpstream();
    const body = { tools: [{ type: "web_search" }] };
    const answer = await respond(body);
    expect([answer.status, answer.headers.get("x-ignored-params")]).toEqual([200, "tools.web_search"]);
    const strict = await server.call("/v1/responses", {
      token: owner.token,
      headers: { "x-strict-params": "1" },
      body: { model: MODEL, input: "Hello", ...body },
    });
    expect([strict.status, errorOf(strict.body).code]).toEqual([400, "unsupported_parameter"]);
  });

  test("a Responses request with an image for a text model is rejected", async () => {
    const image = { type: "input_image", image_url: "data:image/png;base64,iVBOR" };
    const answer = await respond({ input: [{ role: "user", content: [image] }] });
    expect([answer.status, errorOf(answer.body).code]).toEqual([400, "unsupported_modality"]);
  });
});
