import Anthropic, {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from "@anthropic-ai/sdk";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { MODEL } from "../testing/chat.ts";
import { createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let client: Anthropic;

beforeAll(async () => {
  server = await createTestServer();
  client = await clientOf({});
});
afterEach(async () => {
  await server.removeUpstreams();
  await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
});
afterAll(() => server.close());

async function clientOf(plan: Parameters<TestServer["signUpOnPlan"]>[0]): Promise<Anthropic> {
  const { secret } = await server.createKey(await server.signUpOnPlan(plan));
  return new Anthropic({ apiKey: secret, baseURL: server.url, maxRetries: 0 });
}

const ASK = { model: MODEL, max_tokens: 50, messages: [{ role: "user" as const, content: "Hello" }] };
const TOOLS = [
  { name: "weather", input_schema: { type: "object" as const, properties: { city: { type: "string" } } } },
];

describe("the official Anthropic client", () => {
  test("the official Anthropic client gets a message", async () => {
    await server.addUpstream();
    const message = await client.messages.create(ASK);
    expect(message.content).toEqual([{ type: "text", text: "Hello!" }]);
    expect([message.stop_reason, message.usage.output_tokens]).toEqual(["end_turn", 3]);
    expect(message._request_id).toMatch(/^req_/);
  });

  test("the official Anthropic client reads a stream to its end", async () => {
    await server.addUpstream({ tokens: ["Fé", "dér", " 羽", "🪶"] });
    const stream = client.messages.stream(ASK);
    let text = "";
    stream.on("text", (part) => {
      text += part;
    });
    const message = await stream.finalMessage();
    expect([text, message.stop_reason, message.usage.output_tokens]).toEqual(["Fédér 羽🪶", "end_turn", 3]);
  });

  test("the official Anthropic client calls tools, buffered and streamed", async () => {
    const called = { name: "weather", arguments: '{"city":"Oslo"}' };
    await server.addUpstream({
      message: { role: "assistant", content: null, tool_calls: [{ id: "call_a", type: "function", function: called }] },
      deltas: [
        { content: "I look." },
        { tool_calls: [{ index: 0, id: "call_a", function: { name: "weather", arguments: '{"city":' } }] },
        { tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] },
      ],
      finishReason: "tool_calls",
    });
    const use = { type: "tool_use", id: "call_a", name: "weather", input: { city: "Oslo" } };
    expect((await client.messages.create({ ...ASK, tools: TOOLS })).content).toMatchObject([use]);
    const streamed = await client.messages.stream({ ...ASK, tools: TOOLS }).finalMessage();
    expect(streamed.content).toMatchObject([{ type: "text", text: "I look." }, use]);
    expect(streamed.stop_reason).toBe("tool_use");
  });

  test("the official Anthropic client counts tokens", async () => {
    await server.addUpstream({ tokenIds: [1, 2, 3] }, [MODEL], 1, { program: "vllm" });
    expect(await client.messages.countTokens({ model: MODEL, messages: ASK.messages })).toEqual({ input_tokens: 3 });
  });

  test("the official Anthropic client throws the error class of each status", async () => {
    const wrong = new Anthropic({ apiKey: "rc_wrong", baseURL: server.url, maxRetries: 0 });
    const none = await clientOf({ daily_request_limit: 0 });
    const cases: [() => Promise<unknown>, abstract new (...args: never[]) => Error][] = [
      [() => client.messages.create(ASK), InternalServerError],
      [() => wrong.messages.create(ASK), AuthenticationError],
      [() => client.messages.create({ ...ASK, model: "nobody/nothing" }), NotFoundError],
      [() => client.messages.create({ ...ASK, max_tokens: -1 }), BadRequestError],
    ];
    for (const [call, errorClass] of cases)
      expect((await call().catch((caught: unknown) => caught)) instanceof errorClass).toBe(true);
    await server.addUpstream();
    const error: unknown = await none.messages.create(ASK).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ requestID: expect.stringMatching(/^req_/), error: { type: "error" } });
  });

  test("the official Anthropic client throws when a stream breaks in the middle", async () => {
    await server.addUpstream({ fault: { kind: "reset", after: 2 } });
    await expect(client.messages.stream(ASK).finalMessage()).rejects.toThrow(/backend/);
  });

  test("the official Anthropic client aborts the backend's request when it aborts", async () => {
    const upstream = await server.addUpstream({ delayMs: 30, tokens: Array<string>(10_000).fill("x") });
    const stream = client.messages.stream(ASK);
    stream.on("text", () => stream.abort());
    await expect(stream.finalMessage()).rejects.toBeInstanceOf(APIUserAbortError);
    await waitFor(() => expect([server.api.gateway.units.totalInUse(), upstream.active()]).toEqual([0, 0]));
  });
});
