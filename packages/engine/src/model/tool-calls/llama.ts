import { type CallStep, createCallStep } from "./call-object.ts";
import { type CreateParser, createStepParser, type ReplyPart, type Step } from "./reply-parts.ts";

const PYTHON_TAG = "<|python_tag|>";
const SEPARATOR = /^[\s;,]+/;

/**
 * Parses replies of Llama 3.1 and later: a reply that is nothing but `{"name": …, "parameters": …}`, with or without
 * `<|python_tag|>` before it and `"type": "function"` in it. Several calls are separated by semicolons. Code for Meta's
 * own tools, which are not offered, stays text.
 */
export const createLlamaParser: CreateParser = (toolNames) => {
  const parts: ReplyPart[] = [];
  const emit = (part: ReplyPart) => void parts.push(part);
  let step: Step = readBeginning;
  let call: CallStep | undefined;

  function readText(text: string): string {
    emit({ type: "text", text });
    return "";
  }

  function readBeginning(text: string, isEnd: boolean): string | null {
    const trimmed = text.trimStart();
    const hasTag = trimmed.startsWith(PYTHON_TAG);
    const rest = hasTag ? trimmed.slice(PYTHON_TAG.length).trimStart() : trimmed;
    if (!isEnd && (rest === "" || (!hasTag && PYTHON_TAG.startsWith(rest)))) return null;
    step = rest.startsWith("{") ? beginCall() : readText;
    return step === readText && !hasTag ? text : rest;
  }

  function beginCall(): Step {
    call = createCallStep(toolNames, emit, {
      complete: () => {
        call = undefined;
        step = readNext;
      },
      refused: () => {
        step = readText;
      },
    });
    return call.step;
  }

  function readNext(text: string, isEnd: boolean): string | null {
    const rest = text.replace(SEPARATOR, "");
    if (rest === "") return isEnd ? "" : null;
    step = rest.startsWith("{") ? beginCall() : readText;
    return rest;
  }

  return createStepParser({ step: () => step, parts, unfinished: () => call?.unfinished() ?? "" });
};
