import type { components } from "@feather/openapi/schema";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  type ListToolsResult,
  McpError,
  type ToolAnnotations,
} from "@modelcontextprotocol/sdk/types.js";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { AppError, errors } from "../../platform/core/errors/index.ts";
import type { SendOwnRequest } from "./own-tools/own-requests.ts";
import type { ToolUseCases } from "./tools.usecases.ts";

type McpRequest = components["schemas"]["McpRequest"];
type McpResponse = components["schemas"]["McpResponse"];

type Deps = { tools: Pick<ToolUseCases, "list" | "call">; identity: { name: string; version: string } };

/** A message to this server, and the version of MCP that its sender names. */
export type McpMessage = {
  actor: SignedInActor;
  message: McpRequest;
  protocolVersion: string | undefined;
  signal: AbortSignal;
  send: SendOwnRequest;
};

/** Answers a message of MCP; null where there is no answer, since it is a notification. Throws `invalid_request`. */
export type McpGateway = (message: McpMessage) => Promise<McpResponse | null>;

/** Where the transport believes to be called. It reads nothing of it. */
const ADDRESS = "http://localhost/mcp";

/** Creates the server of MCP through which programs call the tools of all servers that they may use. It keeps no sessions. */
export function createMcpGateway({ tools, identity }: Deps): McpGateway {
  return async ({ actor, message, protocolVersion, signal, send }) => {
    const server = new Server(identity, { capabilities: { tools: {} } });
    const failures: unknown[] = [];
    const fail = (error: unknown) => void failures.push(error);
    server.setRequestHandler(ListToolsRequestSchema, () => answer(() => listTools(tools, actor, signal), fail));
    server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given = {} } }) =>
      answer(() => callTool(tools, actor, { name, arguments: given, signal, send }), fail),
    );
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      const response = await transport.handleRequest(toRequest(protocolVersion), { parsedBody: message });
      if (failures.length > 0) throw failures[0];
      if (response.status === 202) return null;
      const body = (await response.json()) as McpResponse;
      if (response.ok) return body;
      throw errors.invalidRequest(body.error?.message ?? "The message is not one of MCP.");
    } finally {
      await server.close();
    }
  };
}

/** Returns the head of the request. Every program is answered in JSON, also one that does not say that it reads streams. */
function toRequest(protocolVersion: string | undefined): Request {
  return new Request(ADDRESS, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(protocolVersion !== undefined && { "mcp-protocol-version": protocolVersion }),
    },
  });
}

/**
 * Returns what `work` does. What it refuses is sent to the program as an error of MCP. Other errors are given to `fail`, since the SDK
 * would send their text, which is for the log.
 */
async function answer<T>(work: () => Promise<T>, fail: (error: unknown) => void): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw new McpError(ErrorCode.InvalidParams, error.message);
    fail(error);
    throw error;
  }
}

async function listTools(tools: Deps["tools"], actor: SignedInActor, signal: AbortSignal): Promise<ListToolsResult> {
  const { items, problems } = await tools.list(actor, signal);
  return {
    tools: items.map(({ name, title, description, input_schema, output_schema, annotations }) => ({
      name,
      ...(title !== null && { title }),
      ...(description !== null && { description }),
      // As its server described them.
      inputSchema: input_schema as { type: "object" },
      ...(output_schema !== null && { outputSchema: output_schema as { type: "object" } }),
      ...(annotations !== null && { annotations: annotations as ToolAnnotations }),
    })),
    ...(problems.length > 0 && { _meta: { problems } }),
  };
}

async function callTool(
  tools: Deps["tools"],
  actor: SignedInActor,
  call: Parameters<ToolUseCases["call"]>[1],
): Promise<CallToolResult> {
  const { content, structured_content, is_error } = await tools.call(actor, call);
  return {
    content: content as CallToolResult["content"], // as its server sent it
    ...(structured_content !== null && { structuredContent: structured_content }),
    isError: is_error,
  };
}
