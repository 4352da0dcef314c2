import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import { createOutgoing } from "../../../platform/core/network/outgoing.ts";
import type { ParsePool } from "../../../platform/core/parse-pool.ts";
import { SECOND_MS } from "../../../platform/core/time.ts";
import type { ToolSettings } from "../tools.settings.ts";
import { calculate } from "./calculate.ts";
import { isForCaller, type OwnCall, type OwnTool, toMcpTool, toTextResult } from "./own-tool.ts";
import { createServerTools } from "./server-tools.ts";
import { ToolFailure } from "./tool-failure.ts";
import { createFetchPage, createSearchWeb, PAGE_PARSER } from "./web-tools.ts";

/** The name before this server's own tools. */
export const OWN_SERVER = "feather";

type Deps = { clock: Clock; parsePool: ParsePool; settings: ToolSettings };

/** Creates the tools that this server has itself. */
export function createOwnTools({ settings, parsePool, clock }: Deps) {
  const webTools = createWebTools(settings, parsePool);
  const tools: readonly OwnTool[] = [calculate, ...createServerTools(() => clock.now()), ...webTools];
  const described = tools.map((tool) => ({ tool, description: toMcpTool(tool) }));
  return {
    /** Lists the tools that the caller's credential is enough for. */
    list: (actor: SignedInActor): Tool[] =>
      described.filter(({ tool }) => isForCaller(tool, actor)).map(({ description }) => description),
    /** Returns what calls a tool; undefined for one that there is not, or that is not for the caller. */
    find(name: string, actor: SignedInActor): CallOwnTool | undefined {
      const found = tools.find((tool) => tool.name === name && isForCaller(tool, actor));
      return found && ((given, call) => callOwnTool(found, { given, call, timeoutMs: settings.seconds * SECOND_MS }));
    },
  };
}

/** Creates the tools that the operator has switched on. Each reaches only what it is for, whatever else this server may reach. */
function createWebTools({ webFetch, webAllow, searchUrl }: ToolSettings, parsePool: ParsePool): OwnTool[] {
  return [
    ...(webFetch === "on" ? [createFetchPage(createOutgoing({ allow: webAllow }), parsePool.create(PAGE_PARSER))] : []),
    ...(searchUrl === undefined
      ? []
      : [createSearchWeb(createOutgoing({ allow: [new URL(searchUrl).host] }), searchUrl)]),
  ];
}

export type OwnTools = ReturnType<typeof createOwnTools>;

/** Calls a tool with arguments that may be wrong. A failure is an answer that says why. */
export type CallOwnTool = (given: Record<string, unknown>, call: OwnCall) => Promise<CallToolResult>;

async function callOwnTool(
  tool: OwnTool,
  { given, call, timeoutMs }: { given: Record<string, unknown>; call: OwnCall; timeoutMs: number },
): Promise<CallToolResult> {
  const checked = tool.arguments.safeParse(given);
  if (!checked.success) return toFailedResult(`The arguments are wrong: ${z.prettifyError(checked.error)}`);
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    return await tool.run(checked.data, { ...call, signal: AbortSignal.any([call.signal, limit]) });
  } catch (error) {
    if (error instanceof ToolFailure) return toFailedResult(error.message);
    if (limit.aborted) return toFailedResult(`It did not end within ${timeoutMs / SECOND_MS} seconds.`);
    throw error;
  }
}

const toFailedResult = (text: string): CallToolResult => ({ ...toTextResult(text), isError: true });
