import { type HttpServer, startHttpServer } from "@feather/testing/http-server";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { onTestFinished } from "vitest";
import { z } from "zod";

/** A real server of tools, and the answers of what it was asked. */
export type McpTestServer = HttpServer & { address: string };

/** Options of the server: whether it streams its answers, and the secret that it demands in `authorization`. */
type Options = { streams?: boolean; secret?: string; register?: (server: McpServer) => void };

/** Starts a server of tools with the SDK of MCP, without sessions; it ends with the test. */
export async function startMcpServer({
  streams = false,
  secret,
  register = registerTools,
}: Options = {}): Promise<McpTestServer> {
  const started = await startHttpServer(async ({ method, headers, body }, response) => {
    if (secret !== undefined && headers.authorization !== secret) return response.writeHead(401).end("no entry");
    if (method !== "POST") return response.writeHead(405).end();
    const server = new McpServer({ name: "test", version: "1.0.0" });
    register(server);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams });
    await server.connect(transport);
    const request = new Request("http://localhost/mcp", { method, headers: headers as Record<string, string>, body });
    const answer = await transport.handleRequest(request);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const part of answer.body ?? []) response.write(part);
    return response.end();
  });
  onTestFinished(() => started.close());
  return { ...started, address: `${started.url}/mcp` };
}

/** Registers a tool that adds, and one that fails. */
function registerTools(server: McpServer): void {
  server.registerTool(
    "add",
    { title: "Add", description: "Adds two numbers.", inputSchema: { a: z.number(), b: z.number() } },
    ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] }),
  );
  server.registerTool("fail", { description: "Always fails." }, () => {
    throw new Error("The disk is full.");
  });
}

/** The answer to a JSON-RPC request, for servers that are written by hand. */
type RpcAnswer = { result: unknown } | { error: { code: number; message: string } };

/**
 * Starts a server that answers by hand, to show faults: it is initialized like any other, and `answer` gives what other requests
 * get. It ends with the test.
 */
export async function startRpcServer(answer: (method: string, params: unknown) => RpcAnswer): Promise<McpTestServer> {
  const started = await startHttpServer(({ method, body }, response) => {
    if (method !== "POST") return response.writeHead(405).end();
    const message = JSON.parse(body) as { id?: number; method: string; params?: { protocolVersion?: string } };
    if (message.id === undefined) return response.writeHead(202).end();
    const { protocolVersion } = message.params ?? {};
    const initialized = {
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "test", version: "1" } },
    };
    const said = message.method === "initialize" ? initialized : answer(message.method, message.params);
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...said }));
  });
  onTestFinished(() => started.close());
  return { ...started, address: `${started.url}/mcp` };
}
