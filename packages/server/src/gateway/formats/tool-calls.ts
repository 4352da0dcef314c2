import { bind } from "../../core/bind.ts";
import { toExactJson } from "../../core/exact-json.ts";
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
  /** Its position among the calls of the choice, which the caller gets. */
  readonly index: number;
  /** The index that the backend gave it, or the position in its list of parts where it gave none. */
  readonly rawIndex: number;
  /** The id that the caller gets. */
  id: string;
  /** Every id that the backend gave it: some give another one with each part. */
  readonly rawIds: Set<string>;
  /** Null until the first part was sent, which has the name. */
  name: string | null;
  /** All that came of its arguments. */
  text: string;
  /** How many characters of its arguments were sent. */
  sent: number;
};
/** A part of a call as a backend sent it. */
type RawPart = { rawIndex: number; hasIndex: boolean; rawId: string | null; name: string | null; text: string };
type CallTracker = { readonly prefix: string; readonly calls: TrackedCall[] };

/**
 * Tracks the tool calls of one streamed choice. The first part of each has id, type and name; later parts only append
 * arguments, in whatever order the backend sends them. Arguments that arrive before the name are held back until it does.
 */
export function createToolCalls(prefix: string) {
  const tracker: CallTracker = { prefix, calls: [] };
  return bind(tracker, { read, end, count, areComplete, areLost });
}

/** Returns what a backend's list of parts adds to the calls. */
function read(tracker: CallTracker, raw: readonly unknown[]): ToolCallDelta[] {
  const deltas: ToolCallDelta[] = [];
  for (const [position, value] of raw.entries()) {
    const delta = isRecord(value) ? readOne(tracker, toRawPart(value, position)) : null;
    if (delta !== null) deltas.push(delta);
  }
  return deltas;
}

/** Returns the arguments of the calls that ended without any: an empty object. */
function end({ calls }: CallTracker): ToolCallDelta[] {
  return calls
    .filter(({ name, text }) => name !== null && text.trim() === "")
    .map(({ index, text }) => ({ index, function: { arguments: `${text}{}` } }));
}

/** Returns how many calls were sent. */
function count({ calls }: CallTracker): number {
  return calls.filter(({ name }) => name !== null).length;
}

/** Whether no call misses the rest of its arguments. */
function areComplete({ calls }: CallTracker): boolean {
  return calls.every(({ text }) => text.trim() === "" || isJson(text));
}

/** Whether arguments have come of which the backend has not said which tool they are for. */
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

/** Some backends send a whole call again with their last chunk. */
function isRepeated(call: TrackedCall, { rawId, name, text }: RawPart): boolean {
  return rawId !== null && name !== null && name === call.name && text === call.text && isJson(text);
}

/**
 * Returns the call that a part belongs to, or null for a new one. An id that is known tells the call; otherwise the index
 * does, and of the calls that have the same one (some backends number all alike) the last.
 */
function findCall(calls: readonly TrackedCall[], part: RawPart): TrackedCall | null {
  const { rawId, rawIndex } = part;
  const named = rawId === null ? undefined : calls.findLast((call) => call.rawIds.has(rawId));
  if (named) return isSameNamedCall(named, part) ? named : null;
  const call = calls.findLast((known) => known.rawIndex === rawIndex);
  return call && isSameCall(call, part) ? call : null;
}

/** Whether a part with the id of a call is a part of it. Some backends give the same id to several calls. */
function isSameNamedCall(call: TrackedCall, { hasIndex, rawIndex, name, text }: RawPart): boolean {
  if (name === null || call.name === null) return true;
  if (hasIndex && rawIndex !== call.rawIndex) return false;
  return text.trim() === "" || text === call.text || !isJson(call.text);
}

/** Whether a part at the index of a call is a part of it. One that has a name may begin another call. */
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
 * Returns the tool calls of a buffered answer, each with id, type, name and arguments; null if one has arguments but no
 * name, since nobody can tell which tool is to be run.
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

/** A call without arguments has an empty object: clients parse the text. */
function toWholeArguments(text: string): string {
  return text.trim() === "" ? `${text}{}` : text;
}

function nonEmptyString(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** Some backends send the arguments as an object instead of JSON text; its numbers stay as `parseBackendJson` found them. */
function toArgumentsText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : toExactJson(value);
}

/** Whether a text is a whole JSON value; its end tells most that are not. */
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
