import type { ServerResponse } from "node:http";
import { type RecordedRequest, startHttpServer } from "@feather/testing/http-server";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createOutgoing } from "../../platform/core/network/outgoing.ts";
import { createMcpClient } from "./mcp-client.ts";
import { startMcpServer, startRpcServer } from "./testing/mcp-server.ts";

const identity = { name: "Feather", version: "1.0.0" };
const outgoing = createOutgoing({ allow: ["127.0.0.1"] });
const client = createMcpClient({ outgoing, timeoutMs: 60_000, client: identity });
/** Gives up at once, for servers that never answer. */
const hasty = createMcpClient({ outgoing, timeoutMs: 100, client: identity });
afterAll(() => outgoing.close());

const at = (url: string, header: { name: string; value: string } | null = null) => ({ url, header });
const add = { name: "add", arguments: { a: 2, b: 3 } };

/** Starts a server that answers every request in its own way. */
async function startFaulty(respond: (request: RecordedRequest, response: ServerResponse) => unknown) {
  const server = await startHttpServer(respond);
  onTestFinished(() => server.close());
  return `${server.url}/mcp`;
}

describe("a server of tools", () => {
  test.each([
    ["in JSON", false],
    ["as an event stream", true],
  ])("that answers %s lists its tools and answers calls", async (_how, streams) => {
    const { address } = await startMcpServer({ streams });
    const { tools, problems } = await client.listTools(at(address));
    expect(tools.map(({ name, title, description }) => ({ name, title, description }))).toEqual([
      { name: "add", title: "Add", description: "Adds two numbers." },
      { name: "fail", title: undefined, description: "Always fails." },
    ]);
    expect(tools[0]?.inputSchema).toMatchObject({ type: "object", required: ["a", "b"] });
    expect(problems).toEqual([]);
    expect(await client.callTool(at(address), add)).toMatchObject({ content: [{ type: "text", text: "5" }] });
  });

  test("gets the secret in its header, and is refused without it in words", async () => {
    const server = await startMcpServer({ secret: "Bearer right" });
    const { address } = server;
    const right = { name: "authorization", value: "Bearer right" };
    expect(await client.callTool(at(address, right), add)).toMatchObject({ content: [{ text: "5" }] });
    await expect(client.callTool(at(address), add)).rejects.toThrow("It refused the credentials (status 401).");
  });

  test("is opened no stream for messages that nobody would read", async () => {
    const server = await startMcpServer();
    await client.callTool(at(server.address), add);
    expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(["POST"]));
  });

  /** Starts a server with sessions and without tools, which calls `called` in place of an answer to a call. */
  async function startWithSession(called: () => void) {
    const ended = Promise.withResolvers<string>();
    const url = await startFaulty(({ method, headers, body }, response) => {
      if (method === "DELETE") ended.resolve(String(headers["mcp-session-id"]));
      const message = JSON.parse(body || "{}") as {
        id?: number;
        method: string;
        params?: { protocolVersion?: string };
      };
      if (message.id === undefined) return response.writeHead(202).end();
      if (message.method === "tools/call") return called();
      const serverInfo = { name: "test", version: "1" };
      const result = { protocolVersion: message.params?.protocolVersion, capabilities: {}, serverInfo };
      response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "session-1" });
      return response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
    });
    return { url, ended: ended.promise };
  }

  test("gets a request that ends its session", async () => {
    const { url, ended } = await startWithSession(() => {});
    expect(await client.listTools(at(url))).toEqual({ tools: [], problems: ["It has no tools."] });
    expect(await ended).toBe("session-1");
  });

  test("gets a request that ends its session also when the caller has gone", async () => {
    const gone = new AbortController();
    const { url, ended } = await startWithSession(() => gone.abort());
    await expect(client.callTool(at(url), add, gone.signal)).rejects.toThrow("The caller did not wait for its answer.");
    expect(await ended).toBe("session-1");
  });

  test("that has a tool fail answers with the error of the tool", async () => {
    const { address } = await startMcpServer();
    expect(await client.callTool(at(address), { name: "fail", arguments: {} })).toMatchObject({
      isError: true,
      content: [{ type: "text", text: "The disk is full." }],
    });
  });

  test.each([
    ["an unknown tool", { name: "find", arguments: {} }, "find"],
    ["wrong arguments", { name: "add", arguments: { a: "two" } }, "add"],
  ])("answers a call of %s with an error that a model can read", async (_what, call, text) => {
    const { address } = await startMcpServer();
    const answer = await client.callTool(at(address), call);
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer.content)).toContain(text);
  });

  test("that says of an unknown tool that the parameters are wrong is quoted", async () => {
    const { address } = await startRpcServer(() => ({ error: { code: -32602, message: "Unknown tool: find" } }));
    const answer = await client.callTool(at(address), { name: "find", arguments: {} });
    expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("Unknown tool: find") }] });
  });
});

