import { type CallStep, createCallStep } from "./call-object.ts";
import { createObjectBounds, type ObjectReader } from "./json-object.ts";
import { type CreateParser, createStepParser, findMark, type ReplyPart, type Step } from "./reply-parts.ts";
import { takeSafe } from "./thoughts.ts";

const OPENING = "[TOOL_CALLS]";
const BEFORE_ARGUMENTS = "[ARGS]";
const BEFORE_ID = "[CALL_ID]";
const MAX_HEAD_LENGTH = 200;

/**
 * Parses replies of Mistral's models: `[TOOL_CALLS]` with an array of calls behind it, or, since 2025, with a name,
 * `[ARGS]` and the arguments, once for each call.
 */
export const createMistralParser: CreateParser = (toolNames) => {
  const parts: ReplyPart[] = [];
  const emit = (part: ReplyPart) => void parts.push(part);
  let step: Step = readText;
  let call: CallStep | undefined;
  let argumentsReader: ObjectReader | undefined;

  function readText(text: string, isEnd: boolean): string | null {
    const found = findMark(text, [OPENING]);
    if (!found) return takeSafe(text, isEnd, [OPENING], (safe) => emit({ type: "text", text: safe }));
    emit({ type: "text", text: text.slice(0, found.at) });
    step = readForm;
    return text.slice(found.at + OPENING.length);
  }

  /** An array of calls, or the name of one. */
  function readForm(text: string, isEnd: boolean): string | null {
    const rest = text.trimStart();
    if (rest === "") return isEnd ? "" : null;
    step = rest.startsWith("[") ? readElement : rest.startsWith("{") ? beginCall() : readHead;
    return rest.startsWith("[") ? rest.slice(1) : rest;
  }

  function readElement(text: string, isEnd: boolean): string | null {
    const rest = text.replace(/^[\s,]+/, "");
    if (rest === "") return isEnd ? "" : null;
    step = rest.startsWith("{") ? beginCall() : readText;
    return rest.startsWith("]") ? rest.slice(1) : rest;
  }

  function beginCall(): Step {
    call = createCallStep(toolNames, emit, {
      complete: () => {
        call = undefined;
        step = readElement;
      },
      refused: () => {
        step = readPlainText;
      },
    });
    return call.step;
  }

  /** `name[CALL_ID]id[ARGS]`, of which the identifier may be missing; some templates leave out the marks, too. */
  function readHead(text: string, isEnd: boolean): string | null {
    const end = /\[ARGS\]|\{/.exec(text);
    if (!end) {
      if (!isEnd && text.length < MAX_HEAD_LENGTH) return null;
      step = readPlainText;
      return text;
    }
    const [name = ""] = text.slice(0, end.index).split(BEFORE_ID);
    if (!toolNames.has(name.trim())) {
      step = readPlainText;
      return text;
    }
    emit({ type: "call", name: name.trim() });
    argumentsReader = createObjectBounds();
    step = readArguments;
    return text.slice(end[0] === BEFORE_ARGUMENTS ? end.index + BEFORE_ARGUMENTS.length : end.index);
  }

  function readArguments(text: string): string | null {
    const taken = argumentsReader?.push(text) ?? 0;
    emit({ type: "arguments", text: text.slice(0, taken) });
    if (argumentsReader?.isComplete || argumentsReader?.isBroken) step = readText;
    return text.slice(taken);
  }

  /** Passes this and all further text on as text: it is not a call. */
  function readPlainText(text: string): string {
    emit({ type: "text", text });
    return "";
  }

  return createStepParser({ step: () => step, parts, unfinished: () => call?.unfinished() ?? "" });
};
