import { waitFor } from "@feather/testing/wait-for";
import OpenAI, {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from "openai";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../testing/server.ts";

const MODEL = "feather/demo";
let server: TestServer;
let client: OpenAI;

beforeAll(async () => {
  server = await createTestServer();
  client = await clientOf({});
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

async function clientOf(
  plan: Parameters<TestServer["signUpOnPlan"]>[0],
  scopes = ["api.access", "user.read"],
): Promise<OpenAI> {
  const { secret } = await server.createKey(await server.signUpOnPlan(plan), { scopes });
  return new OpenAI({ apiKey: secret, baseURL: `${server.url}/v1`, maxRetries: 0 });
}
const messages = [{ role: "user" as const, content: "Hello" }];

describe("the official OpenAI client", () => {
  test("the official OpenAI client lists models and retrieves one by its encoded id", async () => {
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids.length).toBeGreaterThan(300);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await client.models.retrieve("Qwen/Qwen3-32B")).toMatchObject({
      id: "Qwen/Qwen3-32B",
      object: "model",
      owned_by: "Qwen",
      created: expect.any(Number),
    });
  });

  test("the official OpenAI client gets an answer", async () => {
    await server.addUpstream();
    const answer = await client.chat.completions.create({ model: MODEL, messages });
    expect(answer).toMatchObject({
      model: MODEL,
      choices: [{ message: { role: "assistant", content: "Hello!" } }],
      usage: { total_tokens: 10 },
    });
  });

  test("the official OpenAI client reads a stream to its end, with usage on request", async () => {
    await server.addUpstream({ tokens: ["Fé", "dér", " 羽", "🪶"] });
    const stream = await client.chat.completions.create({
      model: MODEL,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = "";
    let tokens = 0;
    for await (const chunk of stream) {
      expect(chunk.model).toBe(MODEL);
      text += chunk.choices[0]?.delta.content ?? "";
      tokens += chunk.usage?.total_tokens ?? 0;
    }
    expect([text, tokens]).toEqual(["Fédér 羽🪶", 10]);
  });

  test("the official OpenAI client throws when a stream breaks, after the chunks received so far", async () => {
    await server.addUpstream({ fault: { kind: "reset", after: 2 } });
    const stream = await client.chat.completions.create({ model: MODEL, messages, stream: true });
    let text = "";
    const reading = async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
    };
    await expect(reading()).rejects.toMatchObject({ code: "upstream_error" });
    expect(text).toBe("Hello");
  });

  test("the official OpenAI client frees the units when it aborts", async () => {
    const upstream = await server.addUpstream({ delayMs: 30, tokens: Array<string>(10_000).fill("x") });
    const stream = await client.chat.completions.create({ model: MODEL, messages, stream: true });
    for await (const chunk of stream) {
      expect(chunk.id).toMatch(/^chatcmpl-req_/);
      break;
    }
    await waitFor(() => expect([server.api.gateway.units.totalInUse(), upstream.active()]).toEqual([0, 0]));
    const gone = new AbortController();
    const whole = client.chat.completions.create({ model: MODEL, messages }, { signal: gone.signal });
    const refused = expect(whole).rejects.toBeInstanceOf(APIUserAbortError);
    await waitFor(() => expect(upstream.active()).toBe(1));
    gone.abort();
    await refused;
    await waitFor(() => expect([server.api.gateway.units.totalInUse(), upstream.active()]).toEqual([0, 0]));
  });

  test("the official OpenAI client throws the class, code and request id of every error", async () => {
    await server.addUpstream({}, [MODEL, "Qwen/Qwen3-32B"]);
    const create = (by: OpenAI, model = MODEL, more: object = {}) =>
      by.chat.completions.create({ model, messages, ...more });
    const wrong = new OpenAI({ apiKey: "rc_wrong", baseURL: `${server.url}/v1`, maxRetries: 0 });
    const [reader, small, none] = await Promise.all([
      clientOf({}, ["user.read"]),
      clientOf({ max_model_size: 1e9 }),
      clientOf({ daily_request_limit: 0 }),
    ]);
    const cases: [() => Promise<unknown>, abstract new (...args: never[]) => Error, string][] = [
      [() => create(wrong), AuthenticationError, "unauthorized"],
      [() => create(client, "nobody/nothing"), NotFoundError, "model_not_found"],
      [() => create(client, MODEL, { temperature: 9 }), BadRequestError, "invalid_request"],
      [() => create(reader), PermissionDeniedError, "key_scope_denied"],
      [() => create(small, "Qwen/Qwen3-32B"), PermissionDeniedError, "model_not_on_plan"],
      [() => create(none), RateLimitError, "rate_limit_exceeded"],
      [() => create(client, "Qwen/Qwen3-4B"), InternalServerError, "capacity_exhausted"],
    ];
    for (const [call, errorClass, code] of cases) {
      const error: unknown = await call().catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(errorClass);
      expect(error).toMatchObject({
        code,
        message: expect.stringMatching(/\w/),
        error: { request_id: expect.stringMatching(/^req_/) },
      });
    }
  });

  test("the official OpenAI client retries while units are in use, and gets its answer", async () => {
    const mayAnswer = Promise.withResolvers<void>();
    const upstream = await server.addUpstream({ thinkUntil: mayAnswer.promise });
    const statuses: number[] = [];
    const recording: typeof fetch = async (...args) => {
      const response = await fetch(...args);
      statuses.push(response.status);
      return response;
    };
    const retrying = (await clientOf({ concurrency: 1 })).withOptions({ maxRetries: 3, fetch: recording });
    const first = retrying.chat.completions.create({ model: MODEL, messages });
    await waitFor(() => expect(upstream.active()).toBe(1));
    const second = retrying.chat.completions.create({ model: MODEL, messages });
    await Promise.all([second, waitFor(() => expect(statuses).toContain(429)).then(() => mayAnswer.resolve())]);
    expect((await second).choices[0]?.message.content).toBe("Hello!");
    await first;
    expect(upstream.peak()).toBe(1);
  });

  test("the official OpenAI client does not retry errors that cannot be cured by retrying", async () => {
    let calls = 0;
    const counting: typeof fetch = (...args) => {
      calls += 1;
      return fetch(...args);
    };
    const limited = (await clientOf({ max_model_size: 1e9 })).withOptions({ maxRetries: 3, fetch: counting });
    await server.addUpstream({}, ["Qwen/Qwen3-32B"]);
    await expect(limited.chat.completions.create({ model: "Qwen/Qwen3-32B", messages })).rejects.toBeInstanceOf(
      PermissionDeniedError,
    );
    await expect(limited.chat.completions.create({ model: "Qwen/Qwen3-0.6B", messages })).rejects.toBeInstanceOf(
      InternalServerError,
    );
    expect(calls).toBe(2);
  });

  test("the official OpenAI client creates embeddings in base64, its default, and as numbers", async () => {
    const upstream = await server.addUpstream();
    for (const encoding_format of [undefined, "float" as const]) {
      const { data, usage } = await client.embeddings.create({
        model: MODEL,
        input: ["a", "b"],
        ...(encoding_format && { encoding_format }),
      });
      expect(data.map(({ embedding }) => embedding)).toEqual([
        [0, 0.5, -0.25],
        [1, 0.5, -0.25],
      ]);
      expect(usage.prompt_tokens).toBe(4);
    }
    expect(upstream.recordedRequests.map(({ body }) => body.encoding_format)).toEqual(["base64", "float"]);
  });

  test("the official OpenAI client gets the sound of a text", async () => {
    const sound = Buffer.from([0x49, 0x44, 0x33, 0xff]);
    await server.addUpstream({ sound: { parts: [sound], contentType: "audio/mpeg" } });
    const answer = await client.audio.speech.create({ model: MODEL, input: "Hello", voice: "alloy" });
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(sound);
  });

  test("the official OpenAI client writes down speech, as an object, with times of words, and as text", async () => {
    const file = new File(["ID3"], "meeting.mp3");
    const words = [{ word: "Hello", start: 0, end: 0.4 }];
    const rawAnswer = { contentType: "application/json", body: JSON.stringify({ text: "Hello", duration: 1, words }) };
    const upstream = await server.addUpstream({ rawAnswer });
    const call = { model: MODEL, file };
    expect((await client.audio.transcriptions.create(call)).text).toBe("Hello");
    const verbose = { response_format: "verbose_json" as const, timestamp_granularities: ["word" as const] };
    expect((await client.audio.transcriptions.create({ ...call, ...verbose })).words).toEqual(words);
    expect(upstream.recordedRequests[1]?.body["timestamp_granularities[]"]).toEqual(["word"]);
    expect(await client.audio.translations.create({ ...call, response_format: "text" })).toBe("Hello");
  });

  test("the official OpenAI client generates images and classifies texts", async () => {
    const json = (value: object) => ({ rawAnswer: { contentType: "application/json", body: JSON.stringify(value) } });
    await server.addUpstream(json({ created: 1, data: [{ b64_json: "aWNv" }] }));
    expect(await client.images.generate({ model: MODEL, prompt: "A feather" })).toMatchObject({
      data: [{ b64_json: "aWNv" }],
    });
    await server.removeUpstreams();
    const harmless = { flagged: false, categories: { violence: false }, category_scores: { violence: 0.01 } };
    await server.addUpstream(json({ results: [harmless] }));
    expect((await client.moderations.create({ model: MODEL, input: "Hi" })).results).toEqual([harmless]);
  });

  test("the official OpenAI client accumulates a stream into a message with tool calls", async () => {
    await server.addUpstream({
      deltas: [
        { content: "I look." },
        { tool_calls: [{ index: 0, id: "call_a", function: { name: "weather", arguments: '{"city":' } }] },
        { tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] },
      ],
      finishReason: "tool_calls",
    });
    const tools = [{ type: "function" as const, function: { name: "weather", parameters: { type: "object" } } }];
    const stream = client.chat.completions.stream({ model: MODEL, messages, tools });
    const message = await stream.finalMessage();
    expect(message).toMatchObject({
      content: "I look.",
      tool_calls: [{ id: "call_a", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } }],
    });
  });

  test("the official OpenAI client reports a broken stream, both iterated and accumulated", async () => {
    await server.addUpstream({ fault: { kind: "no finish reason" } });
    await expect(client.chat.completions.stream({ model: MODEL, messages }).finalMessage()).rejects.toThrow();
  });

  test("the official OpenAI client gets responses, buffered and streamed", async () => {
    await server.addUpstream();
    const whole = await client.responses.create({ model: MODEL, input: "Hello" });
    expect([whole.output_text, whole.status, whole.usage?.total_tokens]).toEqual(["Hello!", "completed", 10]);
    const stream = client.responses.stream({ model: MODEL, input: "Hello" });
    let text = "";
    stream.on("response.output_text.delta", ({ delta }) => {
      text += delta;
    });
    const response = await stream.finalResponse();
    expect([text, response.output_text, response.status]).toEqual(["Hello!", "Hello!", "completed"]);
  });

  test("the official OpenAI client gets tool calls in responses", async () => {
    await server.addUpstream({
      deltas: [
        { tool_calls: [{ index: 0, id: "call_a", function: { name: "weather", arguments: '{"city":' } }] },
        { tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] },
      ],
      finishReason: "tool_calls",
    });
    const tools = [{ type: "function" as const, name: "weather", parameters: { type: "object" }, strict: false }];
    const response = await client.responses.stream({ model: MODEL, input: "Weather?", tools }).finalResponse();
    expect(response.output).toMatchObject([{ type: "function_call", call_id: "call_a", arguments: '{"city":"Oslo"}' }]);
  });

  test("the official OpenAI client reports a response that failed in mid-stream", async () => {
    await server.addUpstream({ fault: { kind: "reset", after: 2 } });
    const stream = await client.responses.create({ model: MODEL, input: "Hello", stream: true });
    const types: string[] = [];
    const reading = async () => {
      for await (const event of stream) types.push(event.type);
    };
    await reading().catch(() => {});
    expect(types.at(-1)).toBe("response.failed");
  });
});
