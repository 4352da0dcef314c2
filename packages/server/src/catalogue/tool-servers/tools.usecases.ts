import { createHash } from "node:crypto";
import type { components } from "@feather/openapi/schema";
import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { type Page, toPagination } from "../../platform/core/http/pagination.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { SECOND_MS } from "../../platform/core/time.ts";
import type { AskServers } from "./ask-servers.ts";
import type { SendOwnRequest } from "./own-tools/own-requests.ts";
import { OWN_SERVER, type OwnTools } from "./own-tools/own-tools.ts";
import { isToolName } from "./read-tools.ts";
import type { ToolCallsRepository } from "./tool-calls.repository.ts";
import { toToolCallRecordDto } from "./tool-servers.dto.ts";
import type { ToolServerRow, ToolServersRepository } from "./tool-servers.repository.ts";

type ToolList = components["schemas"]["ToolList"];
type ToolDto = ToolList["items"][number];
type ToolCallResult = components["schemas"]["ToolCallResult"];
type ToolCallRecordList = components["schemas"]["ToolCallRecordList"];

type Deps = {
  toolServersRepository: Pick<ToolServersRepository, "listUsable">;
  toolCallsRepository: ToolCallsRepository;
  askServers: AskServers;
  ownTools: OwnTools;
  clock: Clock;
  ids: Ids;
};
/** The calls that are being answered, by organization. */
type CallCounts = Map<string, number>;

/** A call to a tool by its name here, which is that of its server, two underscores, and its own. */
export type ToolCall = {
  name: string;
  arguments: Record<string, unknown>;
  signal: AbortSignal;
  /** Sends the requests to this server that its own tools make. */
  send: SendOwnRequest;
};

/** 132 bits, so that nobody finds another description with the same one. */
const FINGERPRINT_LENGTH = 22;
const SEPARATOR = "__";
const MAX_QUOTED_CHARACTERS = 160;
/** How many calls of an organization a process answers at once. */
const MAX_RUNNING = 20;

/** Creates the use cases of those who call tools. */
export function createTools(deps: Deps) {
  const running: CallCounts = new Map();
  return {
    list: (actor: SignedInActor, signal: AbortSignal) => listTools(deps, actor, signal),
    call: (actor: SignedInActor, call: ToolCall) => callTool(deps, running, actor, call),
    listCalls: (actor: SignedInActor, page: Page) => listCalls(deps, actor, page),
  };
}

export type ToolUseCases = ReturnType<typeof createTools>;

/** Lists the tools that the caller may call, this server's own at first. Servers that cannot be asked are named in `problems`. */
async function listTools(
  { toolServersRepository, askServers, ownTools }: Deps,
  actor: SignedInActor,
  signal: AbortSignal,
): Promise<ToolList> {
  const rows = await toolServersRepository.listUsable(actor.organizationId);
  const lists = await Promise.all(rows.map((row) => askServers.listTools(row, { isFresh: false, signal })));
  const ofServers = lists.flatMap(({ tools }, index) => {
    const row = rows[index];
    return row === undefined
      ? []
      : tools.filter(({ name }) => isAllowed(row, name)).map((tool) => toToolDto(row.name, tool));
  });
  return {
    items: [...ownTools.list(actor).map((tool) => toToolDto(OWN_SERVER, tool)), ...ofServers],
    problems: lists.flatMap(({ problems }, index) =>
      problems.map((message) => ({ server: rows[index]?.name ?? "", message })),
    ),
  };
}

function toToolDto(
  server: string,
  { name, title, description, inputSchema, outputSchema, annotations }: Tool,
): ToolDto {
  return {
    name: server + SEPARATOR + name,
    server,
    title: title ?? null,
    description: description ?? null,
    input_schema: inputSchema,
    output_schema: outputSchema ?? null,
    annotations: annotations ?? null,
    fingerprint: toFingerprint([title, description, inputSchema]),
  };
}

/** Returns a text that changes when one of the values does. */
const toFingerprint = (values: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(values)).digest("base64url").slice(0, FINGERPRINT_LENGTH);

