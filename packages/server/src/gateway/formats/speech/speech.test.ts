import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { errorOf, MODEL } from "../../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../../testing/server.ts";

let server: TestServer;
let caller: Account;

beforeAll(async () => {
  server = await createTestServer({
    env: { FEATHER_FIRST_BYTE_TIMEOUT: "2", FEATHER_STREAM_IDLE_TIMEOUT: "2", FEATHER_STALLED_TIMEOUT: "1" },
  });
  caller = await server.signUpOnPlan({});
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

const PARTS = [Buffer.from([0x49, 0x44, 0x33, 0xff]), Buffer.from([0xfe, 0, 0x80])];
const SOUND = { parts: PARTS, contentType: "audio/mpeg" };
const BYTES = Buffer.concat(PARTS);
const toCall = (body: object, token = caller.token) => ({
  token,
  body: { model: MODEL, input: "Feathers are light.", ...body },
});
const speak = (body: object = {}, token?: string) => server.call("/v1/audio/speech", toCall(body, token));
const open = (body: object = {}) => server.send("/v1/audio/speech", toCall(body));
const readBytes = async (reader: ReadableStreamDefaultReader<Uint8Array> | undefined) =>
  Buffer.from((await reader?.read())?.value ?? []);
const rowOf = (answer: { headers: Headers }) => server.usageRow(answer.headers.get("request-id"));

describe("calls that read a text aloud", () => {
  test("the sound comes byte for byte, and the backend gets the fields of the call", async () => {
    const upstream = await server.addUpstream({ sound: SOUND });
    const answer = await open({
      voice: "alloy",
      speed: 1.5,
      instructions: "Slowly.",
      response_format: "mp3",
      stream_format: "audio",
    });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "audio/mpeg"]);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(BYTES);
    expect(upstream.recordedRequests).toMatchObject([{ path: "/v1/audio/speech", headers: { accept: "*/*" } }]);
    expect(upstream.recordedRequests[0]?.body).toEqual({
      model: `up:${MODEL}`,
      input: "Feathers are light.",
      voice: "alloy",
      speed: 1.5,
      instructions: "Slowly.",
      response_format: "mp3",
    });
  });

  test("the first bytes come before the backend has made the others, with the size if the backend says it", async () => {
    const mayGoOn = Promise.withResolvers<void>();
    const headers = { "content-length": String(BYTES.length) };
    await server.addUpstream({ sound: SOUND, headers, pauseUntil: mayGoOn.promise });
    const answer = await open();
    const reader = answer.body?.getReader();
    expect([answer.headers.get("content-length"), await readBytes(reader)]).toEqual(["7", PARTS[0]]);
    mayGoOn.resolve();
    expect(await readBytes(reader)).toEqual(PARTS[1]);
    expect((await reader?.read())?.done).toBe(true);
  });

  test.each([
    ["audio/pcm; rate=24000", "wav", "audio/pcm; rate=24000"],
    ["application/octet-stream", "wav", "audio/wav"],
    ["application/octet-stream", "opus", "audio/ogg"],
    [undefined, null, "audio/mpeg"],
    ['audio/x"<script>', undefined, "audio/mpeg"],
  ])("sound of the content type %s, asked for as %s, is sent as %s", async (contentType, format, sent) => {
    await server.addUpstream({ sound: { parts: PARTS, ...(contentType !== undefined && { contentType }) } });
    const answer = await open(format === undefined ? {} : { response_format: format });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, sent]);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(BYTES);
  });

  test("fields that backends do not take are named, and a stream is one of them", async () => {
    await server.addUpstream({ sound: SOUND });
    const answer = await speak({ stream: true, lang_code: "e" });
    expect(answer.headers.get("x-ignored-params")?.split(/,\s*/).sort()).toEqual(["lang_code", "stream"]);
  });

  test.each([
    ["no text", { input: "" }, "input"],
    ["a text that is too long", { input: "a".repeat(100_001) }, "input"],
    ["an unknown format", { response_format: "midi" }, "response_format"],
    ["events in place of bytes", { stream_format: "sse" }, "stream_format"],
    ["a speed of 5", { speed: 5 }, "speed"],
  ])("a call with %s is refused and sends nothing", async (_what, body, param) => {
    const upstream = await server.addUpstream({ sound: SOUND });
    const answer = await speak(body);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(param)]);
    expect(upstream.recordedRequests).toEqual([]);
  });

  test("the tokens of the text are estimated, and the receipt has the kind", async () => {
    await server.addUpstream({ sound: SOUND });
    const answer = await speak();
    expect(await rowOf(answer)).toMatchObject({
      kind: "speech",
      prompt_tokens: 5,
      completion_tokens: 0,
      estimated: true,
    });
    const path = `/api/usage/requests/${answer.headers.get("request-id")}`;
    const receipt = await server.call(path, { token: caller.token });
    expect(receipt.body).toMatchObject({ kind: "speech", outcome: "completed", streamed: false });
  });

  test("a call of a model that does not exist is refused with 404", async () => {
    const answer = await speak({ model: "nobody/nothing" });
    expect([answer.status, errorOf(answer.body).code]).toEqual([404, "model_not_found"]);
  });

  test("a call holds the model's units until the sound has ended, and another one is refused meanwhile", async () => {
    const mayGoOn = Promise.withResolvers<void>();
    await server.addUpstream({ sound: SOUND, pauseUntil: mayGoOn.promise });
    const { token } = await server.signUpOnPlan({ concurrency: 1 });
    const first = await server.send("/v1/audio/speech", toCall({}, token));
    expect([first.status, (await speak({}, token)).status]).toEqual([200, 429]);
    mayGoOn.resolve();
    await first.arrayBuffer();
    await waitFor(async () => expect((await speak({}, token)).status).toBe(200));
  });
});

