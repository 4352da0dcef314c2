import { type Fields, toRecord } from "../../formats/fields.ts";
import type { CallBody } from "../../formats/parsed-request.ts";

/** Models that measure their thinking by a budget of tokens, not by a level. */
const BY_BUDGET = /gemini-2\b/;
/** The budgets that stand for efforts, from Google's page about its OpenAI-compatible address. */
const BUDGETS: Readonly<Record<string, number>> = { none: 0, minimal: 1024, low: 1024, medium: 8192, high: 24_576 };
/** Models of the newer kind always think a little. */
const LEVELS: Readonly<Record<string, string>> = { none: "MINIMAL", max: "XHIGH" };

/** Returns the options of thinking; undefined if a chat says nothing about it. Thoughts are sent if they are asked for. */
export function toThinkingConfig(chat: CallBody, { budget_tokens: budget }: Fields): Fields | undefined {
  const { enable_thinking: isOn } = toRecord(chat.chat_template_kwargs);
  const effort =
    typeof chat.reasoning_effort === "string" ? chat.reasoning_effort : isOn === false ? "none" : undefined;
  if (effort === undefined && isOn !== true) return undefined;
  const includeThoughts = effort !== "none";
  if (typeof budget === "number") return { includeThoughts, thinkingBudget: budget };
  if (effort === undefined) return { includeThoughts };
  return BY_BUDGET.test(chat.model)
    ? { includeThoughts, thinkingBudget: BUDGETS[effort] ?? BUDGETS.high }
    : { includeThoughts, thinkingLevel: LEVELS[effort] ?? effort.toUpperCase() };
}