const isAllowed = ({ allowed_tools }: ToolServerRow, tool: string): boolean => allowed_tools?.includes(tool) ?? true;

/** Calls a tool, and notes that it was called. Throws `tools.not_found`, and 429 over the number of calls at once. */
async function callTool(
  deps: Deps,
  running: CallCounts,
  actor: SignedInActor,
  call: ToolCall,
): Promise<ToolCallResult> {
  const { server, tool, run } = await findTool(deps, actor, call.name);
  const release = takePlace(running, actor.organizationId);
  const { toolCallsRepository, clock, ids } = deps;
  const startedAt = clock.now();
  try {
    const { result, hasFailed } = await run(call);
    const duration_ms = clock.now().getTime() - startedAt.getTime();
    await toolCallsRepository.add({
      ...{ id: ids.next("tcl"), server, tool, started_at: startedAt, duration_ms },
      organization_id: actor.organizationId,
      user_id: actor.userId,
      api_key_id: actor.credential.type === "key" ? actor.credential.id : null,
      outcome: hasFailed ? "failed" : result.isError ? "tool_error" : "completed",
    });
    return {
      content: result.content,
      structured_content: result.structuredContent ?? null,
      is_error: result.isError ?? false,
      duration_ms,
    };
  } finally {
    release();
  }
}

/** A tool that is there for the caller, and what calls it. `hasFailed` says that its server could not be asked. */
type FoundTool = {
  server: string;
  tool: string;
  run(call: ToolCall): Promise<{ result: CallToolResult; hasFailed: boolean }>;
};

async function findTool(deps: Deps, actor: SignedInActor, name: string): Promise<FoundTool> {
  // Names of servers have no underscores.
  const at = name.indexOf(SEPARATOR);
  const server = name.slice(0, Math.max(0, at));
  const tool = name.slice(at + SEPARATOR.length);
  const run =
    server === OWN_SERVER ? findOwnTool(deps, actor, tool) : await findServersTool(deps, actor, { server, tool });
  if (run === null) throw errors.tools.notFound({ name: name.slice(0, MAX_QUOTED_CHARACTERS) });
  return { server, tool, run };
}

function findOwnTool({ ownTools }: Deps, actor: SignedInActor, tool: string): FoundTool["run"] | null {
  const call = ownTools.find(tool, actor);
  if (call === undefined) return null;
  return async ({ arguments: given, signal, send }) => ({
    result: await call(given, { account: actor.organizationId, signal, send }),
    hasFailed: false,
  });
}

async function findServersTool(
  { toolServersRepository, askServers }: Deps,
  { organizationId }: SignedInActor,
  { server, tool }: { server: string; tool: string },
): Promise<FoundTool["run"] | null> {
  const row = (await toolServersRepository.listUsable(organizationId)).find(({ name }) => name === server);
  if (row === undefined || !isToolName(tool) || !isAllowed(row, tool)) return null;
  return ({ arguments: given, signal }) => askServers.callTool(row, { name: tool, arguments: given }, signal);
}

/** Counts a call of the organization until the returned function is called. */
function takePlace(running: CallCounts, organizationId: string): () => void {
  const count = running.get(organizationId) ?? 0;
  if (count >= MAX_RUNNING)
    throw errors.rateLimitExceeded(`Your organization waits for ${count} calls to tools. Wait for one of them.`, {
      retryAfterSeconds: SECOND_MS / 1000,
    });
  running.set(organizationId, count + 1);
  return () => {
    const left = (running.get(organizationId) ?? 1) - 1;
    if (left === 0) running.delete(organizationId);
    else running.set(organizationId, left);
  };
}

async function listCalls(
  { toolCallsRepository }: Deps,
  { organizationId }: SignedInActor,
  page: Page,
): Promise<ToolCallRecordList> {
  const { calls, total } = await toolCallsRepository.list(organizationId, page);
  return { items: calls.map(toToolCallRecordDto), pagination: toPagination(page, total) };
}