describe("backends that fail to read a text aloud", () => {
  const json = (value: object) => ({ rawAnswer: { contentType: "application/json", body: JSON.stringify(value) } });

  test.each([
    ["answers with JSON", json({ audio: "SUQz" })],
    ["answers with a page", { rawAnswer: { contentType: "text/html", body: "<html>" } }],
    ["answers with no bytes", { sound: { parts: [], contentType: "audio/mpeg" } }],
    ["breaks off before the first byte", { sound: SOUND, fault: { kind: "reset", after: 0 } }],
    ["fails", { fault: { kind: "refuse", status: 500 } }],
    ["says that it will send too much", { sound: SOUND, headers: { "content-length": String(2 ** 30) } }],
  ] as const)("another backend answers when the first one %s", async (_what, script) => {
    const failing = await server.addUpstream(script, [MODEL], 1_000_000);
    const refused = await speak();
    expect([refused.status, errorOf(refused.body).code]).toEqual([502, "upstream_error"]);
    await server.addUpstream({ sound: SOUND });
    expect(Buffer.from(await (await open()).arrayBuffer())).toEqual(BYTES);
    expect(failing.recordedRequests).toHaveLength(2);
  });

  test("an error with status 200 is the refusal that it says", async () => {
    await server.addUpstream(json({ error: { code: 429, message: "slow down" } }));
    expect((await speak()).status).toBe(429);
  });

  const never = new Promise<void>(() => {});
  test.each([
    ["sends no headers", { thinkUntil: never, sound: SOUND }],
    ["sends headers and no bytes", { pauseUntil: never, sound: { ...SOUND, parts: ["", ...PARTS] } }],
  ])("a backend that %s in time fails the call with 504", async (_what, script) => {
    await server.addUpstream(script);
    const answer = await speak();
    expect([answer.status, errorOf(answer.body).code]).toEqual([504, "upstream_timeout"]);
  });

  test.each([
    ["breaks off", { sound: SOUND, fault: { kind: "reset", after: 1 } }, "upstream_error"],
    ["stalls", { sound: SOUND, fault: { kind: "stall", after: 1 } }, "upstream_timeout"],
    ["sends too much", { sound: { ...SOUND, parts: Array(11).fill(Buffer.alloc(2 ** 20)) } }, "upstream_error"],
  ] as const)(
    "when a backend %s after the first byte, the connection is closed before the answer is complete",
    async (_what, script, code) => {
      await server.addUpstream(script);
      const answer = await open();
      expect(answer.status).toBe(200);
      await expect(answer.arrayBuffer()).rejects.toThrow("terminated");
      await waitFor(async () => expect(await rowOf(answer)).toMatchObject({ outcome: "failed", error_code: code }));
    },
  );

  test("a model that gives no speech is named as what lacks it", async () => {
    const body = { error: { message: "The model does not support text-to-speech" } };
    await server.addUpstream({ fault: { kind: "refuse", status: 400, body } });
    const answer = await speak();
    expect([answer.status, errorOf(answer.body)]).toMatchObject([
      400,
      { code: "unsupported_parameter", param: "model", message: expect.stringContaining("gives no speech") },
    ]);
  });

  test("a refusal of a format of sound is not taken for one of media in the prompt", async () => {
    const body = { error: { message: "unknown audio format", param: "response_format" } };
    await server.addUpstream({ fault: { kind: "refuse", status: 400, body } });
    expect(errorOf((await speak()).body)).toMatchObject({ code: "invalid_request", param: "response_format" });
  });

  test.each(["anthropic", "gemini", "bedrock"] as const)("the API %s is not asked for speech", async (api) => {
    const { baseUrl, recordedRequests } = await server.addUpstream({ sound: SOUND }, []);
    server.addBackend({ name: `other-${api}`, baseUrl, api, models: { [MODEL]: "m" } });
    const answer = await speak();
    server.api.backends.registry.remove(`other-${api}`);
    expect([answer.status, errorOf(answer.body).param, recordedRequests]).toEqual([400, "model", []]);
  });
});

describe("callers who leave while a text is read aloud", () => {
  test("the backend is stopped when the caller leaves, and the call is aborted with the tokens of its text", async () => {
    const upstream = await server.addUpstream({ sound: SOUND, pauseUntil: new Promise(() => {}) });
    const answer = await open();
    await answer.body?.cancel();
    await waitFor(() => expect(upstream.cancelled).toHaveLength(1));
    const row = { outcome: "aborted", status: 499, prompt_tokens: 5 };
    await waitFor(async () => expect(await rowOf(answer)).toMatchObject(row));
  });

  test("a caller who reads nothing is disconnected, and until then the backend waits", async () => {
    const parts = Array(64).fill(Buffer.alloc(2 ** 20));
    const upstream = await server.addUpstream({ sound: { ...SOUND, parts } });
    const answer = await open({ input: "a".repeat(4_000) });
    // A backend that did not wait would have sent everything, and its answer would not be cancelled.
    await waitFor(() => expect(upstream.cancelled).toHaveLength(1));
    await waitFor(async () => expect(await rowOf(answer)).toMatchObject({ outcome: "aborted" }));
  });
});
