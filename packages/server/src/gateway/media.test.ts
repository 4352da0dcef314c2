import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, errorOf, LARGE_MODEL, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

const INSIDE = "http://169.254.169.254/latest/meta-data/";
const PICTURE = "data:image/png;base64,iVBOR";
const TEXT = { type: "text", text: "What is it?" };

/** Starts a server on which the model LARGE accepts every kind of media, and an account that may call it. */
async function seeingServer(env: Record<string, string> = {}) {
  const server = await createTestServer({ env });
  const caller = await server.signUpOnPlan({});
  const input_modalities = ["text", "image", "audio", "video", "file"];
  await server.db.updateTable("models").set({ input_modalities }).where("id", "=", LARGE_MODEL).execute();
  server.api.catalogue.callableModels.invalidate();
  return { server, caller };
}

const userMessage = (...content: object[]) => [{ role: "user", content }];

describe("message parts", () => {
  let server: TestServer;
  let caller: Account;
  beforeAll(async () => {
    ({ server, caller } = await seeingServer());
  });
  afterEach(() => server.removeUpstreams());
  afterAll(() => server.close());

  const chat = (content: object[], more: object = {}) =>
    server.call("/v1/chat/completions", {
      token: caller.token,
      body: createChatRequest({ model: LARGE_MODEL, messages: userMessage(...content), ...more }),
    });

  test.each<[string, object, object, string]>([
    [
      "a text with the picture that vLLM would fetch",
      { ...TEXT, uuid: "u1", image_url: { url: INSIDE } },
      TEXT,
      "messages.uuid, messages.image_url",
    ],
    ["a text with an unknown field", { ...TEXT, cache_control: { type: "x" } }, TEXT, "messages.cache_control"],
    [
      "a picture with a video",
      { type: "image_url", image_url: { url: PICTURE, detail: "low", path: "/etc" }, video_url: { url: INSIDE } },
      { type: "image_url", image_url: { url: PICTURE, detail: "low" } },
      "messages.video_url, messages.path",
    ],
  ])("message parts are rebuilt with only the fields of their type: %s", async (_what, given, sent, ignored) => {
    const upstream = await server.addUpstream({}, [LARGE_MODEL]);
    const answer = await chat([given]);
    expect([answer.status, answer.headers.get("x-ignored-params")]).toEqual([200, ignored]);
    expect(upstream.recordedRequests[0]?.body.messages).toEqual(userMessage(sent));
  });

  test.each<[string, object]>([
    ["a picture", { type: "image_url", image_url: { url: PICTURE } }],
    ["sound", { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } }],
    ["sound by data URL", { type: "audio_url", audio_url: { url: "data:audio/wav;base64,UklGRg==" } }],
    ["a video", { type: "video_url", video_url: { url: "data:video/mp4;base64,AAAA" } }],
    ["a file", { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBE" } }],
  ])("message parts are sent to the backend unchanged: %s", async (_what, part) => {
    const upstream = await server.addUpstream({}, [LARGE_MODEL]);
    const answer = await chat([TEXT, part]);
    expect([answer.status, answer.headers.get("x-ignored-params")]).toEqual([200, null]);
    expect(upstream.recordedRequests[0]?.body.messages).toEqual(userMessage(TEXT, part));
  });

  test("message parts with a refusal are sent to the backend as text", async () => {
    const upstream = await server.addUpstream({}, [LARGE_MODEL]);
    const refusal = { role: "assistant", content: [{ type: "refusal", refusal: "No." }] };
    await chat([TEXT], { messages: [...userMessage(TEXT), refusal, ...userMessage(TEXT)] });
    expect(upstream.recordedRequests[0]?.body.messages).toContainEqual({
      role: "assistant",
      content: [{ type: "text", text: "No." }],
    });
  });

  test.each<[string, object, RegExp]>([
    ["an unknown type", { type: "image_pil", image_pil: PICTURE }, /must be text, refusal, image_url/],
    ["a type that every object has", { type: "constructor" }, /must be text, refusal, image_url/],
    ["a text without text", { type: "text" }, /text is not valid: it must be a text/],
    ["a picture inside the network", { type: "image_url", image_url: { url: INSIDE } }, /data URL/],
    [
      "a picture on the web",
      { type: "image_url", image_url: { url: "https://example.com/a.png" } },
      /FEATHER_REMOTE_MEDIA/,
    ],
    ["a page as a picture", { type: "image_url", image_url: { url: "data:text/html;base64,aaaa" } }, /data URL/],
    ["sound inside the network", { type: "audio_url", audio_url: { url: "http://127.0.0.1:6379/" } }, /data URL/],
    ["a video inside the network", { type: "video_url", video_url: { url: "https://10.0.0.1/" } }, /data URL/],
    ["a file by address", { type: "file", file: { file_data: "https://10.0.0.1/a.pdf" } }, /data URL/],
    ["a file by id", { type: "file", file: { file_id: "file-1" } }, /this server keeps no files/],
    ["sound that is an address", { type: "input_audio", input_audio: { data: "http://a/b", format: "wav" } }, /base64/],
    [
      "a format that is an address",
      { type: "input_audio", input_audio: { data: "AA", format: "x;,http://a" } },
      /format/,
    ],
  ])("message parts are refused: %s", async (_what, part, message) => {
    const upstream = await server.addUpstream({}, [LARGE_MODEL]);
    const answer = await chat([TEXT, part]);
    expect([answer.status, errorOf(answer.body).message]).toEqual([400, expect.stringMatching(message)]);
    expect(upstream.recordedRequests).toHaveLength(0);
  });

  test("message parts that the model does not support are refused", async () => {
    await server.addUpstream();
    const answer = await chat([TEXT, { type: "image_url", image_url: { url: PICTURE } }], { model: MODEL });
    expect([answer.status, errorOf(answer.body)]).toMatchObject([
      400,
      { code: "unsupported_modality", param: "messages[0].content[1]" },
    ]);
  });

  test.each<[string, object]>([
    [
      "/v1/messages",
      {
        max_tokens: 5,
        messages: userMessage({ type: "image", source: { type: "url", url: "https://example.com/a.png" } }),
      },
    ],
    ["/v1/responses", { input: userMessage({ type: "input_image", image_url: INSIDE }) }],
    [
      "/v1/messages",
      {
        max_tokens: 5,
        messages: userMessage({
          type: "tool_result",
          tool_use_id: "t",
          content: [{ type: "image", source: { type: "url", url: INSIDE } }],
        }),
      },
    ],
  ])("message parts are validated in the same way by %s", async (path, body) => {
    const upstream = await server.addUpstream({}, [LARGE_MODEL]);
    const answer = await server.call(path, { token: caller.token, body: { model: LARGE_MODEL, ...body } });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("data URL")]);
    expect(upstream.recordedRequests).toHaveLength(0);
  });
});

