import { isRecord } from "../reported-usage.ts";

/** A complete tool call in OpenAI's format. */
export type ToolCall = { id: string; type: "function"; function: { name: string; arguments: string } };
/** A part of a tool call in a chunk; the first one has id, type and name. */
export type ToolCallDelta = {
  index: number;
  id?: string;
  type?: "function";
  function: { name?: string; arguments: string };
};

type Known = { index: number; givenIndex: unknown; givenId: string | null; id: string; named: boolean; held: string };

/**
 * Tracks the tool calls of one streamed choice. The first part of each has id, type and name; later parts only append
 * arguments. Arguments that arrive before the name are buffered until it does.
 */
export function createToolCalls(prefix: string) {
  const calls: Known[] = [];

  /**
   * Finds the call that a part belongs to, or creates it. Parts with the same index and different ids are different
   * calls, because some backends number all calls alike.
   */
  function find(given: Record<string, unknown>, position: number): Known {
    const givenIndex = given.index ?? position;
    const givenId = textOf(given.id);
    const call = calls.findLast((known) => known.givenIndex === givenIndex);
    if (call && (givenId === null || call.givenId === null || call.givenId === givenId)) {
      call.givenId ??= givenId;
      return call;
    }
    const index = calls.length;
    const id = givenId ?? `call_${prefix}-${index}`;
    const made: Known = { index, givenIndex, givenId, id, named: false, held: "" };
    calls.push(made);
    return made;
  }

  function readOne(given: Record<string, unknown>, position: number): ToolCallDelta | null {
    const call = find(given, position);
    const about = isRecord(given.function) ? given.function : {};
    const text = argumentsOf(about.arguments);
    if (call.named) return text === "" ? null : { index: call.index, function: { arguments: text } };
    call.held += text;
    const name = textOf(about.name);
    if (name === null) return null;
    call.named = true;
    return { index: call.index, id: call.id, type: "function", function: { name, arguments: call.held } };
  }

  return {
    read: (given: readonly unknown[]): ToolCallDelta[] =>
      given.filter(isRecord).flatMap((call, position) => readOne(call, position) ?? []),
  };
}

/** The tool calls of a buffered answer, each with id, type, name and arguments. */
export function wholeToolCalls(given: readonly unknown[], prefix: string): ToolCall[] {
  return given.filter(isRecord).map((call, index) => {
    const about = isRecord(call.function) ? call.function : {};
    return {
      ...call,
      id: textOf(call.id) ?? `call_${prefix}-${index}`,
      type: "function",
      function: { name: textOf(about.name) ?? "", arguments: argumentsOf(about.arguments) },
    };
  });
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** Some backends send the arguments as an object instead of JSON text. */
function argumentsOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
