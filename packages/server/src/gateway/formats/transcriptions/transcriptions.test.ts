import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { errorOf, LARGE_MODEL, MODEL } from "../../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../../testing/server.ts";

let server: TestServer;
let caller: Account;

beforeAll(async () => {
  server = await createTestServer();
  caller = await server.signUpOnPlan({});
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

const BYTES = Buffer.from([0x49, 0x44, 0x33, 0xff, 0, 0x0d, 0x0a, 0x2d, 0x2d, 0xfe]);
const FILE = new File([BYTES], "meeting.mp3", { type: "audio/mpeg" });
type Fields = Record<string, string | readonly string[] | File>;

function toForm(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model: MODEL, file: FILE, ...fields }))
    for (const one of Array.isArray(value) ? value : [value]) form.append(name, one);
  return form;
}
const hear = (fields: Fields = {}, how: { token?: string; path?: string; headers?: Record<string, string> } = {}) =>
  server.call(how.path ?? "/v1/audio/transcriptions", {
    token: how.token ?? caller.token,
    body: toForm(fields),
    ...(how.headers && { headers: how.headers }),
  });
const json = (value: object) => ({ rawAnswer: { contentType: "application/json", body: JSON.stringify(value) } });
const text = (body: string, contentType = "text/plain") => ({ rawAnswer: { contentType, body } });
const HEARD = { text: "Feathers are light." };
const rowOf = (answer: { headers: Headers }) => server.usageRow(answer.headers.get("request-id"));