describe("image URLs that the operator allows", () => {
  let server: TestServer;
  let caller: Account;
  beforeAll(async () => {
    ({ server, caller } = await seeingServer({ FEATHER_REMOTE_MEDIA: "https" }));
  });
  afterEach(() => server.removeUpstreams());
  afterAll(() => server.close());

  const see = (url: string) =>
    server.call("/v1/chat/completions", {
      token: caller.token,
      body: createChatRequest({ model: LARGE_MODEL, messages: userMessage({ type: "image_url", image_url: { url } }) }),
    });

  test.each([
    [PICTURE, PICTURE],
    ["https://example.com/a.png", "https://example.com/a.png"],
    ["https://example.com\\@127.0.0.1/a", "https://example.com/@127.0.0.1/a"],
  ])("the image URL %s is sent in its normalized form", async (url, sent) => {
    const upstream = await server.addUpstream({}, [LARGE_MODEL]);
    expect((await see(url)).status).toBe(200);
    expect(upstream.recordedRequests[0]?.body.messages).toEqual(
      userMessage({ type: "image_url", image_url: { url: sent } }),
    );
  });

  test.each([
    "http://example.com/a.png",
    "https://127.0.0.1/a.png",
    "https://127.0.0.1./a.png",
    "https://[::1]/a.png",
    "https://[::ffff:a9fe:a9fe]/",
    "https://[64:ff9b::a9fe:a9fe]/",
    "https://169.254.169.254/latest",
    "https://localhost/a",
    "https://localhost./a",
    "https://db.internal/a",
    "https://user:word@example.com/a",
    "https://2130706433/",
    "file:///etc/passwd",
    "data:text/html;base64,aaaa",
    "nonsense",
  ])("the image URL %s is refused", async (url) => {
    const upstream = await server.addUpstream({}, [LARGE_MODEL]);
    expect((await see(url)).status).toBe(400);
    expect(upstream.recordedRequests).toHaveLength(0);
  });
});
