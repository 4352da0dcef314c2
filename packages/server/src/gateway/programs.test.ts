import { formatEvent } from "@feather/testing/chat-events";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { errorOf, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";
import type { Program } from "./backends/dialects.ts";

let server: TestServer;
let open: Account;

beforeAll(async () => {
  server = await createTestServer();
  open = await server.signUpOnPlan({});
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

const messages = [{ role: "user", content: "Hi" }];
const add = (program: Program, weight = 1, parameters: string[] = []) =>
  server.addUpstream({}, [MODEL], weight, { program, parameters });

async function call(path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await server.call(`/v1/${path}`, { token: open.token, body: { model: MODEL, ...body }, headers });
  return { ...answer, ignored: answer.headers.get("x-ignored-params") };
}

describe("fields that a program passes over", () => {
  test.each<[Program, string, object, string]>([
    ["ollama", "chat/completions", { messages, n: 2, top_k: 5, logit_bias: { 5: 1 } }, "n, top_k, logit_bias"],
    ["ollama", "chat/completions", { messages, chat_template_kwargs: { style: "short" } }, "chat_template_kwargs"],
    ["ollama", "completions", { prompt: "Hi", echo: true, logprobs: 2 }, "echo, logprobs"],
    ["ollama", "messages", { messages, max_tokens: 5, top_k: 5 }, "top_k"],
    [
      "llama-server",
      "chat/completions",
      { messages, min_tokens: 3, stop_token_ids: [1] },
      "min_tokens, stop_token_ids",
    ],
    ["llama-server", "embeddings", { input: "Hi", dimensions: 8 }, "dimensions"],
  ])(
    "fields that a program passes over are not sent to %s and are named in the header of %s: %j",
    async (program, path, body, named) => {
      const upstream = await add(program);
      for (const stream of path === "embeddings" ? [{}] : [{}, { stream: true }]) {
        const answer = await call(path, { ...body, ...stream });
        expect([answer.status, answer.ignored], answer.text).toEqual([200, named]);
        for (const field of named.split(", ")) expect(upstream.recordedRequests.at(-1)?.body).not.toHaveProperty(field);
      }
      const strict = await call(path, body, { "x-strict-params": "1" });
      expect(strict.status).toBe(400);
      expect(strict.text).toContain(named.split(", ")[0]);
    },
  );

  test("fields that a program passes over are not named where they ask for nothing", async () => {
    await add("ollama");
    const fields = {
      n: 1,
      top_k: -1,
      logit_bias: {},
      stop_token_ids: [],
      chat_template_kwargs: { enable_thinking: true },
    };
    expect(await call("chat/completions", { messages, ...fields })).toMatchObject({ status: 200, ignored: null });
    const tools = [{ type: "function", function: { name: "f", parameters: {} } }];
    const chosen = { tools, tool_choice: "auto", parallel_tool_calls: true };
    expect(await call("chat/completions", { messages, ...chosen })).toMatchObject({ status: 200, ignored: null });
  });

  test("fields that a program passes over are sent where the operator says that the backend takes them", async () => {
    const upstream = await add("ollama", 1, ["top_k"]);
    expect(await call("chat/completions", { messages, top_k: 5 })).toMatchObject({ status: 200, ignored: null });
    expect(upstream.recordedRequests[0]?.body).toMatchObject({ top_k: 5 });
  });

  test("fields that a program passes over are no parameters of a model that only it runs", async () => {
    const read = async () =>
      ((await server.call(`/v1/models/${MODEL}`, { token: open.token })).body as { supported_parameters: string[] })
        .supported_parameters;
    await add("ollama");
    for (const field of ["n", "logit_bias", "top_k"]) expect(await read()).not.toContain(field);
    expect(await read()).toContain("temperature");
    await add("vllm");
    expect(await read()).toContain("n");
  });
});

describe("values that a program has other words for", () => {
  test.each<[Program, object, object]>([
    ["ollama", { reasoning_effort: "minimal" }, { reasoning_effort: "low" }],
    ["ollama", { reasoning_effort: "xhigh" }, { reasoning_effort: "high" }],
    ["ollama", { reasoning_effort: "medium" }, { reasoning_effort: "medium" }],
    ["ollama", { think: false }, { reasoning_effort: "none" }],
    ["ollama", { think: "constructor" }, { reasoning_effort: "constructor" }],
    ["ollama", { chat_template_kwargs: { enable_thinking: false } }, { reasoning_effort: "none" }],
    ["llama-server", { repetition_penalty: 1.2 }, { repeat_penalty: 1.2 }],
    [
      "vllm",
      { reasoning_effort: "minimal", repetition_penalty: 1.2 },
      { reasoning_effort: "minimal", repetition_penalty: 1.2 },
    ],
  ])("values that a program has other words for reach %s in them: %j", async (program, fields, sent) => {
    const upstream = await add(program);
    expect(await call("chat/completions", { messages, ...fields })).toMatchObject({ status: 200, ignored: null });
    expect(upstream.recordedRequests[0]?.body).toMatchObject(sent);
  });

  test("a switch that turns thinking on is not sent to Ollama, whose models think without it", async () => {
    const upstream = await add("ollama");
    expect(await call("chat/completions", { messages, think: true })).toMatchObject({ status: 200, ignored: null });
    expect(Object.keys(upstream.recordedRequests[0]?.body ?? {})).not.toContain("reasoning_effort");
  });
});

describe("prompts in a form that a program does not take", () => {
  test.each<[string, object, string]>([
    ["completions", { prompt: ["a", "b"] }, "prompt"],
    ["completions", { prompt: [1, 2] }, "prompt"],
    ["embeddings", { input: [1, 2] }, "input"],
    ["embeddings", { input: [[1], [2]] }, "input"],
  ])("prompts in a form that Ollama does not take are refused by %s: %j", async (path, body, param) => {
    const upstream = await add("ollama");
    for (let count = 0; count < 4; count++) {
      const answer = await call(path, body);
      expect([answer.status, errorOf(answer.body)]).toMatchObject([400, { code: "unsupported_parameter", param }]);
    }
    expect(upstream.recordedRequests).toHaveLength(0);
    expect(server.api.backends.registry.list()).toMatchObject([{ failures: 0 }]);
  });

  test("prompts in a form that one program does not take go to another", async () => {
    await add("ollama", 100);
    const other = await add("vllm");
    expect((await call("completions", { prompt: ["a", "b"] })).status).toBe(200);
    expect((await call("embeddings", { input: [1, 2] })).status).toBe(200);
    expect(other.recordedRequests).toHaveLength(2);
  });

  test("a single prompt in an array is sent to Ollama as a text", async () => {
    const upstream = await add("ollama");
    expect((await call("completions", { prompt: ["Once"] })).status).toBe(200);
    expect(upstream.recordedRequests[0]?.body).toMatchObject({ prompt: "Once" });
  });

  test("texts in an array are embedded by Ollama", async () => {
    await add("ollama");
    expect((await call("embeddings", { input: ["a", "b"] })).status).toBe(200);
  });
});

describe("fewer answers than asked for", () => {
  const ONE = formatEvent({ choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }] });

  test("fewer answers than asked for are named in streams from the second one on", async () => {
    await server.addUpstream({ rawAnswer: { contentType: "text/event-stream", body: `${ONE}data: [DONE]\n\n` } });
    const named = [];
    for (let count = 0; count < 3; count++)
      named.push((await call("chat/completions", { messages, n: 2, stream: true })).ignored);
    expect(named).toEqual([null, "n", "n"]);
    expect((await call("chat/completions", { messages, stream: true })).ignored).toBeNull();
  });
});
