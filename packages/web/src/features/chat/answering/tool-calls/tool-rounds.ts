import type { ChatTool, Tool, ToolCallResult } from "@feather/sdk";
import { toolResultText } from "@feather/sdk/tools";
import {
  chosenTools,
  isApproved,
  isOfferable,
  toChatTool,
  withApprovedTools,
} from "../../conversation/chosen-tools.ts";
import type { Conversations } from "../../conversation/conversations.ts";
import type { ChatSettings } from "../../conversation/settings.ts";
import { type Turn, visibleTurns } from "../../conversation/tree.ts";
import type { Answer, ToolCall, ToolResult } from "../../conversation/types.ts";

/** Lists and calls the tools of servers. */
export type ToolServers = {
  list(): Promise<readonly Tool[]>;
  call(name: string, given: Record<string, unknown>, signal: AbortSignal): Promise<ToolCallResult>;
};

/** What a person decides about a call: it is made, it and all later ones of the tool in this chat are made, or it is not. */
export type Decision = "once" | "always" | "no";

type Deps = {
  conversations: Pick<Conversations, "get" | "update">;
  tools: ToolServers;
  /** Sends the results of an answer's calls to its model. */
  sendResults(conversation: string, results: ToolResult[]): void;
};
type Context = Deps & { running: Map<string, Run>; listeners: Set<() => void> };
type Run = { conversation: string; abort: AbortController };

/** How often tools are called in a row without asking the person again. */
export const MAX_ROUNDS = 10;
/** The most characters of a result that a model gets. */
export const MAX_RESULT_CHARACTERS = 50_000;

/** Makes the calls of answers to tools of servers, and sends models what they return. */
export function createToolRounds(deps: Deps) {
  const context: Context = { ...deps, running: new Map(), listeners: new Set() };
  const { running, listeners } = context;
  return {
    /** Returns the chosen tools as a model is offered them. Rejects if the tools cannot be listed. */
    offer: (settings: ChatSettings): Promise<ChatTool[]> => offerTools(deps, settings),
    /** Returns whether the calls of an answer can be made here: they are for tools of servers. */
    canRun: (answer: Answer): boolean => canRun(deps, answer),
    /** Makes the calls of an answer that has just been received, if the person always allows them. */
    runApproved: (answer: Answer): Promise<void> => runApproved(context, answer),
    /** Makes the calls of an answer as the person has decided, by their ids. Those without a decision are not made. */
    run: (answer: Answer, decisions: Readonly<Record<string, Decision>>): Promise<void> =>
      track(context, answer, (signal) => runCalls(context, answer, decisions, signal)),
    isRunning: (answer: string): boolean => running.has(answer),
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Stops the calls that a conversation waits for, or all. Its model gets no results. */
    stop(conversation?: string): void {
      for (const run of running.values())
        if (conversation === undefined || run.conversation === conversation) run.abort.abort();
    },
  };
}

/** The object returned by `createToolRounds`. */
export type ToolRounds = ReturnType<typeof createToolRounds>;

async function offerTools({ tools }: Deps, settings: ChatSettings): Promise<ChatTool[]> {
  const names = chosenTools(settings);
  if (names.length === 0) return [];
  const all = await tools.list();
  return all.filter((tool) => names.includes(tool.name) && isOfferable(tool)).map(toChatTool);
}

function canRun({ conversations }: Deps, { conversation, toolCalls }: Answer): boolean {
  const settings = conversations.get(conversation)?.conversation.settings;
  if (!settings || toolCalls.length === 0) return false;
  const names = chosenTools(settings);
  // Models may call what nobody has described to them. Only a person knows the results of functions typed in the settings.
  return names.length > 0 && (settings.tools.trim() === "" || toolCalls.every(({ name }) => names.includes(name)));
}

async function runApproved(context: Context, answer: Answer): Promise<void> {
  const snapshot = context.conversations.get(answer.conversation);
  if (!snapshot || answer.state !== "done" || !canRun(context, answer)) return;
  const { settings, chosen } = snapshot.conversation;
  const turns = visibleTurns(snapshot.tree, chosen);
  if (settings.approved_tools === "" || turns.at(-1)?.lanes.length !== 1 || countRounds(turns) >= MAX_ROUNDS) return;
  await track(context, answer, async (signal) => {
    const tools = await context.tools.list().catch(() => []); // the person is asked
    const isAllowed = ({ name }: ToolCall) => tools.some((tool) => tool.name === name && isApproved(settings, tool));
    if (answer.toolCalls.every(isAllowed)) await runCalls(context, answer, decideAll(answer, "once"), signal);
  });
}

const decideAll = ({ toolCalls }: Answer, decision: Decision): Record<string, Decision> =>
  Object.fromEntries(toolCalls.map(({ id }) => [id, decision]));

/** Returns how many turns at the end consist of results of tools only. */
function countRounds(turns: readonly Turn[]): number {
  const at = turns.findLastIndex(({ question }) => question.results.length === 0 || question.text !== "");
  return turns.length - 1 - at;
}

async function track(
  { running, listeners }: Context,
  { id, conversation }: Answer,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (running.has(id)) return;
  const abort = new AbortController();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  running.set(id, { conversation, abort });
  notify();
  try {
    await work(abort.signal);
  } finally {
    running.delete(id);
    notify();
  }
}

async function runCalls(
  context: Context,
  answer: Answer,
  decisions: Readonly<Record<string, Decision>>,
  signal: AbortSignal,
): Promise<void> {
  const { conversation, toolCalls } = answer;
  await approve(
    context,
    conversation,
    toolCalls.filter(({ id }) => decisions[id] === "always"),
  );
  const texts = await Promise.all(
    toolCalls.map((call) => {
      const decision = decisions[call.id] ?? "no";
      return decision === "no"
        ? "Error: the person did not allow this call."
        : callTool(context, conversation, call, signal);
    }),
  );
  if (signal.aborted) return;
  const results = toolCalls.map(({ id, name }, index) => ({ callId: id, name, text: texts[index] ?? "" }));
  context.sendResults(conversation, results);
}

async function approve({ conversations, tools }: Context, conversation: string, calls: ToolCall[]): Promise<void> {
  if (calls.length === 0) return;
  const all = await tools.list().catch(() => []); // it is asked for again the next time
  const approved = all.filter(({ name }) => calls.some((call) => call.name === name));
  void conversations
    .update(conversation, (stored) => ({ ...stored, settings: withApprovedTools(stored.settings, approved) }))
    .catch(() => {});
}

/** Calls a tool. Returns the result for its model, also that of an error. */
async function callTool(
  { conversations, tools }: Context,
  conversation: string,
  { name, arguments: json }: ToolCall,
  signal: AbortSignal,
): Promise<string> {
  const settings = conversations.get(conversation)?.conversation.settings;
  if (!settings || !chosenTools(settings).includes(name)) return `Error: there is no tool ${name}.`;
  const given = parseArguments(json);
  if (given === null) return "Error: the arguments are not a JSON object.";
  try {
    const result = await tools.call(name, given, signal);
    const text = toolResultText(result) || JSON.stringify(result.structured_content ?? "The tool answered nothing.");
    return cut(result.is_error ? `Error: ${text}` : text);
  } catch (error) {
    return `Error: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function parseArguments(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json.trim() === "" ? "{}" : json);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

const cut = (text: string): string =>
  text.length <= MAX_RESULT_CHARACTERS
    ? text
    : `${text.slice(0, MAX_RESULT_CHARACTERS)}\n[cut: ${MAX_RESULT_CHARACTERS} of ${text.length} characters]`;
