import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { LRUCache } from "lru-cache";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import { MINUTE_MS } from "../../platform/core/time.ts";
import type { McpClient, ServerAddress } from "./mcp-client.ts";
import type { ReadTools } from "./read-tools.ts";
import { ToolServerError } from "./tool-server-error.ts";
import type { ToolServerRow } from "./tool-servers.repository.ts";

type Deps = { client: McpClient; sealer: Sealer; clock: Clock };
type Context = Deps & { lists: LRUCache<string, ReadTools> };

/** How long the list of a server's tools is kept. */
const LIST_LIFETIME_MS = MINUTE_MS;
const MAX_LISTS = 200;
/** How long all lists that are kept may be together, as JSON. */
const MAX_LISTS_CHARACTERS = 64 * 1024 * 1024;

/** Asks registered servers of tools, with their secrets. What they have answered about their tools is kept for a minute. */
export function createAskServers(deps: Deps) {
  const lists = new LRUCache<string, ReadTools>({
    max: MAX_LISTS,
    maxSize: MAX_LISTS_CHARACTERS,
    sizeCalculation: (list) => JSON.stringify(list).length,
    ttl: LIST_LIFETIME_MS,
    perf: { now: () => deps.clock.now().getTime() },
    ttlResolution: 0,
  });
  return bind<Context, { listTools: typeof listTools; callTool: typeof callTool }>(
    { ...deps, lists },
    { listTools, callTool },
  );
}

export type AskServers = ReturnType<typeof createAskServers>;

/** Returns the tools of a server. Where it cannot be asked, there are none, and `problems` says why. */
async function listTools(
  { client, sealer, lists }: Context,
  row: ToolServerRow,
  { isFresh, signal }: { isFresh: boolean; signal?: AbortSignal },
): Promise<ReadTools> {
  const kept = isFresh ? undefined : lists.get(row.id);
  if (kept !== undefined) return kept;
  try {
    const read = await client.listTools(toServerAddress(sealer, row), signal);
    lists.set(row.id, read);
    return read;
  } catch (error) {
    if (!(error instanceof ToolServerError)) throw error;
    return { tools: [], problems: [error.message] };
  }
}

/** Calls a tool. `hasFailed` says that its server could not be asked, which the result then describes. */
async function callTool(
  { client, sealer }: Context,
  row: ToolServerRow,
  call: { name: string; arguments: Record<string, unknown> },
  signal?: AbortSignal,
): Promise<{ result: CallToolResult; hasFailed: boolean }> {
  try {
    return { result: await client.callTool(toServerAddress(sealer, row), call, signal), hasFailed: false };
  } catch (error) {
    if (!(error instanceof ToolServerError)) throw error;
    const text = `The server of tools ${row.name} cannot be used. ${error.message}`;
    return { result: { isError: true, content: [{ type: "text", text }] }, hasFailed: true };
  }
}

function toServerAddress(sealer: Sealer, { url, header_name, sealed_secret }: ToolServerRow): ServerAddress {
  if (header_name === null) return { url, header: null };
  // Taken from all rows when the secret of the installation is replaced without the one before.
  if (sealed_secret === null) throw new ToolServerError("Its secret is missing. An admin has to set it again.");
  return { url, header: { name: header_name, value: sealer.open(sealed_secret) } };
}