describe("a list of tools", () => {
  const tool = (name: string, inputSchema: unknown = { type: "object" }) => ({ name, inputSchema });

  test("is read over all of its pages", async () => {
    const { address } = await startRpcServer((_method, params) =>
      (params as { cursor?: string }).cursor === undefined
        ? { result: { tools: [tool("first")], nextCursor: "next" } }
        : { result: { tools: [tool("second")] } },
    );
    const { tools } = await client.listTools(at(address));
    expect(tools.map(({ name }) => name)).toEqual(["first", "second"]);
  });

  test("leaves out tools that nobody could call, and says why", async () => {
    const { address } = await startRpcServer(() => ({
      result: {
        tools: [
          tool("good", { $schema: "http://json-schema.org/draft-07/schema#", type: "object" }),
          tool("good"),
          tool("broken", { type: "object", properties: { a: { type: "quantity" } } }),
          tool("dialect", { $schema: "https://example.com/own", type: "object" }),
          tool("with space"),
          tool("list", { type: "array" }),
          { ...tool("task"), execution: { taskSupport: "required" } },
          "nonsense",
        ],
      },
    }));
    const { tools, problems } = await client.listTools(at(address));
    expect(tools.map(({ name }) => name)).toEqual(["good"]);
    expect(problems).toEqual([
      "The tool good is left out: another one has its name.",
      "The tool broken is left out: the schema of its arguments is not JSON Schema.",
      "The tool dialect is left out: the schema of its arguments is not JSON Schema.",
      "The tool with space is left out: its name has other characters than letters, digits, underscores, dots and hyphens.",
      "The tool list is left out: it is not described as MCP asks.",
      "The tool task is left out: it can be called as a task only, which is not supported.",
      "The tool at position 8 is left out: it is not described as MCP asks.",
    ]);
  });

  test("of more than 200 tools is refused", async () => {
    const tools = Array.from({ length: 201 }, (_none, index) => tool(`tool${index}`));
    const { address } = await startRpcServer(() => ({ result: { tools } }));
    await expect(client.listTools(at(address))).rejects.toThrow("It has more than 200 tools.");
  });

  test("with an enumeration of very many values is read without comparing each with each", async () => {
    const values = Array.from({ length: 200_000 }, (_none, index) => index);
    const schema = { $schema: "http://json-schema.org/draft-07/schema#", type: "object" };
    const { address } = await startRpcServer(() => ({
      result: { tools: [tool("pick", { ...schema, properties: { value: { enum: values } } })] },
    }));
    const { tools } = await client.listTools(at(address)); // minutes otherwise
    expect(tools.map(({ name }) => name)).toEqual(["pick"]);
  });

  test("whose pages do not end is refused", async () => {
    const { address } = await startRpcServer(() => ({ result: { tools: [], nextCursor: "again" } }));
    await expect(client.listTools(at(address))).rejects.toThrow("Its list of tools has more than 20 pages.");
  });
});

