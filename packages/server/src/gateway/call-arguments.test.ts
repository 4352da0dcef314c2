import type { UpstreamScript } from "@feather/testing/fake-upstream";
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

const PATHS = ["chat/completions", "messages", "responses"] as const;
type Path = (typeof PATHS)[number];
type Fields = Record<string, unknown>;

/** Calls a model whose backend responds according to a script. Returns the text of the response. */
async function call(path: Path, script: UpstreamScript, stream: boolean): Promise<string> {
  await server.addUpstream(script);
  const input = path === "responses" ? { input: "Hi" } : { messages: [{ role: "user", content: "Hi" }] };
  const body = { model: MODEL, ...input, stream, ...(path === "messages" && { max_tokens: 50 }) };
  const { status, text } = await server.call(`/v1/${path}`, { token: owner.token, body });
  expect(status).toBe(200);
  return text;
}

/** Returns the arguments of the tool calls in a streamed answer, in the order in which the calls began. */
function streamedArguments(path: Path, text: string): string[] {
  const events = Array.from(text.matchAll(/^data: (\{.*)$/gm), ([, data = ""]) => JSON.parse(data) as Fields);
  const found = new Map<unknown, string>();
  const add = (key: unknown, part: unknown) => found.set(key, (found.get(key) ?? "") + String(part ?? ""));
  for (const event of events) {
    if (path === "chat/completions")
      for (const { delta } of event.choices as { delta: { tool_calls?: (Fields & { function: Fields })[] } }[])
        for (const part of delta.tool_calls ?? []) add(part.index, part.function.arguments);
    const block = (event.content_block ?? event.item) as Fields | undefined;
    const isStart = event.type === "content_block_start" || event.type === "response.output_item.added";
    if (isStart && (block?.type === "tool_use" || block?.type === "function_call"))
      add(event.index ?? event.output_index, "");
    const delta = event.delta as Fields | undefined;
    if (event.type === "content_block_delta" && delta?.type === "input_json_delta")
      add(event.index, delta.partial_json);
    if (event.type === "response.function_call_arguments.delta") add(event.output_index, event.delta);
  }
  return [...found.values()];
}

const part = (index: number, more: object) => ({ tool_calls: [{ index, ...more }] });
const begin = (index: number, args?: unknown) =>
  part(index, { id: `c${index}`, type: "function", function: { name: `f${index}`, arguments: args } });

describe.each(PATHS)("the arguments of calls in a stream of %s", (path) => {
  test("the arguments of a call in a stream are an empty object if the backend sent none, also behind other blocks", async () => {
    const deltas = [begin(0), { content: "And" }, begin(1, ""), part(1, { function: { arguments: '{"a":1}' } })];
    const text = await call(path, { deltas, finishReason: "tool_calls" }, true);
    expect(streamedArguments(path, text).map((json) => JSON.parse(json || "{}"))).toEqual([{}, { a: 1 }]);
    expect(text).not.toMatch(/"type":"(?:error|response\.failed)"/);
  });

  test("the arguments of calls in a stream stay apart if the backend sends them alternately", async () => {
    const more = (index: number, text: string) => part(index, { function: { arguments: text } });
    const deltas = [begin(0, '{"a"'), begin(1, '{"b"'), more(0, ":1}"), more(1, ":2}")];
    const text = await call(path, { deltas, finishReason: "tool_calls" }, true);
    expect(streamedArguments(path, text)).toEqual(['{"a":1}', '{"b":2}']);
  });
});

const EXACT = '{"id":2512292042121000001,"scale":1.0}';

describe.each(PATHS)("numbers in arguments that a backend sends as an object, through %s", (path) => {
  test("numbers in arguments that a backend sends as an object are streamed as they were written", async () => {
    const delta = JSON.stringify(begin(0, "ARGS")).replace('"ARGS"', EXACT);
    const chunk = `{"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":${delta},"finish_reason":"tool_calls"}]}`;
    const rawAnswer = { contentType: "text/event-stream", body: `data: ${chunk}\n\ndata: [DONE]\n\n` };
    expect(streamedArguments(path, await call(path, { rawAnswer }, true))).toEqual([EXACT]);
  });

  test("numbers in arguments that a backend sends as an object are returned as they were written", async () => {
    const message = JSON.stringify({ role: "assistant", content: null, ...begin(0, "ARGS") }).replace('"ARGS"', EXACT);
    const body = `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":${message},"finish_reason":"tool_calls"}]}`;
    const text = await call(path, { rawAnswer: { contentType: "application/json", body } }, false);
    expect(text).toContain(path === "messages" ? EXACT : JSON.stringify(EXACT));
  });
});
