import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { EXPIRED, SELF_SIGNED } from "@feather/testing/certificate";
import { type HttpServer, startHttpServer } from "@feather/testing/http-server";
import { Agent, type Dispatcher } from "undici";
import { afterEach, describe, expect, test } from "vitest";
import { NO_ACCESS_TOKENS } from "../../gateway/index.ts";
import { testAddress } from "./test-backend.ts";

type Answer = { status?: number; type?: string; body: unknown; headers?: Record<string, string> };

let server: HttpServer | undefined;
afterEach(() => server?.close());

/** Starts a server with a list of models that answers calls as given; a function decides by the model. */
async function startProvider(list: Answer, call: Answer | ((model: string, path: string) => Answer)): Promise<string> {
  server = await startHttpServer(({ method, url, body }, response) => {
    const read = () => (typeof call === "function" ? call((JSON.parse(body) as { model: string }).model, url) : call);
    const { status = 200, type = "application/json", body: answer, headers = {} } = method === "GET" ? list : read();
    response.writeHead(status, { "content-type": type, ...headers });
    response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  return `${server.url}/v1`;
}

const LIST: Answer = { body: { object: "list", data: [{ id: "me/chat" }] } };
const CHAT: Answer = { body: { choices: [{ message: { role: "assistant", content: "Hello" } }] } };
const toError = (status: number, error: object): Answer => ({ status, body: { error } });

const tryAddress = (
  baseUrl: string,
  options: { apiKey?: string; model?: string; models?: string[]; dispatcher?: Dispatcher } = {},
) =>
  testAddress(
    { findSizes: async () => new Map(), dispatcher: options.dispatcher, accessTokens: NO_ACCESS_TOKENS },
    { name: "tested", base_url: baseUrl, api: "openai", aliases: [], configured_models: options.models ?? [] },
    options.apiKey,
    options.model,
  );

describe("the list of models", () => {
  test.each<[string, Answer, string | undefined, string | null, string]>([
    [
      "401 without a key",
      toError(401, { message: "No key" }),
      undefined,
      "key",
      "It asks for a key (status 401). It says: No key",
    ],
    [
      "401 with a key",
      toError(401, { message: "Bad key sk-1." }),
      "sk-1",
      "key",
      "It does not accept the key (status 401). It says: Bad key ….",
    ],
    ["402", toError(402, { message: "Insufficient Balance" }), "k", "quota", "no credit left"],
    ["403", toError(403, { message: "Missing scopes: api.model.read" }), "k", "permission", "The key may not do this"],
    [
      "403 about the country",
      toError(403, {
        code: "unsupported_country_region_territory",
        message: "Country, region, or territory not supported",
      }),
      "k",
      "region",
      "does not serve the country",
    ],
    [
      "404",
      { status: 404, body: { detail: "Not Found" } },
      "k",
      "not_this_api",
      "There is no such path below this address (status 404). It says: Not Found",
    ],
    ["429", toError(429, { message: "Rate limit reached" }), "k", "quota", "too many requests"],
    [
      "429 without credit",
      toError(429, { type: "insufficient_quota", message: "You exceeded your current quota" }),
      "k",
      "quota",
      "no credit left",
    ],
    [
      "a redirect",
      { status: 301, body: "", headers: { location: "https://elsewhere.example" } },
      "k",
      "address",
      "It redirects",
    ],
    [
      "a web page",
      { type: "text/html", body: "<!doctype html><title>Sign in</title>" },
      "k",
      "not_this_api",
      "a web page",
    ],
    ["a web page with 403", { status: 403, type: "text/html", body: "<html>" }, "k", "not_this_api", "a web page"],
    ["JSON of another form", { body: { models: [] } }, "k", "not_this_api", "not with a list of models"],
    ["a text", { type: "text/plain", body: "OK" }, "k", "not_this_api", "not with a list of models"],
    ["502", { status: 502, type: "text/html", body: "<html>" }, "k", null, "It answered with status 502."],
    [
      "Google's words about a key",
      { status: 400, body: [{ error: { code: 400, message: "API key not valid. Please pass a valid API key." } }] },
      "k",
      "key",
      "does not accept the key",
    ],
  ])("%s names the problem, says what happened and what to do", async (_what, list, apiKey, problem, error) => {
    const result = await tryAddress(await startProvider(list, CHAT), { ...(apiKey && { apiKey }) });
    expect(result).toMatchObject({ ok: false, problem, models: [], call: null });
    expect(result.error).toContain(error);
    expect(result.advice === null).toBe(problem === null);
  });

  test("a list without an object around it is read, as Together sends it", async () => {
    const result = await tryAddress(await startProvider({ body: [{ id: "me/chat" }] }, CHAT));
    expect(result).toMatchObject({ ok: true, models: ["me/chat"] });
  });
});

describe("the call", () => {
  test("a model is called with a few tokens, and the result says how long it took", async () => {
    const result = await tryAddress(await startProvider(LIST, CHAT), { apiKey: "k" });
    expect(result).toMatchObject({ ok: true, problem: null, error: null, advice: null });
    expect(result.call).toEqual({ model: "me/chat", duration_ms: expect.any(Number) });
    const { url, body, headers } = server?.requests.at(-1) ?? {};
    expect([url, headers?.authorization]).toEqual(["/v1/chat/completions", "Bearer k"]);
    expect(JSON.parse(body ?? "")).toEqual({
      model: "me/chat",
      messages: [{ role: "user", content: "Hello" }],
      max_tokens: 16,
    });
  });

  test.each<[string, Answer, string | null, string]>([
    ["401", toError(401, { message: "No" }), "key", "does not accept the key"],
    ["402", toError(402, { message: "Insufficient credits" }), "quota", "no credit left"],
    [
      "400 about credit, as Anthropic answers",
      toError(400, { type: "invalid_request_error", message: "Your credit balance is too low to access the API." }),
      "quota",
      "no credit left",
    ],
    ["404 about the model", toError(404, { message: "The model does not exist" }), "model", "does not have this model"],
    [
      "404 without JSON",
      { status: 404, type: "text/plain", body: "404 page not found" },
      "not_this_api",
      "no such path",
    ],
    ["a web page", { type: "text/html", body: "<html>" }, "not_this_api", "a web page"],
    ["a list in place of an answer", LIST, "not_this_api", "not in the form of this API"],
    ["500", toError(500, { message: "Oh" }), null, "It answered with status 500. It says: Oh"],
  ])("a call that fails with %s fails the test, and the models stay known", async (_what, call, problem, error) => {
    const result = await tryAddress(await startProvider(LIST, call), { apiKey: "k" });
    expect(result).toMatchObject({ ok: false, problem, models: ["me/chat"], call: { model: "me/chat" } });
    expect(result.error).toContain(error);
  });

  test("calls models until one chats, and none of those whose names say that they do not", async () => {
    const data = ["text-embedding-3", "whisper-1", "me/base", "me/chat"].map((id) => ({ id }));
    const baseUrl = await startProvider({ body: { data } }, (model) =>
      model === "me/chat" ? CHAT : toError(404, { message: "This is not a chat model" }),
    );
    expect(await tryAddress(baseUrl)).toMatchObject({ ok: true, call: { model: "me/chat" } });
    expect(server?.requests.map(({ url }) => url)).toEqual([
      "/v1/models",
      "/v1/chat/completions",
      "/v1/chat/completions",
    ]);
  });

  test("calls the model that the request names, by its id here", async () => {
    const data = [{ id: "one" }, { id: "two" }];
    const baseUrl = await startProvider({ body: { data } }, CHAT);
    expect(await tryAddress(baseUrl, { model: "tested/two" })).toMatchObject({ ok: true, call: { model: "two" } });
  });

  test("sends the newer name of the limit to a model that refuses the older one", async () => {
    const baseUrl = await startProvider(LIST, (_model) => {
      const isNew = server?.requests.at(-1)?.body.includes("max_completion_tokens");
      return isNew ? CHAT : toError(400, { message: "'max_tokens' is not supported. Use 'max_completion_tokens'." });
    });
    expect(await tryAddress(baseUrl)).toMatchObject({ ok: true });
  });

  test("asks for a vector where no model chats", async () => {
    const baseUrl = await startProvider({ status: 404, body: { detail: "Not Found" } }, (_model, path) =>
      path === "/v1/embeddings"
        ? { body: { data: [{ embedding: [0.5] }] } }
        : { status: 404, body: { detail: "Not Found" } },
    );
    expect(await tryAddress(baseUrl, { models: ["voyage-3.5"] })).toMatchObject({
      ok: true,
      models: ["voyage-3.5"],
      call: { model: "voyage-3.5" },
    });
  });

  test("a provider that lists no models passes with those that are configured", async () => {
    const baseUrl = await startProvider({ status: 404, type: "text/html", body: "<html>" }, CHAT);
    expect(await tryAddress(baseUrl, { models: ["sonar"] })).toMatchObject({ ok: true, call: { model: "sonar" } });
  });
});

describe("the connection", () => {
  /** Starts an HTTPS server with a certificate, and tests its address through an agent that trusts one. */
  async function tryCertificate(own: { key: string; cert: string }, connect: { ca?: string; servername?: string }) {
    const https = createServer(own, (_request, response) => response.end(JSON.stringify(LIST.body)));
    await new Promise<void>((resolve) => https.listen(0, "127.0.0.1", resolve));
    const dispatcher = new Agent({ connect });
    const result = await tryAddress(`https://127.0.0.1:${(https.address() as AddressInfo).port}/v1`, { dispatcher });
    await dispatcher.destroy();
    https.closeAllConnections();
    await new Promise((resolve) => https.close(resolve));
    return result;
  }

  test.each([
    ["is self-signed", SELF_SIGNED, {}, "self-signed"],
    ["has expired", EXPIRED, { ca: EXPIRED.cert }, "expired"],
    ["is for another host", SELF_SIGNED, { ca: SELF_SIGNED.cert, servername: "other.example" }, "another host"],
  ])("a certificate that %s is named as the problem", async (_what, own, connect, error) => {
    const result = await tryCertificate(own, connect);
    expect(result).toMatchObject({ ok: false, problem: "certificate", error: expect.stringContaining(error) });
    expect(result.advice).not.toBeNull();
  });

  test("HTTPS to a port that speaks HTTP is named as a problem of the address", async () => {
    const baseUrl = await startProvider(LIST, CHAT);
    expect(await tryAddress(baseUrl.replace("http:", "https:"))).toMatchObject({
      problem: "address",
      error: "It does not speak HTTPS at this port.",
    });
  });

  test("a port without a listener and a name without an address are named as problems of the address", async () => {
    expect(await tryAddress("http://127.0.0.1:1/v1")).toMatchObject({
      problem: "address",
      error: "Nothing listens at this address.",
    });
    expect(await tryAddress("http://feather.invalid/v1")).toMatchObject({
      problem: "address",
      error: "The name of this address is not known.",
    });
  });
});
