import { isRecord } from "../reported-usage.ts";

export type ToolCall = { id: string; type: "function"; function: { name: string; arguments: string } };
export type ToolCallDelta = {
  index: number;
  id?: string;
  type?: "function";
  function: { name?: string; arguments: string };
};

type Known = { index: number; givenIndex: unknown; givenId: string | null; id: string; named: boolean; held: string };

/**
 * Keeps the tool calls of one streamed answer apart. The first part of each says its id, type and name; later parts only
 * go on with the arguments. A name that comes late holds the arguments back until then.
 */
export function createToolCalls(prefix: string) {
  const calls: Known[] = [];

  /** A backend that numbers all its calls alike still gives each an id of its own. */
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
    const made = { index, givenIndex, givenId, id, named: false, held: "" };
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

/** The tool calls of a whole answer. */
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

/** Some backends give the arguments as the object that they should be the text of. */
function argumentsOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
