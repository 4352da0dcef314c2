import {
  type ChatHistoryItem,
  type ChatModelFunctionCall,
  type ChatModelFunctions,
  type ChatWrapper,
  JinjaTemplateChatWrapper,
} from "node-llama-cpp";
import {
  type ChatTurn,
  type Conversation,
  type Tool,
  UnusableSchemaError,
  UnusableToolError,
} from "../engine-model.ts";
import { parseExactJson, toPlainNumbers } from "../exact-numbers.ts";
import type { ToolFormat } from "../tool-calls/tool-format.ts";
import { toGrammarSchema } from "./json-schema.ts";

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

/** Functions with the schema of a grammar (`params`) and the one of the request, which templates describe. */
export type ModelFunctions = Record<string, ChatModelFunctions[string] & { parameters: unknown }>;

/** Throws {@link UnusableToolError} for parameters that can't be turned into a grammar. */
export function toModelFunctions(tools: readonly Tool[]): ModelFunctions {
  return Object.fromEntries(
    tools.map((tool) => {
      const params = hasProperties(tool.parameters) ? toParametersSchema(tool) : undefined;
      return [
        tool.name,
        {
          ...(tool.description !== undefined && { description: tool.description }),
          ...(params && { params }),
          parameters: tool.parameters,
        },
      ];
    }),
  );
}

function toParametersSchema({ name, parameters }: Tool) {
  try {
    return toGrammarSchema(toPlainNumbers(parameters));
  } catch (error) {
    if (error instanceof UnusableSchemaError) throw new UnusableToolError(`Tool ${name}: ${error.message}`);
    throw error;
  }
}

function hasProperties(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null || !("properties" in schema)) return false;
  return (
    typeof schema.properties === "object" && schema.properties !== null && Object.keys(schema.properties).length > 0
  );
}

function parseJsonOrText(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}
