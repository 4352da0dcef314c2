import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, errorOf, LARGE_MODEL, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let open: Account;
let contextOfModel = 0;

beforeAll(async () => {
  server = await createTestServer();
  open = await server.signUpOnPlan({});
  const model = await server.api.catalogue.callableModels.find(LARGE_MODEL, open.organizationId);
  contextOfModel = model.contextLength ?? 0;
  await server.db.updateTable("models").set({ max_completion_tokens: 1_000 }).where("id", "=", LARGE_MODEL).execute();
  server.api.catalogue.callableModels.invalidate();
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

type Options = { token?: string; headers?: Record<string, string> };
const chat = (more: object, options: Options = {}) =>
  server.call("/v1/chat/completions", {
    token: open.token,
    body: createChatRequest({ model: LARGE_MODEL, ...more }),
    ...options,
  });

async function sentWith(more: object, options: Options = {}): Promise<Record<string, unknown>> {
  const upstream = await server.addUpstream({}, [LARGE_MODEL, MODEL]);
  const { status, text } = await chat(more, options);
  expect([status, text.slice(0, 300)]).toEqual([200, expect.any(String)]);
  return upstream.recordedRequests[0]?.body ?? {};
}

describe("the request to a backend", () => {
  test.each([
    ["max_tokens below the model's limit", { max_tokens: 500 }, 500],
    ["max_tokens above it", { max_tokens: 5_000_000 }, 1_000],
    ["max_completion_tokens", { max_completion_tokens: 400 }, 400],
    ["both", { max_tokens: 900, max_completion_tokens: 300 }, 300],
    ["neither", {}, undefined],
    ["null", { max_tokens: null }, undefined],
  ])(
    "the request to a backend with %s has a max_tokens within the model's limits",
    async (_what, requested, expected) => {
      const sent = await sentWith(requested);
      expect([sent.max_tokens, sent.max_completion_tokens]).toEqual([expected, undefined]);
    },
  );

  test("the request to a backend leaves room for the prompt when the context is short", async () => {
    const { token } = await server.signUpOnPlan({ max_context_length: 1_000 });
    const content = "word ".repeat(400);
    const sent = await sentWith({ messages: [{ role: "user", content }], max_tokens: 999 }, { token });
    expect(sent.max_tokens).toBe(1_000 - 500);
    await server.removeUpstreams();
    expect((await sentWith({ messages: [{ role: "user", content }] }, { token })).max_tokens).toBe(500);
  });

  test.each<[string, (number | null)[], number]>([
    ["the context of the backend", [1_000], 500],
    ["the longest context of its backends", [600, 1_000], 500],
    ["the context of the catalogue if one of the backends does not say its own", [600, null], 999],
    ["the context of the catalogue if that is the shorter one", [1_000_000], 999],
  ])("the request to a backend leaves room for the prompt in %s", async (_what, contexts, expected) => {
    const upstreams = await Promise.all(
      contexts.map((context) => {
        const contextLengths = new Map(context === null ? [] : [[LARGE_MODEL, context]]);
        return server.addUpstream({}, [LARGE_MODEL], 1, { contextLengths });
      }),
    );
    const content = "word ".repeat(400);
    const { status, text } = await chat({ messages: [{ role: "user", content }], max_tokens: 999 });
    expect([status, text.slice(0, 300)]).toEqual([200, expect.any(String)]);
    const sent = upstreams.flatMap(({ recordedRequests }) => recordedRequests.map(({ body }) => body.max_tokens));
    expect(sent).toEqual([expected]);
  });

  test("the request to a backend renames the developer role to system", async () => {
    const messages = [
      { role: "developer", content: "Be brief." },
      { role: "user", content: "Hi" },
    ];
    expect((await sentWith({ messages })).messages).toEqual([{ role: "system", content: "Be brief." }, messages[1]]);
  });

  test.each([
    [{ enable_thinking: true }, { enable_thinking: true, thinking: true }],
    [{ thinking: false }, { enable_thinking: false, thinking: false }],
    [
      { do_reasoning: true, enable_thinking: false },
      { enable_thinking: false, thinking: false },
    ],
    [
      { do_reasoning: true, other: 1 },
      { enable_thinking: true, thinking: true, other: 1 },
    ],
    [{ other: 1 }, { other: 1 }],
  ])("the request to a backend sets every name of the thinking switch: %j", async (given, sent) => {
    expect((await sentWith({ chat_template_kwargs: given })).chat_template_kwargs).toEqual(sent);
  });

  test("the request to a backend contains every documented field", async () => {
    const fields = {
      temperature: 0.5,
      top_p: 0.9,
      top_k: 4,
      min_p: 0.1,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      repetition_penalty: 1.1,
      seed: 7,
      stop: ["END"],
      stop_token_ids: [2],
      include_stop_str_in_output: true,
      min_tokens: 1,
      n: 2,
      logprobs: true,
      top_logprobs: 3,
      logit_bias: { "5": -1 },
      user: "u",
      tools: [{ type: "function", function: { name: "f", parameters: { type: "object" } } }],
      tool_choice: "auto",
      parallel_tool_calls: false,
      response_format: { type: "json_schema", json_schema: { name: "x", schema: { type: "object" } } },
      reasoning_effort: "low",
      metadata: { a: "b" },
    };
    expect(await sentWith(fields)).toMatchObject(fields);
  });
});

describe("fields that only some backends accept", () => {
  test("fields that only some backends accept are sent where accepted, and otherwise dropped and listed", async () => {
    const plain = await server.addUpstream({}, [LARGE_MODEL]);
    const left = await chat({ guided_regex: "a+", made_up: { x: 1 } });
    expect([left.status, left.headers.get("x-ignored-params")]).toEqual([200, "guided_regex, made_up"]);
    expect(Object.keys(plain.recordedRequests[0]?.body ?? {})).not.toEqual(expect.arrayContaining(["made_up"]));
    await server.removeUpstreams();

    const able = await server.addUpstream({}, [LARGE_MODEL], 1, { program: "vllm", parameters: ["made_up"] });
    const whole = await chat({ guided_regex: "a+", made_up: { x: 1 } });
    expect([whole.status, whole.headers.get("x-ignored-params")]).toEqual([200, null]);
    expect(able.recordedRequests[0]?.body).toMatchObject({ guided_regex: "a+", made_up: { x: 1 } });
  });

  test("fields that only some backends accept are listed for streams", async () => {
    await server.addUpstream({}, [LARGE_MODEL]);
    expect((await chat({ stream: true, made_up: 1 })).headers.get("x-ignored-params")).toBe("made_up");
  });

  test("fields that only some backends accept are only those that the contract does not describe, also for the built-in engine", async () => {
    const described = {
      chat_template_kwargs: { enable_thinking: false, thinking: false },
      min_tokens: 1,
      reasoning_effort: "low",
      stop_token_ids: [2],
    };
    const engine = await server.addUpstream({}, [LARGE_MODEL], 1, { program: "engine" });
    const answer = await chat(described, { headers: { "x-strict-params": "1" } });
    expect([answer.status, answer.headers.get("x-ignored-params")]).toEqual([200, null]);
    expect(engine.recordedRequests[0]?.body).toMatchObject(described);
    expect((await chat({ mirostat: 2 })).headers.get("x-ignored-params")).toBe("mirostat");
    const refused = await chat({ mirostat: 2 }, { headers: { "x-strict-params": "1" } });
    expect([refused.status, errorOf(refused.body)]).toMatchObject([
      400,
      { code: "unsupported_parameter", param: "mirostat" },
    ]);
  });

  test.each([false, true])(
    "fields that only some backends accept are listed with those that an engine of ours names, streamed: %s",
    async (stream) => {
      const named = "reasoning_effort, tools[0].function.parameters.properties.a%20b.not";
      const script = { headers: { "x-ignored-params": `${named}, <b>` } };
      await server.addUpstream(script, [LARGE_MODEL], 1, { source: "engine" });
      const answer = await chat({ stream, mirostat: 2 });
      expect([answer.status, answer.headers.get("x-ignored-params")]).toEqual([200, `mirostat, ${named}`]);
      await server.removeUpstreams();
      await server.addUpstream(script, [LARGE_MODEL]);
      expect((await chat({ stream })).headers.get("x-ignored-params")).toBeNull();
    },
  );

  test("fields that only some backends accept are left to an engine of ours to refuse, as far as only it knows them", async () => {
    const headers = { "x-strict-params": "1" };
    const engine = await server.addUpstream({}, [LARGE_MODEL], 1, { source: "engine" });
    await chat({}, { headers });
    await chat({});
    expect(engine.recordedRequests.map((request) => request.headers["x-strict-params"])).toEqual(["1", undefined]);
    await server.removeUpstreams();
    const other = await server.addUpstream({}, [LARGE_MODEL]);
    await chat({}, { headers });
    expect(other.recordedRequests.map((request) => request.headers["x-strict-params"])).toEqual([undefined]);
  });

  test("fields that only some backends accept are refused on request unless one backend accepts them all", async () => {
    const headers = { "x-strict-params": "1" };
    const plain = await server.addUpstream({}, [LARGE_MODEL], 10);
    const refused = await chat({ made_up: 1 }, { headers });
    expect([refused.status, errorOf(refused.body)]).toMatchObject([
      400,
      { code: "unsupported_parameter", param: "made_up" },
    ]);
    const able = await server.addUpstream({}, [LARGE_MODEL], 1, { parameters: ["made_up"] });
    expect((await chat({ made_up: 1 }, { headers })).status).toBe(200);
    expect([plain.recordedRequests.length, able.recordedRequests.length]).toEqual([0, 1]);
  });
});

describe("fields that bypass the counting of units", () => {
  const fields = { best_of: 8, prompt_logprobs: 5, use_beam_search: true };

  test("fields that bypass the counting of units are never sent, even if the operator lists them", async () => {
    const upstream = await server.addUpstream({}, [LARGE_MODEL], 1, {
      program: "vllm",
      parameters: Object.keys(fields),
    });
    const answer = await chat(fields);
    expect([answer.status, answer.headers.get("x-ignored-params")]).toEqual([200, Object.keys(fields).join(", ")]);
    expect(Object.keys(upstream.recordedRequests[0]?.body ?? {})).toEqual(
      expect.not.arrayContaining(Object.keys(fields)),
    );
  });
});

describe("the priority of calls that wait at a backend", () => {
  const prioritiesOf = async (account: string, spec: AddedSpec, more: object = {}) => {
    const upstream = await server.addUpstream({}, [LARGE_MODEL], 1, spec);
    expect((await chat(more, { token: account })).status).toBe(200);
    const [sent] = upstream.recordedRequests;
    await server.removeUpstreams();
    return sent?.body.priority;
  };
  type AddedSpec = Parameters<TestServer["addUpstream"]>[3];

  test.each<[string, AddedSpec]>([
    ["the server's own engine", { source: "deployment", program: "engine" }],
    ["a vLLM that the server runs", { source: "deployment", program: "vllm" }],
    ["an SGLang that the server runs", { source: "deployment", program: "sglang" }],
    ["a vLLM whose operator says that it takes priorities", { program: "vllm", parameters: ["priority"] }],
  ])("%s gets that of the caller's key and plan, whatever the caller writes", async (_what, spec) => {
    const { secret: key } = await server.createKey(open, { priority: "batch" });
    const onBatchPlan = await server.signUpOnPlan({ priority: "batch" });
    const tokens = [open.token, key, onBatchPlan.token];
    const sent: unknown[] = [];
    for (const token of tokens) sent.push(await prioritiesOf(token, spec, { priority: -5 }));
    expect(sent).toEqual([0, 1, 1]);
  });

  test.each<[string, AddedSpec]>([
    ["a vLLM that others run, which may refuse it", { program: "vllm" }],
    ["a llama-server, which has none", { source: "deployment", program: "llama-server" }],
    ["any other server", {}],
  ])("%s gets none", async (_what, spec) => {
    const { secret } = await server.createKey(open, { priority: "batch" });
    expect(await prioritiesOf(secret, spec, { priority: -5 })).toBeUndefined();
  });
});

describe("a prompt that cannot fit", () => {
  const words = (count: number) => [{ role: "user", content: "word ".repeat(count) }];

  test("a prompt longer than the model's context is refused before any backend is called", async () => {
    const upstream = await server.addUpstream({}, [LARGE_MODEL]);
    const answer = await chat({ messages: words(contextOfModel + 10) });
    expect([answer.status, errorOf(answer.body)]).toMatchObject([
      400,
      {
        code: "context_length_exceeded",
        param: "messages",
        details: { max: contextOfModel, got: contextOfModel + 10 },
      },
    ]);
    expect(upstream.recordedRequests).toHaveLength(0);
  });

  test("a prompt longer than the plan's context is refused with the plan's limit", async () => {
    await server.addUpstream({}, [LARGE_MODEL]);
    const { token } = await server.signUpOnPlan({ max_context_length: 100 });
    const answer = await chat({ messages: words(200) }, { token });
    expect([answer.status, answer.headers.get("x-should-retry"), errorOf(answer.body).code]).toEqual([
      403,
      "false",
      "plan_context_exceeded",
    ]);
  });

  test("a prompt that cannot fit is sent to the backend as long as it may fit", async () => {
    await server.addUpstream({}, [LARGE_MODEL]);
    expect((await chat({ messages: words(contextOfModel - 10) })).status).toBe(200);
  });
});

describe("embeddings", () => {
  const embed = (body: object) =>
    server.call("/v1/embeddings", { token: open.token, body: { model: MODEL, input: "a", ...body } });
  const floats = (base64: string) => {
    const bytes = Buffer.from(base64, "base64");
    return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
  };

  test("embeddings are returned as numbers, one vector per text, and metered", async () => {
    const upstream = await server.addUpstream();
    const answer = await embed({ input: ["a", "b"], dimensions: 3 });
    expect(answer.body).toEqual({
      object: "list",
      model: MODEL,
      data: [
        { object: "embedding", index: 0, embedding: [0, 0.5, -0.25] },
        { object: "embedding", index: 1, embedding: [1, 0.5, -0.25] },
      ],
      usage: { prompt_tokens: 4, total_tokens: 4 },
    });
    expect(upstream.recordedRequests[0]).toMatchObject({
      path: "/v1/embeddings",
      body: { model: `up:${MODEL}`, dimensions: 3 },
    });
    expect(await server.usageRow(answer.headers.get("request-id"))).toMatchObject({
      kind: "embedding",
      prompt_tokens: 4,
      completion_tokens: 0,
      estimated: false,
      outcome: "completed",
    });
  });

  test("embeddings of a batch with too many tokens are refused", async () => {
    const upstream = await server.addUpstream();
    const answer = await embed({ input: Array.from({ length: 2_048 }, () => "word ".repeat(200)) });
    expect([answer.status, errorOf(answer.body)]).toMatchObject([400, { param: "input", details: { max: 300_000 } }]);
    expect(upstream.recordedRequests).toHaveLength(0);
  });

  test("embeddings of a batch hold units for each text, or all units of the plan where it has fewer", async () => {
    const mayAnswer = Promise.withResolvers<void>();
    const upstream = await server.addUpstream({
      reply: ({ input }) => (Array.isArray(input) && input.length === 5 ? { thinkUntil: mayAnswer.promise } : {}),
    });
    const { token } = await server.signUpOnPlan({ concurrency: 3 });
    const send = (input: unknown) => server.call("/v1/embeddings", { token, body: { model: MODEL, input } });
    expect((await send([[1, 2], [3]])).headers.get("x-concurrency-cost")).toBe("2");
    expect((await send([1, 2, 3])).headers.get("x-concurrency-cost")).toBe("1");
    const five = send(["a", "b", "c", "d", "e"]);
    await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(3));
    expect((await send("f")).status).toBe(429);
    mayAnswer.resolve();
    const answer = await five;
    expect(upstream.recordedRequests.slice(2).map(({ body }) => body.input)).toEqual([["a", "b", "c", "d", "e"]]);
    const { data } = answer.body as { data: { index: number }[] };
    expect(data.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    expect(await server.usageRow(answer.headers.get("request-id"))).toMatchObject({ units: 3 });
  });

  test("embeddings of a batch hold no more units than the API key has", async () => {
    const upstream = await server.addUpstream();
    const { secret: token } = await server.createKey(open, { max_concurrency: 1 });
    const answer = await server.call("/v1/embeddings", { token, body: { model: MODEL, input: ["a", "b"] } });
    expect([answer.status, answer.headers.get("x-concurrency-cost")]).toEqual([200, "1"]);
    expect(upstream.recordedRequests.map(({ body }) => body.input)).toEqual([["a", "b"]]);
  });

  test("embeddings are converted to base64 on request", async () => {
    await server.addUpstream();
    const { body } = await embed({ encoding_format: "base64" });
    const [first] = (body as { data: { embedding: string }[] }).data;
    expect(floats(first?.embedding ?? "")).toEqual([0, 0.5, -0.25]);
  });

  test("embeddings have estimated usage when the backend reports none", async () => {
    await server.addUpstream({ usage: null });
    const answer = await embed({ input: "four words of text" });
    expect(answer.body).toMatchObject({ usage: { prompt_tokens: 5 } });
    expect(await server.usageRow(answer.headers.get("request-id"))).toMatchObject({
      estimated: true,
      prompt_tokens: 5,
    });
  });

  test.each([[[1, 2, 3]], [[[1, 2], [3]]], ["text"], [["a", "b"]]])("embeddings accept the input %j", async (input) => {
    const upstream = await server.addUpstream();
    expect((await embed({ input })).status).toBe(200);
    expect(upstream.recordedRequests[0]?.body.input).toEqual(input);
  });

  test.each([[""], [[]], [[""]], [5], [null], [["a", 1]], [[[]]]])("embeddings reject the input %j", async (input) => {
    await server.addUpstream();
    expect((await embed({ input })).status).toBe(400);
  });

  test.each<[string, (number | null | undefined)[], number[] | null]>([
    ["in another order are returned by their indexes", [1, 0], [1, 0]],
    ["without indexes are returned in their order", [undefined, null], [0, 1]],
    ["of the same index return 502", [0, 0], null],
    ["of an index that no text has return 502", [0, 2], null],
    ["of which one lacks its index return 502", [0, undefined], null],
  ])("embeddings %s", async (_what, indexes, order) => {
    const data = indexes.map((index, at) => ({ object: "embedding", index, embedding: [at] }));
    const body = JSON.stringify({ object: "list", data, usage: { prompt_tokens: 4, total_tokens: 4 } });
    await server.addUpstream({ rawAnswer: { contentType: "application/json", body } });
    const answer = await embed({ input: ["a", "b"] });
    expect(answer.status).toBe(order === null ? 502 : 200);
    if (order === null) return;
    const vectors = order.map((at, index) => ({ object: "embedding", index, embedding: [at] }));
    expect(answer.body).toMatchObject({ data: vectors });
  });

  test.each([
    ["are invalid", [["x"] as unknown as number[], [0.5]]],
    ["are fewer than the texts", [[0.5]]],
  ])("embeddings that %s return 502", async (_what, vectors) => {
    await server.addUpstream({ vectors });
    const answer = await embed({ input: ["a", "b"] });
    expect([answer.status, errorOf(answer.body).code]).toEqual([502, "upstream_error"]);
  });
});

describe("tokenize", () => {
  const tokenize = (body: object, token = open.token) =>
    server.call("/v1/tokenize", { token, body: { model: MODEL, text: "Hi", ...body } });

  test.each([
    ["vllm", "/tokenize", { model: `up:${MODEL}`, prompt: "Hi", add_special_tokens: false }],
    ["llama-server", "/tokenize", { content: "Hi", parse_special: false }],
    ["engine", "/v1/tokenize", { text: "Hi" }],
  ] as const)("tokenize requests tokens from %s in its own format", async (program, path, body) => {
    const upstream = await server.addUpstream({ tokenIds: [101, 7] }, [MODEL], 1, { program });
    expect((await tokenize({})).body).toEqual({ tokens: [101, 7] });
    expect(upstream.recordedRequests[0]).toMatchObject({ path, body });
    expect(server.api.gateway.units.totalInUse()).toBe(0);
  });

  test("tokenize returns 400 when no backend has a tokenizer", async () => {
    await server.addUpstream({}, [MODEL], 1, { program: "ollama" });
    const answer = await tokenize({});
    expect([answer.status, errorOf(answer.body)]).toMatchObject([
      400,
      { code: "unsupported_parameter", param: "model" },
    ]);
  });

  test("tokenize is refused for the same reasons as a call", async () => {
    expect(errorOf((await tokenize({})).body).code).toBe("capacity_exhausted");
    expect((await tokenize({ model: "nobody/nothing" })).status).toBe(404);
    expect((await tokenize({ text: 5 })).status).toBe(400);
    const { secret } = await server.createKey(open, { allowed_models: [LARGE_MODEL] });
    expect(errorOf((await tokenize({}, secret)).body).code).toBe("key_scope_denied");
    await server.addUpstream({ fault: { kind: "refuse", status: 500 } }, [MODEL], 1, { program: "vllm" });
    expect((await tokenize({})).status).toBe(502);
  });
});
