/** A part of a reply in a model's own form: text, thought, the beginning of a tool call, or more of its arguments. */
export type ReplyPart =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | { type: "call"; name: string }
  /** JSON of the call that began last; the pieces together are one object. */
  | { type: "arguments"; text: string };

/** Takes a reply apart while it is generated. The parts are the same however the text is cut. */
export type ReplyParser = {
  /** Returns the parts that are complete with this text. */
  push(text: string): ReplyPart[];
  /** Returns the parts that were held back. Call it after the last `push`. */
  end(): ReplyPart[];
};

/** Creates the parser of one reply, in which the model may call the tools with these names. */
export type CreateParser = (toolNames: ReadonlySet<string>) => ReplyParser;

/** A step of a parser: handles the beginning of the text and returns the rest; null if it needs more text. */
export type Step = (text: string, isEnd: boolean) => string | null;

/** What a parser consists of. */
export type StepParserOptions = {
  /** Returns the current step; it is read anew after each step, so that a step chooses the one that follows. */
  step: () => Step;
  /** The parts that steps have added and that were not returned yet. */
  parts: ReplyPart[];
  /** Returns text that the current step has taken, and that turns out to be text when no more comes. */
  unfinished?: () => string;
};

/** Creates a parser from steps. At the end a step must take something or return null. */
export function createStepParser({ step, parts, unfinished = () => "" }: StepParserOptions): ReplyParser {
  let held = "";
  const run = (isEnd: boolean): ReplyPart[] => {
    while (held !== "") {
      const rest = step()(held, isEnd);
      if (rest === null) break;
      held = rest;
    }
    return mergeParts(parts.splice(0));
  };
  return {
    push(text) {
      held += text;
      return run(false);
    },
    end: () => mergeParts([...run(true), { type: "text", text: unfinished() + held }]),
  };
}

/** Joins parts of the same kind that follow each other, and drops empty ones. */
export function mergeParts(parts: readonly ReplyPart[]): ReplyPart[] {
  const merged: ReplyPart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (part.type === "call") merged.push(part);
    else if (part.text === "") continue;
    else if (last !== undefined && last.type === part.type)
      merged[merged.length - 1] = { ...part, text: last.text + part.text };
    else merged.push(part);
  }
  return merged;
}

/** Returns the first of the marks in a text, the longest of those that begin at the same place; undefined for none. */
export function findMark(text: string, marks: readonly string[]): { at: number; mark: string } | undefined {
  let first: { at: number; mark: string } | undefined;
  for (const mark of marks) {
    const at = text.indexOf(mark);
    if (at < 0) continue;
    if (!first || at < first.at || (at === first.at && mark.length > first.mark.length)) first = { at, mark };
  }
  return first;
}

/** Returns the length of the end of a text with which a mark may begin. */
export function partialMarkLength(text: string, marks: readonly string[]): number {
  const longest = Math.max(0, ...marks.map((mark) => mark.length - 1));
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    const end = text.slice(-length);
    if (marks.some((mark) => mark.startsWith(end))) return length;
  }
  return 0;
}
