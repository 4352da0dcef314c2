import { type HttpServer, startHttpServer } from "@feather/testing/http-server";
import { waitFor } from "@feather/testing/wait-for";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { MODEL } from "../../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../../testing/server.ts";

const OWN = ["calculate", "search_models", "describe_model", "ask_model", "read_usage", "read_docs"];
const RESULT = { title: "Feathers", url: "https://example.com/feathers", content: "They insulate." };

let server: TestServer;
let upstream: Awaited<ReturnType<TestServer["addUpstream"]>>;
let web: HttpServer;
let owner: Account;
/** What the web server answers next. */
let page: { status?: number; type: string; body: string | Buffer; location?: string };
const searches: string[] = [];

beforeAll(async () => {
  web = await startHttpServer(({ url }, response) => {
    if (url.startsWith("/search")) searches.push(url);
    const { status = 200, type, body, location } = page;
    response.writeHead(status, { "content-type": type, ...(location !== undefined && { location }) }).end(body);
  });
  server = await createTestServer({
    env: {
      FEATHER_TOOL_WEB_FETCH: "on",
      FEATHER_TOOL_SEARCH_URL: `${web.url}/search?language=en`,
      FEATHER_TOOL_WEB_ALLOW: new URL(web.url).host,
      FEATHER_OUTGOING_ALLOW: "10.0.0.0/8",
      FEATHER_TRUSTED_PROXIES: "loopback",
    },
  });
  upstream = await server.addUpstream({ tokens: ["Because ", "of air."] });
  owner = await server.signUp();
});
afterAll(async () => {
  await server.close();
  await web.close();
});

type Result = { content: { text: string }[]; structured_content: Record<string, unknown> | null; is_error: boolean };

async function call(name: string, given: object = {}, { token } = owner): Promise<Result> {
  const answer = await server.call(`/api/tools/feather__${name}/call`, { token, body: { arguments: given } });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Result;
}
const textOf = ({ content }: Result) => content[0]?.text ?? "";
async function namesFor(token: string): Promise<string[]> {
  const { items } = (await server.call("/api/tools", { token })).body as { items: { name: string }[] };
  return items.map(({ name }) => name);
}
const createKey = async (scopes: string[]) => (await server.createKey(owner, { scopes })).secret;

