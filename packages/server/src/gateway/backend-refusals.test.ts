import { createTestClock } from "@feather/testing/clock";
import type { UpstreamScript } from "@feather/testing/fake-upstream";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { errorOf, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let open: Account;

beforeAll(async () => {
  server = await createTestServer({ clock: createTestClock(), env: { FEATHER_COLD_WAIT: "0" } });
  open = await server.signUpOnPlan({});
});
afterEach(async () => {
  await server.removeUpstreams();
  await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
});
afterAll(() => server.close());

const messages = [{ role: "user", content: "Hi" }];
const CALLS = {
  "chat/completions": { messages },
  completions: { prompt: "Hi" },
  embeddings: { input: "Hi" },
  messages: { messages, max_tokens: 5 },
  responses: { input: "Hi" },
  tokenize: { text: "Hi" },
} as const;
type Path = keyof typeof CALLS;

const call = (path: Path, more: object = {}) =>
  server.call(`/v1/${path}`, { token: open.token, body: { model: MODEL, ...CALLS[path], ...more } });
const refuse = (status: number, body: unknown): UpstreamScript => ({ fault: { kind: "refuse", status, body } });
const say = (message: string, type = "invalid_request_error") => ({ error: { message, type } });

describe("a call that a backend does not answer", () => {
  test.each<[Path, string, number, unknown, string]>([
    ["embeddings", "llama-server without --embeddings", 501, say("not here", "not_supported_error"), "no embeddings"],
    ["embeddings", "llama-server without pooling", 400, say("Pooling type 'none' is not OAI compatible."), "no embed"],
    ["embeddings", "an Ollama that fails", 500, { error: "This server does not support embeddings." }, "no embeddings"],
    ["embeddings", "SGLang", 400, say("This model does not appear to be an embedding model by default."), "no embed"],
    ["embeddings", "vLLM without the path", 404, { detail: "Not Found" }, "no embeddings"],
    ["embeddings", "a server without the method", 405, { detail: "Method Not Allowed" }, "no embeddings"],
    ["chat/completions", "llama-server with --embeddings", 501, say("no", "not_supported_error"), "no chat"],
    ["chat/completions", "vLLM", 400, say("The model does not support Chat Completions API"), "no chat"],
    ["chat/completions", "Ollama", 400, say('"up:nomic" does not support chat'), "no chat"],
    ["messages", "llama-server without the path", 404, say("File Not Found", "not_found_error"), "no chat"],
    ["responses", "Ollama", 400, say('"up:nomic" does not support chat'), "no chat"],
    ["completions", "Ollama", 400, say('"up:nomic" does not support generate'), "no text completions"],
    ["completions", "vLLM", 400, say("The model does not support Completions API"), "no text completions"],
    ["tokenize", "a proxy in front of vLLM", 404, { detail: "Not Found" }, "cannot split texts into tokens"],
  ])(
    "a call of %s that %s does not answer is refused, and counts as no failure",
    async (path, _who, status, body, says) => {
      const upstream = await server.addUpstream(refuse(status, body), [MODEL], 1, { program: "vllm" });
      for (let count = 1; count <= 4; count++) {
        const answer = await call(path, { stream: count === 4 && "messages" in CALLS[path] });
        expect([answer.status, errorOf(answer.body).message], answer.text).toEqual([
          400,
          expect.stringContaining(says),
        ]);
        expect(answer.text).not.toContain("nomic");
        expect(upstream.recordedRequests).toHaveLength(count);
      }
      expect(server.api.backends.registry.list()).toMatchObject([{ failures: 0, lastError: null }]);
      expect(server.api.backends.registry.availability(MODEL).tier).toBe("warm");
    },
  );

  test("a call that a backend does not answer goes to another, from then on at once", async () => {
    const without = await server.addUpstream(refuse(501, say("no", "not_supported_error")), [MODEL], 100);
    const other = await server.addUpstream({}, [MODEL], 1);
    for (let count = 1; count <= 3; count++) expect((await call("embeddings")).status).toBe(200);
    expect([without.recordedRequests.length, other.recordedRequests.length]).toEqual([1, 3]);
    without.scripts.set(`up:${MODEL}`, {});
    expect((await call("chat/completions")).status).toBe(200);
    expect(without.recordedRequests).toHaveLength(2);
  });

  test("a call that one backend does not answer and another fails to may be sent again", async () => {
    await server.addUpstream(refuse(500, {}), [MODEL], 100);
    await server.addUpstream(refuse(404, { detail: "Not Found" }), [MODEL], 1);
    expect((await call("embeddings")).status).toBe(502);
  });

  test("a count of tokens that one backend does not answer is taken from another", async () => {
    await server.addUpstream(refuse(404, { detail: "Not Found" }), [MODEL], 100, { program: "vllm" });
    await server.addUpstream({ tokenIds: [5] }, [MODEL], 1, { program: "vllm" });
    expect((await call("tokenize")).body).toEqual({ tokens: [5] });
  });

  test("a backend that lacks the model is a failure, unlike one that does not answer such calls", async () => {
    await server.addUpstream(refuse(404, say("model 'x' not found", "not_found_error")));
    expect((await call("chat/completions")).status).toBe(502);
    expect(server.api.backends.registry.list()).toMatchObject([{ failures: 1 }]);
  });
});

describe("a model that a backend is still loading", () => {
  const LOADING = refuse(503, { error: { code: 503, message: "Loading model", type: "unavailable_error" } });

  test.each<[Path, boolean]>([
    ["chat/completions", false],
    ["chat/completions", true],
    ["embeddings", false],
    ["tokenize", false],
  ])("a model that a backend is still loading is reported as such by %s (stream: %s)", async (path, stream) => {
    await server.addUpstream(LOADING, [MODEL], 1, { program: "llama-server" });
    for (let count = 0; count < 4; count++) {
      const answer = await call(path, stream ? { stream } : {});
      expect([answer.status, errorOf(answer.body).code]).toEqual([503, "model_loading"]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(server.api.backends.registry.list()).toMatchObject([{ failures: 0 }]);
  });

  test("a model that a backend is still loading answers from another backend", async () => {
    await server.addUpstream(LOADING, [MODEL], 100);
    await server.addUpstream({}, [MODEL], 1);
    expect((await call("chat/completions")).status).toBe(200);
  });

  test("a model that a backend is still loading is waited for as long as the caller wants", async () => {
    const upstream = await server.addUpstream(LOADING);
    const answered = server.call("/v1/chat/completions", {
      token: open.token,
      body: { model: MODEL, messages },
      headers: { "x-wait-for-model": "60" }, // longer than this test may take
    });
    await waitFor(() => expect(upstream.recordedRequests).toHaveLength(1));
    upstream.scripts.set(`up:${MODEL}`, {});
    expect((await answered).status).toBe(200);
  });

  test("a backend that is at its limit is not loading", async () => {
    await server.addUpstream(refuse(503, say("the server is busy")));
    expect(errorOf((await call("chat/completions")).body).code).toBe("capacity_exhausted");
  });
});

describe("the field that a backend refuses", () => {
  const EFFORT = say('"up:smol" does not support thinking');
  const VALUE = say("invalid reasoning value: 'minimal' (must be high, medium, low, or none)");
  const MODEL_EFFORT = say('think value "low" is not supported for this model');
  const LONG = say("the input exceeds the context length");
  test.each<[string, Path, object, unknown, string | undefined]>([
    ["the effort of reasoning", "chat/completions", { reasoning_effort: "low" }, EFFORT, "reasoning_effort"],
    ["a value of the effort", "chat/completions", { reasoning_effort: "minimal" }, VALUE, "reasoning_effort"],
    [
      "an effort that only other models take",
      "chat/completions",
      { reasoning_effort: "low" },
      MODEL_EFFORT,
      "reasoning_effort",
    ],
    ["the effort of reasoning", "responses", { reasoning: { effort: "low" } }, EFFORT, "reasoning.effort"],
    ["the effort of reasoning", "messages", { output_config: { effort: "low" } }, EFFORT, "output_config.effort"],
    ["thinking", "messages", { thinking: { type: "enabled", budget_tokens: 1024 } }, EFFORT, "thinking"],
    ["a long prompt", "chat/completions", {}, LONG, "messages"],
    ["a long prompt", "completions", {}, LONG, "prompt"],
    ["a long prompt", "responses", {}, LONG, "input"],
    ["a long text", "embeddings", {}, LONG, "input"],
    ["the form of the answer", "responses", {}, say("bad grammar"), "text.format"],
    ["several answers", "completions", { n: 2 }, say("Only one completion choice is allowed"), "n"],
    ["echo", "completions", { echo: true }, say("Only no echo is supported"), "echo"],
    ["a suffix", "completions", { suffix: "." }, say("Unsupported param: suffix"), "suffix"],
    ["dimensions", "embeddings", { dimensions: 8 }, say("x does not support matryoshka representation"), "dimensions"],
    [
      "a type of Go",
      "completions",
      {},
      say("json: cannot unmarshal array into Go struct field CompletionRequest.prompt of type string"),
      "prompt",
    ],
  ])("the field that a backend refuses for %s is named in %s", async (_what, path, more, body, param) => {
    await server.addUpstream(refuse(400, body));
    const answer = await call(path, more);
    expect(answer.status).toBe(400);
    if (path === "messages") expect(answer.text).toContain("cannot be chosen with");
    else expect(errorOf(answer.body)).toMatchObject({ param });
    expect(answer.text).not.toContain("smol");
  });
});
