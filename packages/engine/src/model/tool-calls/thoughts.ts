import {
  createStepParser,
  findMark,
  partialMarkLength,
  type ReplyParser,
  type ReplyPart,
  type Step,
} from "./reply-parts.ts";

/** What marks the beginning and the end of a thought. */
export type ThoughtMarks = readonly [opening: string, closing: string];

/**
 * Splits thoughts off and passes the rest on to the parser of tool calls. `isOpen` says whether the reply begins within a
 * thought. White space around a thought belongs to neither.
 */
export function splitThoughts(marks: ThoughtMarks, isOpen: boolean, calls: ReplyParser): ReplyParser {
  const [opening, closing] = marks;
  const parts: ReplyPart[] = [];
  let step: Step = isOpen ? readThought : readText;
  let hasText = false;
  /** White space that belongs to the thought only if more of it comes. */
  let heldSpace = "";
  let hasThought = false;

  const addThought = (text: string) => {
    const whole = hasThought ? heldSpace + text : text.trimStart();
    const shown = whole.trimEnd();
    heldSpace = whole.slice(shown.length);
    hasThought ||= shown !== "";
    parts.push({ type: "reasoning", text: shown });
  };
  const addText = (text: string) => {
    const shown = hasThought && !hasText ? text.trimStart() : text;
    hasText ||= shown !== "";
    parts.push(...calls.push(shown));
  };

  function readThought(text: string, isEnd: boolean): string | null {
    const found = findMark(text, [closing]);
    if (found) {
      addThought(text.slice(0, found.at));
      step = readText;
      return text.slice(found.at + found.mark.length);
    }
    return takeSafe(text, isEnd, [closing], addThought);
  }

  function readText(text: string, isEnd: boolean): string | null {
    const found = findMark(text, [opening]);
    if (found) {
      addText(text.slice(0, found.at));
      step = readThought;
      return text.slice(found.at + found.mark.length);
    }
    return takeSafe(text, isEnd, [opening], addText);
  }

  const parser = createStepParser({ step: () => step, parts });
  return { push: parser.push, end: () => [...parser.end(), ...calls.end()] };
}

/** Takes the text that cannot belong to a mark; returns the rest, or null if nothing can be taken. */
export function takeSafe(
  text: string,
  isEnd: boolean,
  marks: readonly string[],
  take: (text: string) => void,
): string | null {
  const length = isEnd ? text.length : text.length - partialMarkLength(text, marks);
  if (length === 0) return null;
  take(text.slice(0, length));
  return text.slice(length);
}
