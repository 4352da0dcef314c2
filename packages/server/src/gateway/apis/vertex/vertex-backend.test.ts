import { streamedText } from "@feather/testing/chat-events";
import { GOOGLE_TOKEN_URL, startFakeVertex, toServiceAccountKey } from "@feather/testing/fake-vertex";
import { GoogleGenAI } from "@google/genai";
import { OAuth2Client } from "google-auth-library";
import OpenAI from "openai";
import { fetch as undiciFetch } from "undici";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { errorOf } from "../../../testing/chat.ts";
import { createTestServer, type TestServer } from "../../../testing/server.ts";
import { listModels } from "../../backends/list-models.ts";
import { tryCall } from "../../backends/try-call.ts";
import { createAccessTokens } from "./access-tokens.ts";

const MODEL = "feather/demo";
const NAME = "gemini-3-test";
const USER = { role: "user" as const, content: "Hello" };
const TEXT = "Hello there!";
const KEY = toServiceAccountKey();
const GEMINI = { parts: [{ text: TEXT }] };

let server: TestServer;
let vertex: Awaited<ReturnType<typeof startFakeVertex>>;
let token: string;

beforeAll(async () => {
  server = await createTestServer();
  vertex = await startFakeVertex();
  token = (await server.createKey(await server.signUpOnPlan({}))).secret;
});
beforeEach(() => {
  vertex.answer({ gemini: GEMINI });
  vertex.calls.splice(0);
  vertex.tokens.splice(0);
});
afterEach(() => server.removeUpstreams());
afterAll(async () => {
  await server.close();
  await vertex.close();
});

/** The tokens of the stand-in. They are requested at Google's address, and at no other. */
const createTokens = () =>
  createAccessTokens((url, init) => {
    expect(String(url)).toBe(GOOGLE_TOKEN_URL);
    return undiciFetch(vertex.tokenUrl, init);
  });

function addBackend(apiKey = KEY): void {
  const api = "vertex" as const;
  server.addBackend({ name: api, baseUrl: vertex.baseUrl, api, program: api, apiKey, models: { [MODEL]: NAME } });
  const backend = server.api.backends.registry.list().find(({ name }) => name === api);
  if (backend === undefined) throw new Error("There is no backend.");
  backend.accessTokens = createTokens();
}
const chat = (body: object = {}) =>
  server.call("/v1/chat/completions", { token, body: { model: MODEL, messages: [USER], ...body } });

describe("the stand-in for Vertex AI", () => {
  test("the official client gets its answer with a token", async () => {
    const access_token = await createTokens().get(KEY);
    const authClient = new OAuth2Client();
    authClient.setCredentials({ access_token });
    const direct = new GoogleGenAI({
      vertexai: true,
      project: "my-project-123",
      location: "europe-west1",
      googleAuthOptions: { authClient: authClient as never },
      httpOptions: { baseUrl: vertex.origin, apiVersion: "v1" },
    });
    const { text } = await direct.models.generateContent({ model: NAME, contents: "Hello" });
    expect(text).toBe(TEXT);
  });
});

