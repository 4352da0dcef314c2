import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";
import { toInput } from "../../formats/messages/input.ts";
import type { CallBody } from "../../formats/parsed-request.ts";
import { ANTHROPIC_REASONING } from "../../formats/reasoning-details.ts";
import { type BlockContext, toCachePoint, toContentBlocks, toToolResult, toToolUseId } from "./blocks.ts";
import { isClaude } from "./families.ts";
import { toFields, toModelFields } from "./model-fields.ts";
import { toToolConfig } from "./tools.ts";

type Turn = { role: string; content: Fields[] };

/** Returns the body of Converse for a chat in the gateway's form. `own` holds the caller's fields that only Anthropic's API has. */
export function toConverseBody(chat: CallBody, own: Readonly<Fields>): Fields {
  const context: BlockContext = { hasCachePoints: isClaude(chat.model), documentNames: new Set() };
  const messages = Array.isArray(chat.messages) ? chat.messages.map(toRecord) : [];
  const [first] = messages;
  const system = first?.role === "system" ? toContentBlocks(first.content, context) : [];
  const turns = toTurns(first?.role === "system" ? messages.slice(1) : messages, chat.model, context);
  const lastContent = turns.at(-1)?.content;
  if (lastContent?.at(-1)?.cachePoint === undefined) lastContent?.push(...toCachePoint(own, context));
  return omitNullish({
    messages: turns,
    system: system.length > 0 ? system : undefined,
    inferenceConfig: toFields({
      maxTokens: chat.max_tokens,
      temperature: chat.temperature,
      topP: chat.top_p,
      stopSequences: typeof chat.stop === "string" ? [chat.stop] : chat.stop,
    }),
    toolConfig: toToolConfig(chat, hasCalls(turns), context),
    ...toModelFields(chat, own),
  });
}

/** Returns the turns of a conversation, whose roles alternate. Results of tools are said by the user. */
function toTurns(messages: readonly Fields[], model: string, context: BlockContext): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = toBlocks(message, model, context);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) turns.push({ role, content });
  }
  return turns;
}

function hasCalls(turns: readonly Turn[]): boolean {
  return turns.some(({ content }) => content.some(({ toolUse }) => toolUse !== undefined));
}

function toBlocks(message: Fields, model: string, context: BlockContext): Fields[] {
  if (message.role === "tool") return toToolResult(message, context);
  if (message.role !== "assistant") return toContentBlocks(message.content, context);
  const { reasoning_details: details, tool_calls: calls } = message;
  const isSigned = isClaude(model) && Array.isArray(details);
  return [
    ...(isSigned ? details.flatMap((detail) => toReasoningBlock(toRecord(detail))) : []),
    ...toContentBlocks(message.content, context),
    ...(Array.isArray(calls) ? calls.map((call) => toToolUse(toRecord(call))) : []),
  ];
}

/** Returns reasoning that Anthropic's models have signed or encrypted, which they want back unchanged, in a list. */
function toReasoningBlock({ text, signature, data, format = ANTHROPIC_REASONING }: Fields): Fields[] {
  if (format !== ANTHROPIC_REASONING) return [];
  if (typeof data === "string") return [{ reasoningContent: { redactedContent: data } }];
  if (typeof signature !== "string" || signature === "") return [];
  return [{ reasoningContent: { reasoningText: { text: typeof text === "string" ? text : "", signature } } }];
}

function toToolUse({ id, function: called }: Fields): Fields {
  const { name, arguments: text } = toRecord(called);
  return { toolUse: { toolUseId: toToolUseId(id), name, input: toInput(String(text ?? "")) } };
}
