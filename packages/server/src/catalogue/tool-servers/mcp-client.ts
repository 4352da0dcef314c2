import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import { type CallToolResult, CallToolResultSchema, ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Outgoing } from "../../platform/core/network/outgoing.ts";
import { createLimitedFetch } from "./limited-fetch.ts";
import { type ReadTools, readTools } from "./read-tools.ts";
import { ToolServerError, toToolServerError } from "./tool-server-error.ts";

type Deps = { outgoing: Pick<Outgoing, "fetch">; timeoutMs: number; client: { name: string; version: string } };

/** A server of tools as it is asked: its address, and the header with its secret. */
export type ServerAddress = { url: string; header: { name: string; value: string } | null };

/** Asks servers of tools. All calls throw `ToolServerError`. */
export type McpClient = {
  /** Asks a server for all its tools. */
  listTools(server: ServerAddress, signal?: AbortSignal): Promise<ReadTools>;
  /** Calls a tool by the name that the server has for it. An error of the tool is an answer with `isError`. */
  callTool(server: ServerAddress, call: ToolCall, signal?: AbortSignal): Promise<CallToolResult>;
};

type ToolCall = { name: string; arguments: Record<string, unknown> };

/** The bytes that a server may send for one call or one list. */
const MAX_BYTES = 4 * 1024 * 1024;
/** How deep a server may nest its messages, as deep as bodies of requests to this server: deeper ones take long to read. */
const MAX_DEPTH = 128;
const MAX_PAGES = 20;
/** The most tools of a server that are listed. */
const MAX_TOOLS = 200;

const pageSchema = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/** Creates the client of servers of tools, which speaks streamable HTTP of the Model Context Protocol. */
export function createMcpClient(deps: Deps): McpClient {
  return {
    listTools: (server, signal) => ask(deps, server, signal, listTools),
    callTool: (server, call, signal) => ask(deps, server, signal, (client, options) => callTool(client, call, options)),
  };
}

/** Connects to a server, lets `work` ask it, and ends the connection. */
async function ask<T>(
  { outgoing, timeoutMs, client: identity }: Deps,
  { url, header }: ServerAddress,
  gone: AbortSignal | undefined,
  work: (client: Client, options: RequestOptions) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = gone ? AbortSignal.any([timeout, gone]) : timeout;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const answered = new Set<unknown>();
  const fetch = createLimitedFetch({
    ...{ outgoing, signal, idleTimeoutMs: timeoutMs, maxBytes: MAX_BYTES },
    // The client has read the last message of a body once all promises that wait for it have been served.
    onEnd: (body) => setImmediate(() => failUnanswered(body, answered, failed.reject)),
  });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch,
    ...(header && { requestInit: { headers: { [header.name]: header.value } } }),
    reconnectionOptions: {
      ...{ initialReconnectionDelay: 0, maxReconnectionDelay: 0 },
      reconnectionDelayGrowFactor: 1,
      maxRetries: 0,
    },
  });
  transport.onerror = failed.reject;
  transport.onmessage = (message) => {
    if (isDeeper(message, MAX_DEPTH))
      throw new ToolServerError(`It nests its answer more than ${MAX_DEPTH} levels deep.`);
    if ("id" in message) answered.add(message.id);
  };
  signal.addEventListener("abort", () => failed.reject(signal.reason));
  const client = new Client(identity);
  // The signal ends requests before the client's own timeout does.
  const options = { timeout: 2 * timeoutMs };
  try {
    signal.throwIfAborted();
    const working = client.connect(transport, options).then(() => work(client, options));
    return await Promise.race([working, failed.promise]);
  } catch (error) {
    throw toToolServerError(error, timeoutMs, header?.value);
  } finally {
    // Ends the session of servers that have one. Nothing waits for that.
    void transport
      .terminateSession()
      .catch(() => {})
      .finally(() => client.close());
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1));
}

/** Fails a request whose response has ended without an answer to it. */
function failUnanswered(body: unknown, answered: ReadonlySet<unknown>, fail: (error: Error) => void): void {
  const { id } = (typeof body === "string" ? JSON.parse(body) : {}) as { id?: unknown };
  if (id !== undefined && !answered.has(id)) fail(new ToolServerError("It ended its response without an answer."));
}

async function listTools(client: Client, options: RequestOptions): Promise<ReadTools> {
  if (client.getServerCapabilities()?.tools === undefined) return { tools: [], problems: ["It has no tools."] };
  const found: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const { tools, nextCursor } = await client.request({ method: "tools/list", params }, pageSchema, options);
    found.push(...tools);
    if (found.length > MAX_TOOLS) throw new ToolServerError(`It has more than ${MAX_TOOLS} tools.`);
    if (nextCursor === undefined) return readTools(found);
    cursor = nextCursor;
  }
  throw new ToolServerError(`Its list of tools has more than ${MAX_PAGES} pages.`);
}

async function callTool(client: Client, params: ToolCall, options: RequestOptions): Promise<CallToolResult> {
  try {
    return await client.request({ method: "tools/call", params }, CallToolResultSchema, options);
  } catch (error) {
    // Servers say so of an unknown tool and of wrong arguments, which a model can mend.
    if (!(error instanceof McpError) || Number(error.code) !== ErrorCode.InvalidParams) throw error;
    return { isError: true, content: [{ type: "text", text: error.message }] };
  }
}
