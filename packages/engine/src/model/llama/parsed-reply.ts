import type { GenerationEvent } from "../engine-model.ts";
import type { ReplyParser, ReplyPart } from "../tool-calls/reply-parts.ts";

/** Takes the text of a generation apart into text, thoughts and tool calls. Without `isParallel` it ends at a second call. */
export async function* parseReply(
  events: AsyncGenerator<GenerationEvent, void, void>,
  parser: ReplyParser,
  isParallel: boolean,
): AsyncGenerator<GenerationEvent, void, void> {
  let calls = 0;
  let completionTokens = 0;
  for await (const event of events) {
    const isEnd = event.type === "end";
    if (event.type === "text") completionTokens += event.tokenCount;
    const text = event.type === "text" || isEnd ? event.text : "";
    const parts = isEnd ? [...parser.push(text), ...parser.end()] : parser.push(text);
    // The tokens are counted once, whatever the number of parts.
    if (event.type === "text") yield { ...event, text: "", logprobs: [] };
    for (const part of parts) {
      if (part.type === "call") calls += 1;
      // Leaving the loop ends the generation.
      if (calls > 1 && !isParallel) return yield { type: "end", text: "", reason: "toolCalls", completionTokens };
      yield toEvent(part);
    }
    if (isEnd) yield { ...event, text: "", reason: calls > 0 && event.reason === "stop" ? "toolCalls" : event.reason };
  }
}

function toEvent(part: ReplyPart): GenerationEvent {
  if (part.type === "call") return { type: "toolCall", name: part.name };
  if (part.type === "arguments") return { type: "toolCallArguments", text: part.text };
  if (part.type === "reasoning") return { type: "reasoning", text: part.text, tokenCount: 0 };
  return { type: "text", text: part.text, tokenCount: 0, logprobs: [] };
}
