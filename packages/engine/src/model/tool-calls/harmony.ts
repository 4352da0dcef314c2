import { type CreateParser, createStepParser, findMark, type ReplyPart, type Step } from "./reply-parts.ts";
import { takeSafe } from "./thoughts.ts";

const MESSAGE = "<|message|>";
/** What ends a message, and what begins the next one if its end is missing. */
const MESSAGE_ENDS = ["<|end|>", "<|return|>", "<|call|>", "<|start|>", "<|channel|>"];
const CHANNEL = /<\|channel\|>\s*(\w+)/;
const RECIPIENT = /to=functions\.([^\s<]+)/;
const THOUGHT_CHANNEL = "analysis";

/**
 * Parses replies in OpenAI's harmony format, that of gpt-oss: messages with a head, which names the channel and, for a
 * call, the tool. The prompt ends within the head of the first message. The channel `analysis` is a thought.
 */
export const createHarmonyParser: CreateParser = (toolNames) => {
  const parts: ReplyPart[] = [];
  let step: Step = readHead;
  let emitBody: (text: string) => void = () => {};

  function readHead(text: string, isEnd: boolean): string | null {
    const at = text.indexOf(MESSAGE);
    if (at < 0) {
      // A reply without any head is text.
      if (isEnd && !text.includes("<|")) parts.push({ type: "text", text });
      return isEnd ? "" : null;
    }
    emitBody = beginBody(text.slice(0, at));
    step = readBody;
    return text.slice(at + MESSAGE.length);
  }

  function beginBody(head: string): (text: string) => void {
    const name = RECIPIENT.exec(head)?.[1];
    if (name !== undefined && toolNames.has(name)) {
      parts.push({ type: "call", name });
      return (text) => void parts.push({ type: "arguments", text });
    }
    const type = CHANNEL.exec(head)?.[1] === THOUGHT_CHANNEL ? "reasoning" : "text";
    return (text) => void parts.push({ type, text });
  }

  function readBody(text: string, isEnd: boolean): string | null {
    const found = findMark(text, MESSAGE_ENDS);
    if (!found) return takeSafe(text, isEnd, MESSAGE_ENDS, emitBody);
    emitBody(text.slice(0, found.at));
    step = readHead;
    return found.mark === "<|channel|>" ? text.slice(found.at) : text.slice(found.at + found.mark.length);
  }

  return createStepParser({ step: () => step, parts });
};