describe("calls that write down speech", () => {
  test("the backend gets the file byte for byte with its name and type, and the fields of the call", async () => {
    const upstream = await server.addUpstream(json(HEARD));
    const answer = await hear({ language: "en", prompt: "Names: Ada", temperature: "0.2", response_format: "json" });
    expect([answer.status, answer.body]).toEqual([200, HEARD]);
    const [{ path = "", headers = {}, body = {} } = {}] = upstream.recordedRequests;
    expect([path, headers["content-type"]]).toEqual([
      "/v1/audio/transcriptions",
      expect.stringMatching(/^multipart\/form-data; boundary=/),
    ]);
    const { file, ...fields } = body;
    expect(fields).toEqual({
      model: `up:${MODEL}`,
      language: "en",
      prompt: "Names: Ada",
      temperature: "0.2",
      response_format: "json",
    });
    expect(file).toMatchObject({ name: "meeting.mp3", type: "audio/mpeg" });
    expect(Buffer.from(await (file as File).arrayBuffer())).toEqual(BYTES);
  });

  test.each([["timestamp_granularities[]"], ["timestamp_granularities"]])(
    "a list is sent to the backend as one, whether callers write %s",
    async (name) => {
      const words = [{ word: "Feathers", start: 0, end: 0.6 }];
      const upstream = await server.addUpstream(json({ ...HEARD, task: "transcribe", duration: 1.8, words, x: 1 }));
      const answer = await hear({ [name]: ["word", "segment"], response_format: "verbose_json" });
      expect(answer.body).toEqual({
        ...HEARD,
        task: "transcribe",
        duration: 1.8,
        words,
        usage: { type: "duration", seconds: 1.8 },
      });
      expect(upstream.recordedRequests[0]?.body["timestamp_granularities[]"]).toEqual(["word", "segment"]);
    },
  );

  test.each([
    ["text", text("Feathers are light.\n"), "Feathers are light.\n"],
    ["text", json(HEARD), "Feathers are light."],
    ["text", text('"Feathers are light."', "application/json"), "Feathers are light."],
    ["text", text(""), ""],
    [
      "srt",
      text("1\n00:00:00,000 --> 00:00:01,800\nFeathers are light.\n"),
      "1\n00:00:00,000 --> 00:00:01,800\nFeathers are light.\n",
    ],
    ["vtt", text("WEBVTT\n", "text/vtt"), "WEBVTT\n"],
  ])("an answer in the form %s is sent as text", async (response_format, script, sent) => {
    await server.addUpstream(script);
    const answer = await hear({ response_format });
    expect([answer.status, answer.headers.get("content-type"), answer.text]).toEqual([
      200,
      "text/plain; charset=utf-8",
      sent,
    ]);
  });

  test("a translation is asked for at its own path", async () => {
    const upstream = await server.addUpstream(json(HEARD));
    const answer = await hear({}, { path: "/v1/audio/translations" });
    expect([answer.body, upstream.recordedRequests[0]?.path]).toEqual([HEARD, "/v1/audio/translations"]);
    expect(await rowOf(answer)).toMatchObject({ kind: "translation" });
  });

  test.each<[string, object, object, object]>([
    ["seconds", { usage: { type: "duration", seconds: 9 } }, { type: "duration", seconds: 9 }, { audio_ms: 9_000 }],
    ["the length as a text", { duration: "8.47" }, { type: "duration", seconds: 8.47 }, { audio_ms: 8_470 }],
    [
      "tokens",
      { usage: { type: "tokens", input_tokens: 14, output_tokens: 5, total_tokens: 19 } },
      { type: "tokens", input_tokens: 14, output_tokens: 5, total_tokens: 19 },
      { audio_ms: null, prompt_tokens: 14, completion_tokens: 5 },
    ],
  ])("usage in %s is given and stored", async (_what, counted, usage, row) => {
    await server.addUpstream(json({ ...HEARD, ...counted }));
    const answer = await hear();
    expect(answer.body).toMatchObject({ usage });
    expect(await rowOf(answer)).toMatchObject({ kind: "transcription", estimated: false, ...row });
  });

  test.each([{ seconds: -1 }, { seconds: 1e300 }, { seconds: "many" }, "some"])(
    "usage that is no length, %j, is not given",
    async (usage) => {
      await server.addUpstream(json({ ...HEARD, usage }));
      const answer = await hear();
      expect(answer.body).toEqual(HEARD);
      expect(await rowOf(answer)).toMatchObject({ audio_ms: null, prompt_tokens: 0, estimated: false });
    },
  );

  test("the receipt has the kind and the length of the sound", async () => {
    await server.addUpstream(json({ ...HEARD, usage: { type: "duration", seconds: 1.5 } }));
    const answer = await hear();
    await rowOf(answer);
    const path = `/api/usage/requests/${answer.headers.get("request-id")}`;
    const receipt = await server.call(path, { token: caller.token });
    expect(receipt.body).toMatchObject({ kind: "transcription", outcome: "completed", audio_seconds: 1.5 });
  });

  test("fields that backends do not take are named", async () => {
    const upstream = await server.addUpstream(json(HEARD));
    const answer = await hear({ chunking_strategy: "auto", stream: "false", language: "" });
    expect(answer.headers.get("x-ignored-params")).toBe("chunking_strategy");
    expect(Object.keys(upstream.recordedRequests[0]?.body ?? {}).sort()).toEqual(["file", "model"]);
  });

  test("another backend gets the whole file when the first one fails", async () => {
    const failing = await server.addUpstream({ fault: { kind: "refuse", status: 500 } }, [MODEL], 1_000_000);
    const other = await server.addUpstream(json(HEARD));
    expect((await hear()).body).toEqual(HEARD);
    const files = [failing, other].map(({ recordedRequests }) => recordedRequests[0]?.body.file);
    for (const file of files) expect(Buffer.from(await (file as File).arrayBuffer())).toEqual(BYTES);
  });

  test("the next model of `models` gets the file, and the header names the one that failed", async () => {
    await server.addUpstream({ fault: { kind: "refuse", status: 500 } });
    const other = await server.addUpstream(json(HEARD), [LARGE_MODEL]);
    const answer = await hear({ "models[]": [LARGE_MODEL] });
    expect([answer.status, answer.headers.get("x-models-passed-over")]).toEqual([200, `${MODEL}=upstream_error`]);
    expect(other.recordedRequests[0]?.body).toMatchObject({ model: `up:${LARGE_MODEL}`, file: { size: BYTES.length } });
  });

  test("a call goes only where `provider` allows it", async () => {
    const upstream = await server.addUpstream(json(HEARD));
    const elsewhere = await hear({ provider: '{"only":["groq"]}' });
    expect([elsewhere.status, errorOf(elsewhere.body).code]).toEqual([400, "no_matching_place"]);
    const broken = await hear({ provider: "{" });
    expect([broken.status, upstream.recordedRequests]).toEqual([400, []]);
  });
});

