import {
  type ChatHistoryItem,
  type ChatModelFunctionCall,
  type ChatModelFunctions,
  type ChatWrapper,
  JinjaTemplateChatWrapper,
} from "node-llama-cpp";
import type { ChatTurn, Conversation, Tool } from "../engine-model.ts";
import { parseExactJson, toPlainNumbers } from "../exact-numbers.ts";
import type { ToolFormat } from "../tool-calls/tool-format.ts";

/** How a model's turns are rendered. */
export type HistoryOptions = {
  /** Whether thoughts are marked. */
  marksThoughts: boolean;
  /** Whether the model's own template renders. */
  hasTemplate: boolean;
};

type ModelItem = Extract<ChatHistoryItem, { type: "model" }>;

/**
 * Maps a conversation to node-llama-cpp's history, in which the result of a tool call is part of the model's turn. The
 * history ends with the model's turn to be continued: an assistant message at the end of the conversation is continued.
 * Thoughts before the last question are left out, as models expect it, and all where the model does not mark them.
 * Results stay the text that they are where a template writes them; other wrappers write values as JSON.
 */
export function toChatHistory(
  turns: readonly ChatTurn[],
  { marksThoughts, hasTemplate }: HistoryOptions,
): ChatHistoryItem[] {
  const history: ChatHistoryItem[] = [];
  const calls = new Map<string, ChatModelFunctionCall>();
  const lastModelItem = (): ModelItem => {
    const last = history.at(-1);
    if (last?.type === "model") return last;
    const item: ModelItem = { type: "model", response: [] };
    history.push(item);
    return item;
  };
  const lastQuestion = turns.findLastIndex(({ role }) => role === "user");
  for (const [index, turn] of turns.entries()) {
    if (turn.role === "system") history.push({ type: "system", text: turn.text });
    else if (turn.role === "user") history.push({ type: "user", text: turn.text });
    else if (turn.role === "tool") {
      const call = calls.get(turn.callId);
      if (call) call.result = hasTemplate ? turn.text : parseJsonOrText(turn.text);
    } else {
      const { response } = lastModelItem();
      if (marksThoughts && index > lastQuestion && turn.reasoning !== "") {
        response.push({ type: "segment", segmentType: "thought", text: turn.reasoning, ended: true });
      }
      if (turn.text !== "") response.push(turn.text);
      for (const { id, name, arguments: params } of turn.toolCalls) {
        const call: ChatModelFunctionCall = { type: "functionCall", name, params, result: undefined };
        calls.set(id, call);
        response.push(call);
      }
    }
  }
  lastModelItem();
  return history;
}

/** Returns how a wrapper wants a history. */
export function historyOptionsOf(wrapper: ChatWrapper): HistoryOptions {
  return {
    marksThoughts: wrapper.settings.segments?.thought !== undefined,
    hasTemplate: wrapper instanceof JinjaTemplateChatWrapper,
  };
}

/** Returns the turns with a description of the tools in the system message, where the template has none. */
export function withDescribedTools(
  { turns, tools }: Pick<Conversation, "turns" | "tools">,
  toolFormat: ToolFormat | null,
): readonly ChatTurn[] {
  if (tools.length === 0 || !toolFormat?.describeTools) return turns;
  const description = toolFormat.describeTools(tools);
  const [first, ...others] = turns;
  if (first?.role !== "system") return [{ role: "system", text: description }, ...turns];
  return [{ role: "system", text: `${first.text}\n\n${description}` }, ...others];
}

/**
 * Functions with the grammar for their arguments, which node-llama-cpp takes instead of making its own, and with the schema
 * of the request, which templates describe.
 */
export type ModelFunctions = Record<string, ChatModelFunctions[string] & { grammar?: string; parameters: unknown }>;

/** Returns tools as node-llama-cpp wants them. */
export function toModelFunctions(tools: readonly Tool[]): ModelFunctions {
  return Object.fromEntries(
    tools.map(({ name, description, parameters, grammar }) => [
      name,
      {
        ...(description !== undefined && { description }),
        ...(grammar !== undefined && { params: toDescribedSchema(toPlainNumbers(parameters)), grammar }),
        parameters,
      },
    ]),
  );
}

/** Returns the schema for the prompt. It may have keywords that node-llama-cpp's type lacks. */
function toDescribedSchema(parameters: unknown): NonNullable<ChatModelFunctions[string]["params"]> {
  return { type: "object", ...Object(parameters) };
}

function parseJsonOrText(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}
