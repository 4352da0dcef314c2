import { createObjectReader } from "./json-object.ts";
import type { ReplyPart, Step } from "./reply-parts.ts";

/** Reads a call that is one JSON object, such as `{"name": "lookup", "arguments": {"city": "Paris"}}`. */
export type CallObject = {
  /** Takes text; returns how many of its characters belong to the call. */
  push(text: string): number;
  readonly isComplete: boolean;
  /** Whether something of it was passed on. */
  readonly hasBegun: boolean;
  /** Whether this is no call of a tool that there is. Then nothing of it was passed on, and all of it is text. */
  readonly isRefused: boolean;
};

const NAME_KEY = "name";
const ARGUMENT_KEYS: readonly string[] = ["arguments", "parameters"];

/**
 * Creates a reader of one call. The call begins once a known name and the beginning of the arguments are there, in any
 * order; the arguments are passed on as they come, or at the end if they come first or as a text that holds JSON.
 */
export function createCallObject(toolNames: ReadonlySet<string>, emit: (part: ReplyPart) => void): CallObject {
  let name: string | undefined;
  let value = "";
  let isStreaming = false;
  let argumentsText: string | undefined;
  let isRefused = false;
  let hasBegun = false;

  function beginCall(): boolean {
    if (name === undefined || hasBegun) return hasBegun;
    hasBegun = true;
    emit({ type: "call", name });
    return true;
  }

  const reader = createObjectReader({
    begin(key, kind) {
      value = "";
      isStreaming = ARGUMENT_KEYS.includes(key) && kind === "object" && !hasBegun && beginCall();
    },
    value(text) {
      if (isStreaming) emit({ type: "arguments", text });
      else value += text;
    },
    end(key) {
      if (key === NAME_KEY && !hasBegun) {
        const parsed = parseJson(value);
        if (typeof parsed === "string" && toolNames.has(parsed)) name = parsed;
        else isRefused = true;
      } else if (ARGUMENT_KEYS.includes(key) && !hasBegun) {
        argumentsText = toObjectText(value);
        isRefused ||= argumentsText === undefined;
      }
      isStreaming = false;
    },
  });

  return {
    push(text) {
      const taken = reader.push(text);
      if (reader.isBroken && !hasBegun) isRefused = true;
      if (reader.isComplete && !hasBegun && !isRefused) {
        if (name === undefined || argumentsText === undefined) isRefused = true;
        else {
          beginCall();
          emit({ type: "arguments", text: argumentsText });
        }
      }
      return taken;
    },
    // A call that turns out to be broken after its beginning was emitted counts as complete, too.
    get isComplete() {
      return reader.isComplete || (reader.isBroken && hasBegun);
    },
    get hasBegun() {
      return hasBegun;
    },
    get isRefused() {
      return isRefused;
    },
  };
}

/** A step of a parser that reads one call. */
export type CallStep = {
  step: Step;
  /** Returns the text that was taken if it turns out not to be a call; empty if it is one. */
  unfinished(): string;
};

/** Creates the step that reads one call. `complete` and `refused` choose the step that follows. */
export function createCallStep(
  toolNames: ReadonlySet<string>,
  emit: (part: ReplyPart) => void,
  { complete, refused }: { complete: () => void; refused: () => void },
): CallStep {
  const call = createCallObject(toolNames, emit);
  let raw = "";
  return {
    step(text) {
      const taken = call.push(text);
      raw += text.slice(0, taken);
      const rest = text.slice(taken);
      if (call.isRefused) {
        const refusedText = raw + rest;
        raw = "";
        refused();
        return refusedText;
      }
      if (call.isComplete) complete();
      return rest;
    },
    unfinished: () => (call.hasBegun ? "" : raw),
  };
}

/** Returns the text of an object; some models write it into a string, or null for none. Undefined for anything else. */
function toObjectText(json: string): string | undefined {
  const value = parseJson(json);
  if (value === null) return "{}";
  if (typeof value === "string") return isObject(parseJson(value)) ? value : undefined;
  return isObject(value) ? json : undefined;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
