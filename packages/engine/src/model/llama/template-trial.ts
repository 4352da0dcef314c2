import type { ChatWrapper } from "node-llama-cpp";
import type { ChatTurn, Tool } from "../engine-model.ts";
import { parseExactJson } from "../exact-numbers.ts";
import type { ToolFormat } from "../tool-calls/tool-format.ts";
import { historyOptionsOf, toChatHistory, toModelFunctions, withDescribedTools } from "./chat-history.ts";

const QUESTION: ChatTurn = { role: "user", text: "Hello" };
const WITHOUT_TOOLS: readonly (readonly ChatTurn[])[] = [[QUESTION], [{ role: "system", text: "Be short." }, QUESTION]];

const TOOL: Tool = {
  name: "get_weather",
  description: "Returns the weather",
  parameters: { type: "object", properties: { city: { type: "string", description: "A name" } }, required: ["city"] },
};
const CALL = {
  id: "a",
  name: TOOL.name,
  arguments: parseExactJson('{"city": "Paris", "scale": 1.0, "now": true, "units": null, "days": [1, 2]}'),
};
const CALL_AND_RESULT: readonly ChatTurn[] = [
  QUESTION,
  { role: "assistant", reasoning: "", text: "", toolCalls: [CALL] },
  { role: "tool", callId: CALL.id, text: "Sunny" },
];

/** Returns why a wrapper can't render a chat without tools; null if it renders a question alone and with a system message. */
export function findChatFault(wrapper: ChatWrapper): string | null {
  return findFault(() => {
    for (const turns of WITHOUT_TOOLS) render(wrapper, turns, []);
  });
}

/** Returns why a chat with tools can't be rendered; null if a tool, and a call of it with its result, stand in the prompt. */
export function findToolFault(createWrapper: () => ChatWrapper, toolFormat: ToolFormat | null): string | null {
  return findFault(() => {
    const wrapper = createWrapper();
    const tools = [TOOL];
    const renderTurns = (turns: readonly ChatTurn[]) =>
      render(wrapper, withDescribedTools({ turns, tools }, toolFormat), tools);
    requireTexts(renderTurns([QUESTION]), [TOOL.name]);
    requireTexts(renderTurns(CALL_AND_RESULT), [TOOL.name, "Paris", "Sunny"]);
  });
}

function requireTexts(prompt: string, texts: readonly string[]): void {
  const missing = texts.find((text) => !prompt.includes(text));
  if (missing !== undefined) throw new Error(`The template leaves out ${missing} of a tool, its call or its result.`);
}

function render(wrapper: ChatWrapper, turns: readonly ChatTurn[], tools: readonly Tool[]): string {
  const { contextText } = wrapper.generateContextState({
    chatHistory: toChatHistory(turns, historyOptionsOf(wrapper)),
    ...(tools.length > 0 && { availableFunctions: toModelFunctions(tools), documentFunctionParams: true }),
  });
  return contextText.toString();
}

function findFault(attempt: () => void): string | null {
  try {
    attempt();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
