import type { components } from "@feather/openapi/schema";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { refuseLimitedKey } from "../../platform/core/auth/refuse-limited-key.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { isLoopbackHost } from "../../platform/core/network/networks.ts";
import type { Outgoing } from "../../platform/core/network/outgoing.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import type { AskServers } from "./ask-servers.ts";
import { OWN_SERVER } from "./own-tools/own-tools.ts";
import { toToolServerDto } from "./tool-servers.dto.ts";
import type { ToolServerRow, ToolServersRepository, Whose } from "./tool-servers.repository.ts";

type ToolServerDto = components["schemas"]["ToolServer"];
type ToolServerSetRequest = components["schemas"]["ToolServerSetRequest"];
type ToolServerTools = components["schemas"]["ToolServerTools"];

type Deps = {
  db: Database;
  toolServersRepository: ToolServersRepository;
  askServers: AskServers;
  outgoing: Pick<Outgoing, "checkReachable">;
  sealer: Sealer;
  audit: Audit;
  clock: Clock;
  ids: Ids;
};

/** The most servers of an organization, and of those for everybody. */
const MAX_SERVERS = 20;
/** Headers that a client of MCP sets itself, or that describe the connection. */
const REFUSED_HEADER =
  /^(accept|accept-encoding|connection|content-.*|expect|host|keep-alive|last-event-id|mcp-.*|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/** Creates the use cases of those who manage servers of tools: of an organization, or for everybody. */
export function createToolServers(deps: Deps) {
  return bind(deps, { list: listServers, set: setServer, delete: deleteServer, listTools });
}

export type ToolServerUseCases = ReturnType<typeof createToolServers>;

async function listServers({ toolServersRepository }: Deps, whose: Whose): Promise<{ items: ToolServerDto[] }> {
  return { items: (await toolServersRepository.list(whose)).map(toToolServerDto) };
}

/** Registers a server, or replaces the one of the name. Throws `invalid_request` and `tool_servers.limit_reached`. */
async function setServer(
  deps: Deps,
  { actor, whose, name }: { actor: SignedInActor; whose: Whose; name: string },
  request: ToolServerSetRequest,
): Promise<ToolServerDto> {
  const { db, toolServersRepository, audit, clock, ids } = deps;
  refuseLimitedKey(actor);
  if (name === OWN_SERVER)
    throw errors.invalidRequest(`The name ${OWN_SERVER} is kept for this server's own tools.`, { param: "name" });
  const { url, header_name = null, allowed_tools = null, is_enabled = true } = request;
  await checkUrl(deps, url);
  const sealed_secret = sealSecret(deps, request, await toolServersRepository.find(whose, name));
  const row = {
    ...{
      id: ids.next("tsv"),
      organization_id: whose,
      name,
      url,
      header_name,
      sealed_secret,
      allowed_tools,
      is_enabled,
    },
    created_by: actor.userId,
    updated_at: clock.now(),
  };
  await db.transaction().execute(async (trx) => {
    if (!(await toolServersRepository.set(row, MAX_SERVERS, trx)))
      throw errors.toolServers.limitReached({ max: MAX_SERVERS }, { details: { limit: MAX_SERVERS } });
    const details = { host: new URL(url).host, header_name, allowed_tools, is_enabled };
    await audit.record({ actor, action: "tool_servers.set", target: name, details }, trx);
  });
  const stored = (await toolServersRepository.list(whose)).find((other) => other.name === name);
  if (stored === undefined) throw errors.toolServers.notFound(); // removed meanwhile
  return toToolServerDto(stored);
}

async function checkUrl({ outgoing }: Deps, url: string): Promise<void> {
  const { protocol, hostname } = await outgoing.checkReachable(url);
  if (protocol !== "https:" && !isLoopbackHost(hostname))
    throw errors.invalidRequest("url is not valid: it must start with https://.", { param: "url" });
}

/** Returns the secret to store. A stored one is kept only where it is sent to the same host in the same header. */
function sealSecret(
  { sealer }: Deps,
  { url, header_name, header_value }: ToolServerSetRequest,
  stored: ToolServerRow | undefined,
): Buffer | null {
  if (!header_name) {
    if (header_value === undefined) return null;
    throw errors.invalidRequest("header_value needs header_name, which says where it is sent.", {
      param: "header_name",
    });
  }
  if (REFUSED_HEADER.test(header_name))
    throw errors.invalidRequest(`header_name is not valid: ${header_name} cannot hold a secret.`, {
      param: "header_name",
    });
  if (header_value !== undefined) return sealer.seal(header_value);
  const isSame =
    stored?.header_name?.toLowerCase() === header_name.toLowerCase() &&
    new URL(stored.url).origin === new URL(url).origin;
  if (isSame && stored?.sealed_secret) return stored.sealed_secret;
  throw errors.invalidRequest("header_value is missing: there is no secret for this header and this host.", {
    param: "header_value",
  });
}

async function deleteServer(
  { db, toolServersRepository, audit }: Deps,
  { actor, whose, name }: { actor: SignedInActor; whose: Whose; name: string },
): Promise<void> {
  refuseLimitedKey(actor);
  await db.transaction().execute(async (trx) => {
    if (!(await toolServersRepository.delete(whose, name, trx))) throw errors.toolServers.notFound();
    await audit.record({ actor, action: "tool_servers.delete", target: name }, trx);
  });
}

/** Asks a server for its tools, also one that is switched off. Throws `tool_servers.not_found`. */
async function listTools(
  { toolServersRepository, askServers }: Deps,
  whose: Whose,
  name: string,
): Promise<ToolServerTools> {
  const row = await toolServersRepository.find(whose, name);
  if (row === undefined) throw errors.toolServers.notFound();
  const { tools, problems } = await askServers.listTools(row, { isFresh: true });
  const found = new Set(tools.map((tool) => tool.name));
  const missing = (row.allowed_tools ?? []).filter((one) => !found.has(one));
  return {
    items: tools.map(({ name: tool, title, description, inputSchema }) => ({
      ...{ name: tool, title: title ?? null, description: description ?? null, input_schema: inputSchema },
      is_allowed: row.allowed_tools?.includes(tool) ?? true,
    })),
    problems: [...problems, ...missing.map((one) => `It has no tool ${one}, which is allowed.`)],
  };
}