describe("a server that cannot be used", () => {
  const TEN_MEGABYTES = 10 * 1024 * 1024;

  test("is named where nothing listens", async () => {
    const server = await startHttpServer(() => {});
    await server.close();
    await expect(client.listTools(at(`${server.url}/mcp`))).rejects.toThrow(/refuse|listen/i);
  });

  test("has not answered within the time", async () => {
    const url = await startFaulty(() => {});
    await expect(hasty.callTool(at(url), add)).rejects.toThrow("It did not answer within 0.1 seconds.");
  });

  test("sends a stream that never ends", async () => {
    const url = await startFaulty((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const timer = setInterval(() => response.write(": still here\n\n"), 10);
      response.on("close", () => clearInterval(timer));
    });
    await expect(hasty.callTool(at(url), add)).rejects.toThrow("It did not answer within 0.1 seconds.");
  });

  test("floods", async () => {
    const url = await startFaulty((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const part = Buffer.alloc(256 * 1024, "x");
      const write = () => {
        while (!response.destroyed && response.write(part));
        response.once("drain", write);
      };
      write();
    });
    await expect(client.callTool(at(url), add)).rejects.toThrow("It sent more than 4 MB.");
  });

  test("answers with ten megabytes", async () => {
    const text = "x".repeat(TEN_MEGABYTES);
    const { address } = await startRpcServer(() => ({ result: { content: [{ type: "text", text }] } }));
    await expect(client.callTool(at(address), add)).rejects.toThrow("It sent more than 4 MB.");
  });

  test("ends its stream without an answer", async () => {
    const url = await startFaulty((_request, response) =>
      response.writeHead(200, { "content-type": "text/event-stream" }).end(": good bye\n\n"),
    );
    await expect(client.callTool(at(url), add)).rejects.toThrow("It ended its response without an answer.");
  });

  test.each([
    ["broken JSON", "application/json", '{"jsonrpc": "2.0", "id":', "It does not answer as MCP describes."],
    ["JSON of another kind", "application/json", '{"hello": "world"}', "It does not answer as MCP describes."],
    ["a broken event", "text/event-stream", "data: {nonsense\n\n", "It does not answer as MCP describes."],
    ["a web page", "text/html", "<p>Hello</p>", "It answered neither in JSON nor as an event stream."],
  ])("answers with %s", async (_what, type, body, message) => {
    const url = await startFaulty((_request, response) => response.writeHead(200, { "content-type": type }).end(body));
    await expect(client.listTools(at(url))).rejects.toThrow(message);
  });

  test("answers a call with a result of another form", async () => {
    const { address } = await startRpcServer(() => ({ result: { content: "five" } }));
    await expect(client.callTool(at(address), add)).rejects.toThrow("It does not answer as MCP describes.");
  });

  test("reports an error of its own, of which the beginning is quoted", async () => {
    const message = `The database is gone. ${"x".repeat(2_000)}`;
    const { address } = await startRpcServer(() => ({ error: { code: -32603, message } }));
    const refused = client.callTool(at(address), add);
    await expect(refused).rejects.toThrow("It reported an error: The database is gone.");
    await expect(refused).rejects.toThrow(/^.{1,600}$/);
  });

  test("quotes the secret in an error, which is hidden", async () => {
    const { address } = await startRpcServer(() => ({
      error: { code: -32000, message: `token-of-the-server is not known. ${"x".repeat(460)} token-of-the-server` },
    }));
    const refused = client.callTool(at(address, { name: "authorization", value: "Bearer token-of-the-server" }), add);
    await expect(refused).rejects.toThrow("It reported an error: [secret] is not known.");
    await expect(refused).rejects.toThrow(/^((?!token-of).)*$/);
  });

  test.each([
    ["in JSON", "application/json", ""],
    ["as an event stream", "text/event-stream", "data: "],
  ])("nests what it answers %s too deep", async (_how, type, start) => {
    const nested = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const url = await startFaulty(({ body }, response) => {
      const { id } = JSON.parse(body || "{}") as { id?: number };
      response.writeHead(200, { "content-type": type });
      response.end(`${start}{"jsonrpc":"2.0","id":${id},"result":{"nested":${nested}}}\n\n`);
    });
    await expect(client.listTools(at(url))).rejects.toThrow("It nests its answer more than 128 levels deep.");
  });

  test("answers with another status", async () => {
    const url = await startFaulty((_request, response) => response.writeHead(503).end("later"));
    await expect(client.callTool(at(url), add)).rejects.toThrow("It answered with status 503.");
  });

  test("redirects to another place, which does not get the secret", async () => {
    const other = await startMcpServer();
    const url = await startFaulty((_request, response) => response.writeHead(307, { location: other.address }).end());
    const refused = client.callTool(at(url, { name: "authorization", value: "Bearer secret" }), add);
    await expect(refused).rejects.toThrow("It redirected to another place (status 307), which is not followed.");
    expect(other.requests).toEqual([]);
  });

  test("is at a private address that the operator does not allow", async () => {
    const guarded = createOutgoing();
    onTestFinished(() => guarded.close());
    const server = await startMcpServer();
    const { port } = new URL(server.url);
    const careful = createMcpClient({ outgoing: guarded, timeoutMs: 60_000, client: identity });
    for (const host of ["127.0.0.1", "localhost"])
      await expect(careful.listTools(at(`http://${host}:${port}/mcp`))).rejects.toThrow(
        "Its address is not public, and the operator does not allow it.",
      );
    expect(server.requests).toEqual([]);
  });

  test("is not waited for by a caller who has gone", async () => {
    const arrived = Promise.withResolvers<void>();
    const url = await startFaulty(() => arrived.resolve());
    const gone = new AbortController();
    const refused = client.callTool(at(url), add, gone.signal);
    await arrived.promise;
    gone.abort();
    await expect(refused).rejects.toThrow("The caller did not wait for its answer.");
  });
});