describe("a backend with the API of Vertex AI", () => {
  test("chat completions get its answer, buffered and streamed, with one token and without the key", async () => {
    addBackend();
    const client = new OpenAI({ apiKey: token, baseURL: `${server.url}/v1`, maxRetries: 0 });
    const { choices, usage } = await client.chat.completions.create({ model: MODEL, messages: [USER] });
    expect([choices[0]?.message.content, usage?.prompt_tokens]).toEqual([TEXT, 40]);
    const { text } = await chat({ stream: true });
    expect(streamedText(text)).toBe(TEXT);
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
    expect(vertex.calls.map(({ model, method }) => [model, method])).toEqual([
      [NAME, "generateContent"],
      [NAME, "streamGenerateContent"],
    ]);
    expect(vertex.tokens).toHaveLength(1);
    expect(JSON.stringify(vertex.requests)).not.toContain("PRIVATE KEY");
  });

  test("embeddings are refused, since it has other calls for them", async () => {
    addBackend();
    const { status, body } = await server.call("/v1/embeddings", { token, body: { model: MODEL, input: "a" } });
    expect([status, errorOf(body).code]).toEqual([400, "unsupported_parameter"]);
  });

  test("a call without a token is the failure of the backend, of which the caller is told nothing", async () => {
    vertex.answer({ tokenFault: { status: 400, error: "invalid_grant", description: "Invalid JWT Signature." } });
    addBackend();
    const { status, body, text } = await chat();
    expect([status, errorOf(body).code]).toEqual([502, "upstream_error"]);
    expect(text).not.toContain("JWT");
    expect(vertex.calls).toEqual([]);
  });

  test("its models that write texts are listed", async () => {
    const models = ["gemini-3-pro", "gemini-3-flash-image", "gemini-embedding-001", "imagen-4", "gemini-2.5-flash-tts"];
    vertex.answer({ models });
    const list = await listModels(vertex.baseUrl, KEY, { api: "vertex", accessTokens: createTokens() });
    expect(list).toMatchObject({ ok: true, program: "vertex", models: [{ name: "gemini-3-pro" }] });
  });
});

describe("a test of Vertex AI", () => {
  const call = (apiKey: string | undefined = KEY) =>
    tryCall(
      {
        baseUrl: vertex.baseUrl,
        api: "vertex",
        apiKey,
        dispatcher: undefined,
        accessTokens: createTokens(),
        timeoutMs: 60_000,
      },
      NAME,
      "chat",
    );

  test("the test of Vertex AI says that all is well", async () => {
    expect(await call()).toMatchObject({ ok: true });
  });

  test.each([
    ["a deleted key", "invalid_grant", "Invalid JWT Signature.", "key", "does not accept the key"],
    ["a deleted account", "invalid_grant", "Invalid grant: account not found", "key", "disabled or deleted"],
    ["a disabled account", "disabled_client", "The OAuth client was disabled.", "key", "disabled or deleted"],
    ["a wrong clock", "invalid_grant", "Check your iat and exp values in the JWT claim.", "key", "the time"],
  ])("the test of Vertex AI names %s", async (_what, error, description, problem, words) => {
    vertex.answer({ tokenFault: { status: 400, error, description } });
    expect(await call()).toMatchObject({ failure: { problem, error: expect.stringContaining(words) } });
  });

  test("the test of Vertex AI names a server of tokens that fails, and repeats the request before", async () => {
    vertex.answer({ tokenFault: { status: 503, error: "internal_failure", description: "Backend Error" } });
    const before = vertex.requests.length;
    expect(await call()).toMatchObject({
      failure: { problem: "address", error: expect.stringContaining("oauth2.googleapis.com") },
    });
    expect(vertex.requests.length - before).toBeGreaterThan(1);
  });

  test.each<[string, { code: number; status: string; message: string }, string, string]>([
    [
      "an API that is not enabled",
      {
        code: 403,
        status: "PERMISSION_DENIED",
        message: "Vertex AI API has not been used in project 1 before or it is disabled. Enable it by visiting …",
      },
      "permission",
      "The API is not enabled for the project",
    ],
    [
      "a missing right",
      {
        code: 403,
        status: "PERMISSION_DENIED",
        message:
          "Permission 'aiplatform.endpoints.predict' denied on resource '//aiplatform.googleapis.com/projects/1'.",
      },
      "permission",
      "The key may not do this",
    ],
    [
      "a region without the model",
      {
        code: 404,
        status: "NOT_FOUND",
        message: "Publisher Model `projects/1/locations/x/publishers/google/models/gemini-3-test` was not found.",
      },
      "region",
      "in the region of the address",
    ],
  ])("the test of Vertex AI names %s", async (_what, callFault, problem, words) => {
    vertex.answer({ callFault });
    expect(await call()).toMatchObject({ failure: { problem, error: expect.stringContaining(words) } });
  });

  test("the test of Vertex AI names a key that is none of a service account", async () => {
    expect(await call("sk-1")).toMatchObject({
      failure: { problem: "key", error: "The key is not that of a service account." },
    });
  });
});
