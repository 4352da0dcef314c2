import type { ChatHistoryItem, ChatModelFunctionCall, ChatModelFunctions } from "node-llama-cpp";
import { type ChatTurn, type Tool, UnusableSchemaError, UnusableToolError } from "../engine-model.ts";
import { parseExactJson, toPlainNumbers } from "../exact-numbers.ts";
import { toGrammarSchema } from "./json-schema.ts";

type ModelItem = Extract<ChatHistoryItem, { type: "model" }>;

/**
 * Maps a conversation to node-llama-cpp's history, in which the result of a tool call is part of the model's turn. The
 * history ends with the model's turn to be continued: an assistant message at the end of the conversation is continued.
 * Thoughts before the last question are left out, as models expect it, and all where the model does not mark them.
 */
export function toChatHistory(
  turns: readonly ChatTurn[],
  { marksThoughts }: { marksThoughts: boolean },
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
      if (call) call.result = parseJsonOrText(turn.text);
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
