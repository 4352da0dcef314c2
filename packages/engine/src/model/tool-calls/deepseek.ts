import { createObjectBounds, type ObjectReader } from "./json-object.ts";
import { type CreateParser, createStepParser, findMark, type ReplyPart, type Step } from "./reply-parts.ts";
import { takeSafe } from "./thoughts.ts";

/** What encloses all calls, and each of them. */
export const CALLS_BEGIN = "<｜tool▁calls▁begin｜>";
const CALLS_END = "<｜tool▁calls▁end｜>";
const CALL_BEGIN = "<｜tool▁call▁begin｜>";
const SEPARATOR = "<｜tool▁sep｜>";
/** V3 and R1 name the type of a call first and write its arguments as a block of code; V3.1 does neither. */
const TYPE = "function";
/** More than a code fence with white space around it has. */
const MAX_FENCE_LENGTH = 40;

/** Parses replies of DeepSeek V3, R1 and V3.1. */
export const createDeepSeekParser: CreateParser = (toolNames) => {
  const parts: ReplyPart[] = [];
  const emit = (part: ReplyPart) => void parts.push(part);
  let step: Step = readText;
  let argumentsReader: ObjectReader | undefined;

  function readText(text: string, isEnd: boolean): string | null {
    const found = findMark(text, [CALLS_BEGIN]);
    if (!found) return takeSafe(text, isEnd, [CALLS_BEGIN], (safe) => emit({ type: "text", text: safe }));
    emit({ type: "text", text: text.slice(0, found.at) });
    step = readBetween;
    return text.slice(found.at + CALLS_BEGIN.length);
  }

  /** White space between calls, and the code fence behind one, are dropped. */
  function readBetween(text: string, isEnd: boolean): string | null {
    const found = findMark(text, [CALL_BEGIN, CALLS_END]);
    if (!found) return isEnd ? "" : null;
    step = found.mark === CALL_BEGIN ? readHead : readText;
    return text.slice(found.at + found.mark.length);
  }

  function readHead(text: string, isEnd: boolean): string | null {
    const separator = text.indexOf(SEPARATOR);
    if (separator < 0) return isEnd ? refuse(text) : null;
    const isTyped = text.slice(0, separator).trim() === TYPE && !toolNames.has(TYPE);
    const behind = text.slice(separator + SEPARATOR.length);
    const lineEnd = isTyped ? behind.indexOf("\n") : -1;
    if (isTyped && lineEnd < 0) return isEnd ? refuse(text) : null;
    const name = (isTyped ? behind.slice(0, lineEnd) : text.slice(0, separator)).trim();
    if (!toolNames.has(name)) return refuse(text);
    emit({ type: "call", name });
    step = readArgumentsBegin;
    return isTyped ? behind.slice(lineEnd) : behind;
  }

  function readArgumentsBegin(text: string, isEnd: boolean): string | null {
    const at = text.indexOf("{");
    if (at < 0 && text.length < MAX_FENCE_LENGTH) return isEnd ? "" : null;
    argumentsReader = createObjectBounds();
    step = at < 0 ? readBetween : readArguments;
    return text.slice(Math.max(at, 0));
  }

  function readArguments(text: string): string {
    const taken = argumentsReader?.push(text) ?? 0;
    emit({ type: "arguments", text: text.slice(0, taken) });
    if (argumentsReader?.isComplete || argumentsReader?.isBroken) step = readBetween;
    return text.slice(taken);
  }

  /** Passes this and all further text on as text: it does not call a tool that exists. */
  function refuse(text: string): string {
    step = (rest) => {
      emit({ type: "text", text: rest });
      return "";
    };
    return text;
  }

  return createStepParser({ step: () => step, parts });
};
