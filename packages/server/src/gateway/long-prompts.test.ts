import { parseEvents } from "@feather/testing/chat-events";
import type { UpstreamScript } from "@feather/testing/fake-upstream";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { errorOf, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";
import type { Program } from "./backends/dialects.ts";

const CONTEXT = 256;
let server: TestServer;
let open: Account;

beforeAll(async () => {
  server = await createTestServer();
  open = await server.signUpOnPlan({});
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

const words = (count: number) => "word ".repeat(count);
const say = (...texts: string[]) => texts.map((content) => ({ role: "user", content }));
const call = (path: string, body: object) =>
  server.call(`/v1/${path}`, { token: open.token, body: { model: MODEL, ...body } });
const add = (script: UpstreamScript, program: Program = "ollama", context = CONTEXT, weight = 1) =>
  server.addUpstream(script, [MODEL], weight, { program, contextLengths: new Map([[MODEL, context]]) });
/** Returns the script of a backend that reports this number of prompt tokens. */
const read = (prompt_tokens: number): UpstreamScript => ({ usage: { prompt_tokens, completion_tokens: 3 } });

describe("a prompt that does not fit the context of a backend", () => {
  test.each<[string, object, string]>([
    ["chat/completions", { messages: say(words(300)) }, "messages"],
    ["completions", { prompt: words(300) }, "prompt"],
    ["embeddings", { input: words(300) }, "input"],
    ["responses", { input: words(300) }, "input"],
  ])(
    "a prompt that does not fit the context of a backend is refused by %s before it is sent",
    async (path, body, param) => {
      const upstream = await add({}, "llama-server");
      const answer = await call(path, body);
      expect([answer.status, errorOf(answer.body)]).toMatchObject([
        400,
        { code: "context_length_exceeded", param, details: { max: CONTEXT, got: 300 } },
      ]);
      expect(upstream.recordedRequests).toHaveLength(0);
    },
  );

  test("a prompt that does not fit the context of a backend goes to one with a longer context", async () => {
    const short = await add({}, "ollama", CONTEXT, 100);
    const long = await add(read(310), "ollama", 4_096);
    expect((await call("chat/completions", { messages: say(words(300)) })).status).toBe(200);
    expect([short.recordedRequests.length, long.recordedRequests.length]).toEqual([0, 1]);
  });
});

describe("a prompt that Ollama cut", () => {
  const TOO_LONG = { code: "context_length_exceeded", message: expect.stringMatching(/cut to \d+ tokens/) };
  // The words are fewer than the context, so that only the count of the answer tells.
  const ONE = { messages: say(words(200)) };
  const SEVERAL = { messages: say(words(100), words(100)) };

  test.each<[string, string, object, number]>([
    ["one text, to the context", "chat/completions", ONE, CONTEXT],
    ["the oldest message", "chat/completions", SEVERAL, 120],
    ["a prompt", "completions", { prompt: words(200) }, CONTEXT],
    ["a text", "embeddings", { input: words(200) }, CONTEXT],
    ["texts", "embeddings", { input: [words(100), words(100)] }, 120],
    ["a message", "responses", { input: words(200) }, CONTEXT],
  ])("a prompt that Ollama cut (%s) is refused by %s, and not charged", async (_what, path, body, counted) => {
    await add(read(counted));
    const answer = await call(path, body);
    expect([answer.status, errorOf(answer.body)], answer.text).toMatchObject([400, TOO_LONG]);
    expect(await server.usageRow(answer.headers.get("request-id"))).toMatchObject({
      outcome: "failed",
      error_code: "context_length_exceeded",
      completion_tokens: 0,
    });
    expect(server.api.backends.registry.list()).toMatchObject([{ failures: 0 }]);
  });

  test("a prompt that Ollama cut is answered by another backend", async () => {
    await add(read(CONTEXT), "ollama", CONTEXT, 100);
    await add(read(210), "ollama", 4_096);
    expect((await call("chat/completions", ONE)).status).toBe(200);
  });

  test("a prompt that Ollama cut ends a stream with an error, without the end of an answer", async () => {
    const mayEnd = Promise.withResolvers<void>();
    await add({ ...read(CONTEXT), tokens: ["Hel", "lo"], pauseUntil: mayEnd.promise });
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${open.token}`, "content-type": "application/json" },
      body: JSON.stringify({ model: MODEL, ...ONE, stream: true }),
    });
    let text = "";
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      if (text.includes('"Hel"')) mayEnd.resolve();
    }
    expect(response.status).toBe(200);
    expect(errorOf(JSON.parse(parseEvents(text).at(-1) ?? ""))).toMatchObject(TOO_LONG);
    expect(text).not.toMatch(/"finish_reason":"stop"|\[DONE\]/);
    const row = await server.usageRow(response.headers.get("request-id"));
    expect(row).toMatchObject({ outcome: "failed", error_code: "context_length_exceeded" });
    expect(server.api.backends.registry.list()).toMatchObject([{ failures: 0 }]);
  });

  test.each<[string, object, UpstreamScript, Program]>([
    ["fits", ONE, read(210), "ollama"],
    ["fits a context that has grown since", ONE, read(CONTEXT + 1), "ollama"],
    ["fits, of which the template leaves out earlier thoughts", thoughts(), read(20), "ollama"],
    ["nobody counted", ONE, { usage: null }, "ollama"],
    ["another program read, which refuses what it cannot read", ONE, read(CONTEXT), "vllm"],
  ])("a prompt that %s is answered, streamed or not", async (_what, body, script, program) => {
    await add(script, program);
    for (const stream of [false, true]) {
      const answer = await call("chat/completions", { ...body, stream });
      expect(answer.status, answer.text).toBe(200);
      if (stream) expect(answer.text).toContain("[DONE]");
    }
  });

  function thoughts() {
    const [question = {}, more = {}] = say("Why?", "And then?");
    return { messages: [question, { role: "assistant", content: `<think>${words(150)}</think>So.` }, more] };
  }
});
