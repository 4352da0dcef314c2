import { bind } from "../../platform/core/bind.ts";
import { toExactJson } from "../../platform/core/exact-json.ts";
import { isRecord } from "../usage/reported-usage.ts";

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
  /** Its position among the calls of the choice, which callers get as the index. */
  readonly index: number;
  /** The index that the backend has sent; without one, the position in the list of parts. */
  readonly rawIndex: number;
  /** The id for the caller. */
  id: string;
  /** Every id that the backend has sent for it: some backends send another id with each part. */
  readonly rawIds: Set<string>;
  /** The name; null until the first part with it was sent to the caller. */
  name: string | null;
  /** All arguments that have arrived. */
  text: string;
  /** The number of characters of its arguments that were sent to the caller. */
  sent: number;
};
/** A part of a call, as a backend has sent it. */
type RawPart = { rawIndex: number; hasIndex: boolean; rawId: string | null; name: string | null; text: string };
type CallTracker = { readonly prefix: string; readonly calls: TrackedCall[] };

/**
 * Creates the tracker of the tool calls of one streamed choice. The first part of each call has id, type and name; later
 * parts only append arguments, in whatever order the backend sends them. Arguments that arrive before the name are kept
 * back until it arrives.
 */
export function createToolCalls(prefix: string) {
  const tracker: CallTracker = { prefix, calls: [] };
  return bind(tracker, { read, end, count, areComplete, areLost });
}

/** Returns the additions of a backend's list of parts to the calls. */
function read(tracker: CallTracker, raw: readonly unknown[]): ToolCallDelta[] {
  const deltas: ToolCallDelta[] = [];
  for (const [position, value] of raw.entries()) {
    const delta = isRecord(value) ? readOne(tracker, toRawPart(value, position)) : null;
    if (delta !== null) deltas.push(delta);
  }
  return deltas;
}

/** Returns an empty object as the arguments of each call that has ended without any. */
function end({ calls }: CallTracker): ToolCallDelta[] {
  return calls
    .filter(({ name, text }) => name !== null && text.trim() === "")
    .map(({ index, text }) => ({ index, function: { arguments: `${text}{}` } }));
}

/** Returns the number of calls that were sent to the caller. */
function count({ calls }: CallTracker): number {
  return calls.filter(({ name }) => name !== null).length;
}

/** Returns whether the arguments of all calls are complete. */
function areComplete({ calls }: CallTracker): boolean {
  return calls.every(({ text }) => text.trim() === "" || isJson(text));
}

/** Returns whether arguments have arrived for a call whose tool is still unknown. */
function areLost({ calls }: CallTracker): boolean {
  return calls.some(({ name, text }) => name === null && text.trim() !== "");
}

function readOne(tracker: CallTracker, part: RawPart): ToolCallDelta | null {
  const call = findCall(tracker.calls, part) ?? addCall(tracker, part);
  if (part.rawId !== null) call.rawIds.add(part.rawId);
  if (isRepeated(call, part)) return null;
  call.text += part.text;
  const isFirst = call.name === null;
  call.name ??= part.name;
  if (call.name === null) return null;
  const text = call.text.trim() === "" ? "" : call.text.slice(call.sent);
  call.sent += text.length;
  if (isFirst)
    return { index: call.index, id: call.id, type: "function", function: { name: call.name, arguments: text } };
  return text === "" ? null : { index: call.index, function: { arguments: text } };
}

/** Returns whether a part repeats a complete call. Some backends send calls again with their last chunk. */
function isRepeated(call: TrackedCall, { rawId, name, text }: RawPart): boolean {
  return rawId !== null && name !== null && name === call.name && text === call.text && isJson(text);
}

/**
 * Returns the call that a part belongs to, or null for a new one. A known id identifies the call. Otherwise the index does;
 * if several calls have the same index (some backends number all alike), it is the last of them.
 */
function findCall(calls: readonly TrackedCall[], part: RawPart): TrackedCall | null {
  const { rawId, rawIndex } = part;
  const named = rawId === null ? undefined : calls.findLast((call) => call.rawIds.has(rawId));
  if (named) return isSameNamedCall(named, part) ? named : null;
  const call = calls.findLast((known) => known.rawIndex === rawIndex);
  return call && isSameCall(call, part) ? call : null;
}

/** Returns whether a part with the id of a call belongs to it. Some backends use the same id for several calls. */
function isSameNamedCall(call: TrackedCall, { hasIndex, rawIndex, name, text }: RawPart): boolean {
  if (name === null || call.name === null) return true;
  if (hasIndex && rawIndex !== call.rawIndex) return false;
  return text.trim() === "" || text === call.text || !isJson(call.text);
}

/** Returns whether a part with the index of a call belongs to it. A part with a name may start another call. */
function isSameCall(call: TrackedCall, { rawId, name, text }: RawPart): boolean {
  if (name === null || call.name === null) return true;
  if (isJson(call.text)) return rawId === null && name === call.name && text.trim() === "";
  if (name !== call.name) return false;
  const hasOtherId = rawId !== null && call.rawIds.size > 0;
  return !hasOtherId || call.text.trim() !== "";
}

function addCall({ prefix, calls }: CallTracker, { rawIndex, rawId }: RawPart): TrackedCall {
  const index = calls.length;
  const isFree = rawId !== null && !calls.some(({ id }) => id === rawId);
  const id = isFree ? rawId : `call_${prefix}-${index}`;
  const call: TrackedCall = { index, rawIndex, id, rawIds: new Set(), name: null, text: "", sent: 0 };
  calls.push(call);
  return call;
}

function toRawPart(raw: Record<string, unknown>, position: number): RawPart {
  const rawFunction = isRecord(raw.function) ? raw.function : {};
  const rawIndex = toCallIndex(raw.index);
  return {
    rawIndex: rawIndex ?? position,
    hasIndex: rawIndex !== null,
    rawId: nonEmptyString(raw.id),
    name: nonEmptyString(rawFunction.name),
    text: toArgumentsText(rawFunction.arguments),
  };
}

function toCallIndex(value: unknown): number | null {
  const index = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof index === "number" && Number.isInteger(index) ? index : null;
}

/**
 * Returns the tool calls of a buffered answer, each with id, type, name and arguments. Null if one has arguments but no
 * name, since it is unclear which tool to run.
 */
export function normalizeToolCalls(raw: readonly unknown[], prefix: string): ToolCall[] | null {
  const calls: ToolCall[] = [];
  const ids = new Set<string>();
  for (const call of raw) {
    if (!isRecord(call)) continue;
    const { name, text, rawId } = toRawPart(call, calls.length);
    if (name === null && text.trim() !== "") return null;
    if (name === null) continue;
    const id = rawId !== null && !ids.has(rawId) ? rawId : `call_${prefix}-${calls.length}`;
    ids.add(id);
    calls.push({ ...call, id, type: "function", function: { name, arguments: toWholeArguments(text) } });
  }
  return calls;
}

/** Returns arguments as JSON text. Blank ones become an empty object, since clients parse the text. */
function toWholeArguments(text: string): string {
  return text.trim() === "" ? `${text}{}` : text;
}

function nonEmptyString(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * Returns arguments as text. Some backends send an object instead of JSON text; its numbers keep the spelling that
 * `parseBackendJson` has stored.
 */
function toArgumentsText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : toExactJson(value);
}

/** Returns whether a text is a complete JSON value. The last character rules out most incomplete ones without parsing. */
function isJson(text: string): boolean {
  const last = text.trimEnd().at(-1);
  if (last === undefined || !/[}\]"\w]/.test(last)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
