import packageJson from "../../../package.json" with { type: "json" };
import type { Outgoing } from "../../platform/core/network/outgoing.ts";
import type { ParsePool } from "../../platform/core/parse-pool.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import { SECOND_MS } from "../../platform/core/time.ts";
import type { Base } from "../../platform/index.ts";
import { createAskServers } from "./ask-servers.ts";
import { createMcpClient } from "./mcp-client.ts";
import { createMcpGateway } from "./mcp-gateway.ts";
import { createDeleteOldToolCalls } from "./old-tool-calls.jobs.ts";
import { createOwnTools } from "./own-tools/own-tools.ts";
import { createToolCallsRepository } from "./tool-calls.repository.ts";
import { createToolServersRepository } from "./tool-servers.repository.ts";
import { toolServerRoutes } from "./tool-servers.routes.ts";
import { createToolServers } from "./tool-servers.usecases.ts";
import type { ToolSettings } from "./tools.settings.ts";
import { createTools } from "./tools.usecases.ts";

type Ports = Pick<Base, "db" | "audit" | "clock" | "ids" | "productName"> & {
  outgoing: Outgoing;
  /** Reads web pages in threads. */
  parsePool: ParsePool;
  /** Encrypts the secrets of the servers. */
  sealer: Sealer;
  settings: ToolSettings;
  /** How many days single calls are kept; for ever if undefined. */
  retentionDays: number | undefined;
};

/** Creates the servers of tools that speak the Model Context Protocol, and what calls their tools. */
export function createToolServersModule({ settings, retentionDays, ...ports }: Ports) {
  const identity = { name: ports.productName, version: packageJson.version };
  const toolServersRepository = createToolServersRepository(ports.db);
  const toolCallsRepository = createToolCallsRepository(ports.db);
  const timeoutMs = settings.seconds * SECOND_MS;
  const client = createMcpClient({ outgoing: ports.outgoing, timeoutMs, client: identity });
  const askServers = createAskServers({ ...ports, client });
  const ownTools = createOwnTools({ ...ports, settings });
  const shared = { ...ports, toolServersRepository, toolCallsRepository, askServers, ownTools };
  const toolServers = createToolServers(shared);
  const tools = createTools(shared);
  const answerMcp = createMcpGateway({ tools, identity });
  return {
    routes: toolServerRoutes({ toolServers, tools, answerMcp }),
    jobs: [createDeleteOldToolCalls(shared, retentionDays)],
  };
}

export type { ToolSettings } from "./tools.settings.ts";
