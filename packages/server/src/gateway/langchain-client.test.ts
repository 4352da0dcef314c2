import { waitFor } from "@feather/testing/wait-for";
import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { MODEL } from "../testing/chat.ts";
import { createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let apiKey = "";

beforeAll(async () => {
  server = await createTestServer();
  apiKey = (await server.createKey(await server.signUpOnPlan({}))).secret;
});
afterEach(async () => {
  await server.removeUpstreams();
  await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
});
afterAll(() => server.close());

const chat = (more: object = {}) =>
  new ChatOpenAI({ model: MODEL, apiKey, maxRetries: 0, configuration: { baseURL: `${server.url}/v1` }, ...more });

describe.each([
  ["chat", {}],
  ["responses", { useResponsesApi: true }],
])("LangChain over %s", (_name, more) => {
  test("LangChain gets an answer with its usage", async () => {
    await server.addUpstream();
    const answer = await chat(more).invoke("Hello");
    expect(answer.text).toBe("Hello!");
    expect(answer.usage_metadata).toMatchObject({ input_tokens: 7, output_tokens: 3, total_tokens: 10 });
  });

  test("LangChain reads a stream with usage, which it requests by default", async () => {
    await server.addUpstream({ tokens: ["Fé", "dér", " 羽", "🪶"] });
    let text = "";
    let tokens = 0;
    for await (const chunk of await chat(more).stream("Hello")) {
      text += chunk.text;
      tokens += (chunk.usage_metadata as { output_tokens?: number } | undefined)?.output_tokens ?? 0;
    }
    expect([text, tokens]).toEqual(["Fédér 羽🪶", 3]);
  });

  test("LangChain calls tools, buffered and streamed", async () => {
    await server.addUpstream({
      message: {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call_a", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } }],
      },
      deltas: [
        { tool_calls: [{ index: 0, id: "call_a", function: { name: "weather", arguments: '{"city":' } }] },
        { tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] },
      ],
      finishReason: "tool_calls",
    });
    const parameters = { type: "object", properties: { city: { type: "string" } } };
    const model = chat(more).bindTools([{ type: "function", function: { name: "weather", parameters } }]);
    const call = { name: "weather", args: { city: "Oslo" }, id: "call_a" };
    expect((await model.invoke("Weather?")).tool_calls).toMatchObject([call]);
    const parts = [];
    for await (const chunk of await model.stream("Weather?")) parts.push(chunk);
    const [first, ...rest] = parts;
    expect(rest.reduce((sum, part) => sum.concat(part), first as NonNullable<typeof first>).tool_calls).toMatchObject([
      call,
    ]);
  });

  test("LangChain throws errors with their status", async () => {
    await expect(chat({ ...more, model: "nobody/nothing" }).invoke("Hi")).rejects.toMatchObject({ status: 404 });
    await expect(chat({ ...more, apiKey: "rc_wrong" }).invoke("Hi")).rejects.toMatchObject({ status: 401 });
  });

  test("LangChain aborts the backend's request when it aborts", async () => {
    const upstream = await server.addUpstream({ delayMs: 30, tokens: Array<string>(10_000).fill("x") });
    const abort = new AbortController();
    const reading = async () => {
      for await (const chunk of await chat(more).stream("Hi", { signal: abort.signal })) if (chunk.text) abort.abort();
    };
    await reading().catch(() => {});
    await waitFor(() => expect([server.api.gateway.units.totalInUse(), upstream.active()]).toEqual([0, 0]));
  });
});

test("LangChain creates embeddings", async () => {
  await server.addUpstream();
  const model = new OpenAIEmbeddings({ model: MODEL, apiKey, configuration: { baseURL: `${server.url}/v1` } });
  expect(await model.embedDocuments(["a", "b"])).toEqual([
    [0, 0.5, -0.25],
    [1, 0.5, -0.25],
  ]);
});