describe("this server's own tools", () => {
  test("stand before those of servers, with what they do as annotations", async () => {
    const { items } = (await server.call("/api/tools", { token: owner.token })).body as {
      items: { name: string; annotations: object; input_schema: object }[];
    };
    expect(items.map(({ name }) => name)).toEqual(
      [...OWN, "fetch_page", "search_web"].map((name) => `feather__${name}`),
    );
    expect(items[0]).toMatchObject({
      annotations: { readOnlyHint: true, openWorldHint: false },
      input_schema: { type: "object", required: ["expression"], additionalProperties: false },
    });
    expect(items[3]?.annotations).toEqual({ readOnlyHint: false, destructiveHint: false, openWorldHint: false });
  });

  test("that call models and read usage are there only for credentials with that scope", async () => {
    const key = await createKey(["tools.call"]);
    const names = await namesFor(key);
    expect(names).toContain("feather__calculate");
    expect(names).not.toContain("feather__ask_model");
    expect(names).not.toContain("feather__read_usage");
    const refused = await server.call("/api/tools/feather__ask_model/call", { token: key, body: { arguments: {} } });
    expect(refused.status).toBe(404);
    expect(await namesFor(await createKey(["tools.call", "api.access"]))).toContain("feather__ask_model");
  });

  test("are in the list of calls, without arguments", async () => {
    const account = await server.signUp();
    await call("calculate", { expression: "1 + 1" }, account);
    await call("calculate", { expression: "x" }, account);
    const { items } = (await server.call("/api/tools/calls", { token: account.token })).body as { items: object[] };
    expect(items).toMatchObject([
      { server: "feather", tool: "calculate", outcome: "tool_error" },
      { server: "feather", tool: "calculate", outcome: "completed" },
    ]);
    expect(JSON.stringify(items)).not.toContain("1 + 1");
  });

  test("are called over MCP by its official client, which accepts their objects", async () => {
    const client = new Client({ name: "test", version: "1.0.0" });
    const requestInit = { headers: { authorization: `Bearer ${owner.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("feather__search_models");
    expect(tools[0]?.annotations).toMatchObject({ readOnlyHint: true });
    const result = await client.callTool({ name: "feather__search_models", arguments: { search: "demo" } });
    expect(result.structuredContent).toMatchObject({
      models: expect.arrayContaining([expect.objectContaining({ id: MODEL, state: "warm" })]),
    });
  });

  test("are called with the cookie of a sign-in, but not from the page of another site", async () => {
    const body = {
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name: "feather__read_usage", arguments: { days: 7 } },
    };
    const headers = { cookie: `session=${owner.token}` };
    const answer = await server.call("/mcp", { headers, body });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ result: { isError: false, structuredContent: { days: 7 } } });
    const other = await server.call("/mcp", { headers: { ...headers, origin: "https://evil.example" }, body });
    expect(other.status).toBe(403);
  });

  test("work for a key with the addresses that it is for, as a proxy names them", async () => {
    const fields = { scopes: ["tools.call", "api.access"], ip_allowlist: ["203.0.113.0/24"] };
    const { secret: token } = await server.createKey(await server.signUp(), fields);
    const callFrom = (address: string) =>
      server.call("/api/tools/feather__read_usage/call", {
        ...{ token, body: {} },
        headers: { "x-forwarded-for": address },
      });
    expect((await callFrom("198.51.100.7")).status).toBe(403);
    const { status, body, text } = await callFrom("203.0.113.5");
    expect(status, text).toBe(200);
    expect(body).toMatchObject({ is_error: false, structured_content: { days: 30 } });
  });

  test("answer wrong arguments with what is wrong", async () => {
    const result = await call("calculate", { expressions: "1" });
    expect(result.is_error).toBe(true);
    expect(textOf(result)).toMatch(/expression/);
  });
});

describe("the calculator", () => {
  test.each([
    ["(3 + 4) * 2 ^ 3", "56"],
    ["sqrt(2) * sqrt(2) - 2 < 1", null],
    ["-7 % 3", "2"],
    ["round(2 / 3 * 100) / 100", "0.67"],
    ["max(1, 2, hypot(3, 4))", "5"],
    ["sin(pi / 2)", "1"],
    ["1 / 0", null],
    ["sqrt(-1)", null],
    ["1:1000000000", null],
    ["[1, 2]", null],
    ["a = 3", null],
    ["f(x) = x", null],
    ['import("fs")', null],
    ["factorial(170)", null],
    ["cos.constructor", null],
    ["(", null],
    ["1; 2", null],
  ])("answers %s with %s", async (expression, value) => {
    const result = await call("calculate", { expression });
    expect(result.is_error).toBe(value === null);
    if (value !== null) expect(textOf(result)).toBe(value);
  });
});

describe("models, usage and documentation", () => {
  test("are read as the caller", async () => {
    expect((await call("search_models", { search: "nothing-like-this" })).structured_content).toEqual({
      total: 0,
      models: [],
    });
    expect((await call("describe_model", { model: MODEL })).structured_content).toMatchObject({
      id: MODEL,
    });
    const missing = await call("describe_model", { model: "acme/none" });
    expect(missing.is_error).toBe(true);
    expect(textOf(missing)).toContain("acme/none");
  });

  test.each(["describe_model", "ask_model"])("%s takes no id that would lead to another address", async (name) => {
    for (const model of [".", "..", "\ud800"]) {
      const result = await call(name, { model, ...(name === "ask_model" && { prompt: "Why?" }) });
      expect(result.is_error).toBe(true);
      expect(textOf(result)).toMatch(/no id of a model/);
    }
  });

  test("a model is asked at the cost of the caller, with its limits", async () => {
    const account = await server.signUp();
    const result = await call("ask_model", { model: MODEL, prompt: "Why?", system: "Be brief." }, account);
    expect(textOf(result)).toBe("Because of air.");
    expect(upstream.recordedRequests.at(-1)?.body).toMatchObject({
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Why?" },
      ],
    });
    await waitFor(async () => {
      const { structured_content } = await call("read_usage", { days: 1 }, account);
      expect(structured_content).toMatchObject({ days: 1, requests: 1 });
    });
    expect((await call("read_usage", { days: 1 }, await server.signUp())).structured_content?.requests).toBe(0);
    const refused = await call("ask_model", { model: "acme/none", prompt: "Why?" }, account);
    expect(refused.is_error).toBe(true);
    expect(textOf(refused)).toContain("acme/none");
  });

  test("a model stops answering when whoever called the tool has gone, and is called without its key or cookie", async () => {
    const account = await server.signUp();
    const model = `up:${MODEL}`;
    upstream.scripts.set(model, { fault: { kind: "stall", after: 0 } });
    onTestFinished(() => void upstream.scripts.delete(model));
    const [called, cancelled] = [upstream.recordedRequests.length, upstream.cancelled.length];
    const caller = new AbortController();
    const leaving = server.call("/api/tools/feather__ask_model/call", {
      token: account.token,
      body: { arguments: { model: MODEL, prompt: "Why?" } },
      signal: caller.signal,
    });
    const left = expect(leaving).rejects.toThrow();
    await waitFor(() => expect(upstream.recordedRequests.length).toBe(called + 1));
    expect(upstream.cancelled.length).toBe(cancelled);
    caller.abort();
    await left;
    await waitFor(() => expect(upstream.cancelled.slice(cancelled)).toMatchObject([{ model }]));
    expect(JSON.stringify(upstream.recordedRequests.at(-1)?.headers)).not.toContain(account.token);
  });

  test("a key that may call one model asks only that one", async () => {
    const scopes = ["tools.call", "api.access"];
    const account = await server.signUp();
    const { secret: token } = await server.createKey(account, { scopes, allowed_models: ["Qwen/Qwen3-32B"] });
    const result = await call("ask_model", { model: MODEL, prompt: "Why?" }, { ...account, token });
    expect(result.is_error).toBe(true);
    expect(textOf(result)).toMatch(/feather\/demo/);
  });
});

describe("web pages", () => {
  const fetchPage = (url = `${web.url}/page`) => call("fetch_page", { url });

  test("are read as text, without scripts and menus", async () => {
    page = {
      type: "text/html; charset=iso-8859-1",
      body: Buffer.from(
        "<title>T</title><nav>Menu</nav><h1>Fl\u00fcgel</h1><p>Are <b>light</b>. <a href='/more'>More</a></p><script>steal()</script>",
        "latin1",
      ),
    };
    const text = textOf(await fetchPage());
    expect(text).toContain("Are light.");
    expect(text).toMatch(/fl\u00fcgel/i);
    expect(text).toContain("/more");
    expect(text).not.toMatch(/Menu|steal/);
  });

  test.each<[string, typeof page, RegExp]>([
    ["one that is not there", { status: 404, type: "text/html", body: "no" }, /status 404/],
    ["a picture", { type: "image/png", body: "PNG" }, /no text but image\/png/],
    ["more than a megabyte", { type: "text/plain", body: Buffer.alloc(1_100_000, 97) }, /more than/],
    [
      "a redirect inward",
      { status: 302, type: "text/plain", body: "", location: "http://127.0.0.1:8081/" },
      /not public/,
    ],
  ])("fail in words for %s", async (_, answer, message) => {
    page = answer;
    const result = await fetchPage();
    expect(result.is_error).toBe(true);
    expect(textOf(result)).toMatch(message);
  });

  test.each(["http://10.0.0.1/", "http://169.254.169.254/latest", "http://[::1]/", "http://user:pass@example.com/"])(
    "%s is not fetched",
    async (url) => {
      const result = await fetchPage(url);
      expect(result.is_error).toBe(true);
      expect(textOf(result)).toMatch(/not public/);
    },
  );

  test.each(["file:///etc/passwd", "ftp://example.com/", "no address"])("%s is no argument", async (url) => {
    expect(textOf(await fetchPage(url))).toContain("The arguments are wrong");
  });

  test("that take too long to read are given up, and the server answers others meanwhile", async () => {
    page = { type: "text/html", body: `${"<a>".repeat(349_000)}deep` };
    const progress = { isDone: false };
    const reading = fetchPage().finally(() => {
      progress.isDone = true;
    });
    const answered: boolean[] = [];
    while (!progress.isDone) {
      expect((await server.call("/api/health/live")).status).toBe(200);
      answered.push(progress.isDone);
    }
    const result = await reading;
    expect(result.is_error).toBe(true);
    expect(textOf(result)).toMatch(/takes too long to read/);
    expect(answered.filter((wasDone) => !wasDone).length).toBeGreaterThan(20);
  });

  test("with more text than is returned end in the middle", async () => {
    page = { type: "text/html", body: "<p>feather</p>".repeat(10_000) };
    const text = textOf(await fetchPage());
    expect(text).toHaveLength(50_000);
    expect(text.startsWith("feather\n\nfeather")).toBe(true);
  });

  test("are found by the operator's search", async () => {
    page = { type: "application/json", body: JSON.stringify({ results: [RESULT, { ...RESULT, content: null }] }) };
    const { structured_content } = await call("search_web", { query: "light & warm" });
    expect(structured_content).toEqual({
      results: [
        { title: "Feathers", url: "https://example.com/feathers", excerpt: "They insulate." },
        { title: "Feathers", url: "https://example.com/feathers", excerpt: "" },
      ],
    });
    expect(searches.at(-1)).toBe("/search?language=en&q=light+%26+warm&format=json");
    page = { type: "text/html", body: "<p>blocked</p>" };
    expect(textOf(await call("search_web", { query: "x" }))).toContain("does not answer as SearXNG does");
  });
});
