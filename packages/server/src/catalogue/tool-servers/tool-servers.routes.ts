import type { Handlers } from "../../platform/core/http/handlers.ts";
import { parsePage } from "../../platform/core/http/pagination.ts";
import { whenGone } from "../../platform/core/http/when-gone.ts";
import type { McpGateway } from "./mcp-gateway.ts";
import { createSendOwnRequest } from "./own-tools/own-requests.ts";
import type { ToolServerUseCases } from "./tool-servers.usecases.ts";
import type { ToolUseCases } from "./tools.usecases.ts";

type UseCases = { toolServers: ToolServerUseCases; tools: ToolUseCases; answerMcp: McpGateway };

/** Routes of servers of tools, of an organization and for everybody, and of calls to their tools. */
export function toolServerRoutes({ toolServers, tools, answerMcp }: UseCases): Handlers {
  return {
    "toolServers.list": ({ actor }) => toolServers.list(actor.organizationId),
    "toolServers.set": ({ actor, path, body }) =>
      toolServers.set({ actor, whose: actor.organizationId, name: path.name }, body),
    "toolServers.delete": async ({ actor, path }) => {
      await toolServers.delete({ actor, whose: actor.organizationId, name: path.name });
      return undefined;
    },
    "toolServers.tools": ({ actor, path }) => toolServers.listTools(actor.organizationId, path.name),
    "admin.toolServers.list": () => toolServers.list(null),
    "admin.toolServers.set": ({ actor, path, body }) => toolServers.set({ actor, whose: null, name: path.name }, body),
    "admin.toolServers.delete": async ({ actor, path }) => {
      await toolServers.delete({ actor, whose: null, name: path.name });
      return undefined;
    },
    "admin.toolServers.tools": ({ path }) => toolServers.listTools(null, path.name),
    "tools.list": ({ actor, reply }) => tools.list(actor, whenGone(reply.raw)),
    "tools.call": ({ actor, path, body, request, reply }) =>
      tools.call(actor, {
        name: path.name,
        arguments: body.arguments ?? {},
        signal: whenGone(reply.raw),
        send: createSendOwnRequest(request),
      }),
    "tools.calls.list": ({ actor, query }) => tools.listCalls(actor, parsePage(query)),
    "mcp.send": async ({ actor, body, request, reply }) => {
      const version = request.headers["mcp-protocol-version"];
      const protocolVersion = typeof version === "string" ? version : undefined;
      const signal = whenGone(reply.raw);
      const answer = await answerMcp({
        ...{ actor, message: body, protocolVersion, signal },
        send: createSendOwnRequest(request),
      });
      if (answer !== null) return answer;
      reply.code(202);
      return undefined;
    },
  };
}