describe("calls that write down speech and are refused", () => {
  test.each<[string, Fields, string]>([
    ["no model", { model: "" }, "model"],
    ["two models of one name", { model: [MODEL, MODEL] }, "model"],
    ["a text in place of the file", { file: "meeting.mp3" }, "file"],
    ["an empty file", { file: new File([], "a.mp3") }, "file"],
    ["two files", { file: [FILE, FILE] as never }, "file"],
    ["a file in another field", { prompt: FILE }, "file"],
    ["an unknown form of the answer", { response_format: "xml" }, "response_format"],
    ["a temperature that is no number", { temperature: "warm" }, "temperature"],
    ["a temperature of 3", { temperature: "3" }, "temperature"],
    ["a stream of subtitles", { stream: "true", response_format: "srt" }, "stream"],
    ["times of letters", { "timestamp_granularities[]": "letter" }, "timestamp_granularities"],
    ["the field __proto__", { __proto__x: "1", __proto__: "1" }, "field"],
    ["too many fields", Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`a${at}`, "1"])), "100 fields"],
  ])("a call with %s is refused with 400 and sends nothing", async (_what, fields, message) => {
    const upstream = await server.addUpstream(json(HEARD));
    const answer = await hear(fields);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(message)]);
    expect(upstream.recordedRequests).toEqual([]);
  });

  test("a field that is too large is refused with 413", async () => {
    const answer = await hear({ note: "a".repeat(256 * 1024 + 1) });
    expect([answer.status, errorOf(answer.body)]).toMatchObject([413, { param: "note" }]);
  });

  test("a call of a model that does not exist is refused with 404, and of one that the key lacks with 403", async () => {
    expect((await hear({ model: "nobody/nothing" })).status).toBe(404);
    const { secret } = await server.createKey(caller, { allowed_models: [LARGE_MODEL] });
    expect((await hear({}, { token: secret })).status).toBe(403);
  });

  test("a call holds the model's units, and another one is refused meanwhile", async () => {
    const mayGoOn = Promise.withResolvers<void>();
    const upstream = await server.addUpstream({ ...json(HEARD), thinkUntil: mayGoOn.promise });
    const { token } = await server.signUpOnPlan({ concurrency: 1 });
    const first = hear({}, { token });
    await expect.poll(upstream.active).toBe(1);
    expect((await hear({}, { token })).status).toBe(429);
    mayGoOn.resolve();
    expect((await first).status).toBe(200);
  });

  test.each([
    ["no text", json({ words: [] })],
    ["a page", text("<html>", "text/html")],
  ])("an answer with %s is refused as the backend's fault", async (_what, script) => {
    await server.addUpstream(script);
    const answer = await hear();
    expect([answer.status, errorOf(answer.body).code]).toEqual([502, "upstream_error"]);
  });

  test.each([404, 405])("a backend without the call, which answers %s, is no failure of it", async (status) => {
    await server.addUpstream({ fault: { kind: "refuse", status, body: { detail: "Not Found" } } });
    const answer = await hear();
    expect([answer.status, errorOf(answer.body)]).toMatchObject([
      400,
      { code: "unsupported_parameter", param: "model", message: expect.stringContaining("gives no transcriptions") },
    ]);
    expect(server.api.backends.registry.candidates(MODEL)).toHaveLength(1);
  });

  test("a refusal of the file is one of the file", async () => {
    const body = { error: { message: "Invalid file format.", param: "file" } };
    await server.addUpstream({ fault: { kind: "refuse", status: 400, body } });
    expect(errorOf((await hear()).body)).toMatchObject({ code: "invalid_request", param: "file" });
  });

  test.each(["anthropic", "gemini", "bedrock"] as const)("the API %s is not asked for transcriptions", async (api) => {
    const { baseUrl, recordedRequests } = await server.addUpstream(json(HEARD), []);
    server.addBackend({ name: `other-${api}`, baseUrl, api, models: { [MODEL]: "m" } });
    const answer = await hear();
    server.api.backends.registry.remove(`other-${api}`);
    expect([answer.status, errorOf(answer.body).param, recordedRequests]).toEqual([400, "model", []]);
  });
});
