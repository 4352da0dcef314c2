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

type TrackedCall = {
  index: number;
  rawIndex: unknown;
  rawId: string | null;
  id: string;
  isNameSent: boolean;
  pendingArguments: string;
};

/**
 * Tracks the tool calls of one streamed choice. The first part of each has id, type and name; later parts only append
 * arguments. Arguments that arrive before the name are buffered until it does.
 */
export function createToolCalls(prefix: string) {
  const calls: TrackedCall[] = [];

  /**
   * Finds the call that a part belongs to, or creates it. Parts with the same index and different ids are different
   * calls, because some backends number all calls alike.
   */
  function findOrCreate(raw: Record<string, unknown>, position: number): TrackedCall {
    const rawIndex = raw.index ?? position;
    const rawId = nonEmptyString(raw.id);
    const call = calls.findLast((known) => known.rawIndex === rawIndex);
    if (call && (rawId === null || call.rawId === null || call.rawId === rawId)) {
      call.rawId ??= rawId;
      return call;
    }
    const index = calls.length;
    const id = rawId ?? `call_${prefix}-${index}`;
    const created: TrackedCall = { index, rawIndex, rawId, id, isNameSent: false, pendingArguments: "" };
    calls.push(created);
    return created;
  }

  function readOne(raw: Record<string, unknown>, position: number): ToolCallDelta | null {
    const call = findOrCreate(raw, position);
    const rawFunction = isRecord(raw.function) ? raw.function : {};
    const text = toArgumentsText(rawFunction.arguments);
    if (call.isNameSent) return text === "" ? null : { index: call.index, function: { arguments: text } };
    call.pendingArguments += text;
    const name = nonEmptyString(rawFunction.name);
    if (name === null) return null;
    call.isNameSent = true;
    return { index: call.index, id: call.id, type: "function", function: { name, arguments: call.pendingArguments } };
  }

  return {
    read: (raw: readonly unknown[]): ToolCallDelta[] =>
      raw.filter(isRecord).flatMap((call, position) => readOne(call, position) ?? []),
  };
}

/** The tool calls of a buffered answer, each with id, type, name and arguments. */
export function normalizeToolCalls(raw: readonly unknown[], prefix: string): ToolCall[] {
  return raw.filter(isRecord).map((call, index) => {
    const rawFunction = isRecord(call.function) ? call.function : {};
    return {
      ...call,
      id: nonEmptyString(call.id) ?? `call_${prefix}-${index}`,
      type: "function",
      function: { name: nonEmptyString(rawFunction.name) ?? "", arguments: toArgumentsText(rawFunction.arguments) },
    };
  });
}

function nonEmptyString(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** Some backends send the arguments as an object instead of JSON text. */
function toArgumentsText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
