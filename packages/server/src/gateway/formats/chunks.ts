import { bind } from "../../platform/core/bind.ts";
import { isRecord, mergeReportedUsage, type ReportedUsage } from "../usage/reported-usage.ts";
import { parseBackendJson } from "./backend-json.ts";
import { type ChoiceEnd, readFinishReason, toCallingEnd } from "./finish-reasons.ts";
import { normalizeTexts } from "./message-texts.ts";
import { createToolCalls, type ToolCallDelta } from "./tool-calls.ts";

/** Fields that an answer and all its chunks share. `created` is in seconds since 1970. */
export type CompletionMeta = { id: string; created: number; model: string };

/** The addition of a chunk to a choice's message. Its fields are texts or absent, whatever form the backend has sent. */
export type ChatDelta = {
  role?: string;
  content?: string;
  reasoning_content?: string;
  refusal?: string;
  tool_calls?: ToolCallDelta[];
  [field: string]: unknown;
};
/** A choice in a chat completion chunk. */
export type ChatChoice = { index: number; delta: ChatDelta; finish_reason: string | null; [field: string]: unknown };
/** A choice in a text completion chunk. */
export type TextChoice = { index: number; text: string; finish_reason: string | null; [field: string]: unknown };
/** A chunk of a streamed completion in OpenAI's format. */
export type Chunk<Choice = ChatChoice | TextChoice> = CompletionMeta & {
  object: string;
  choices: Choice[];
  [field: string]: unknown;
};

/** The state of a stream that is being read. */
export type StreamState = {
  /** Whether the answer is complete: every choice that started has ended. */
  finished: boolean;
  /** Whether the backend has sent `[DONE]`, or its whole answer at once. */
  done: boolean;
  usage: ReportedUsage | null;
  /** The number of chunks with text. It estimates the completion tokens if the backend counts none. */
  deltas: number;
  /** The reasons of the ended choices, in their order. */
  finishReasons: string[];
  /** Whether the backend has sent an error, or something that is not part of an answer. */
  failed: boolean;
  /** The error that the backend has sent. */
  reportedError: Record<string, unknown> | null;
};

/** Turns the data of a backend's events into chunks. */
export type ChunkReader = {
  state: StreamState;
  /** Returns the chunk for the caller in an event; null if there is none. `event` is the event's name, if it has one. */
  read(data: string, event?: string): Chunk | null;
  /**
   * Returns the chunks that end the choices, after the last event. Empty if the answer is incomplete, or after the first
   * call.
   */
  end(): Chunk[];
};

/** Translates an event of another API to a chunk; null if it says nothing, and "end" after the last one. */
type ToOpenAI = (event: Record<string, unknown>) => Record<string, unknown> | "end" | null;

type Choice = ChatChoice | TextChoice;
/** A choice that has started. Its end is kept until the last event, because some backends send one with each chunk. */
type StartedChoice = { calls: ReturnType<typeof createToolCalls>; end: Choice | null };
type Reading = {
  readonly toOpenAI: ToOpenAI | null;
  readonly isChat: boolean;
  readonly object: string;
  readonly meta: CompletionMeta;
  readonly state: StreamState;
  readonly choices: Map<number, StartedChoice>;
  /** The fields of the last chunk that had only ends of choices. */
  extras: Record<string, unknown>;
  hasEnded: boolean;
};

/** The data of the last event of a stream. */
export const DONE = "[DONE]";

/**
 * Creates the reader that converts a backend's events to the form that strict clients expect: the same id in every chunk,
 * the role first, one finish reason at the end, no usage, texts that are strings, and tool calls with stable ids and
 * indexes. The parsed event is changed in place. `toOpenAI` translates the events of another API first.
 */
export function createChunkReader(
  kind: "chat" | "completion",
  meta: CompletionMeta,
  toOpenAI: ToOpenAI | null = null,
): ChunkReader {
  const state: StreamState = {
    finished: false,
    done: false,
    usage: null,
    deltas: 0,
    finishReasons: [],
    failed: false,
    reportedError: null,
  };
  const isChat = kind === "chat";
  const object = isChat ? "chat.completion.chunk" : "text_completion";
  const reading: Reading = { toOpenAI, isChat, object, meta, state, choices: new Map(), extras: {}, hasEnded: false };
  return { state, ...bind(reading, { read, end }) };
}

/** Returns the chunk for the caller in an event; null if there is none. */
function read(reading: Reading, data: string, event?: string): Chunk | null {
  const { state, meta, object } = reading;
  const text = data.trim();
  if (text.startsWith(DONE)) state.done = true;
  if (text === "" || state.done || state.failed) return null; // blank data keeps the connection open
  const raw = parse(text, reading);
  if (raw === "end") state.done = true;
  if (raw === "end" || raw === "nothing") return null;
  if (raw === null) {
    // Events with other names may have any content, and content after the ends of all choices does not belong to the
    // answer.
    state.failed = (event === undefined || event === "message" || event === "error") && !haveAllEnded(reading);
    return null;
  }
  const error = readReportedError(raw, event);
  if (error !== null) {
    state.failed = true;
    state.reportedError = error;
    return null;
  }
  state.usage = mergeReportedUsage(state.usage, raw.usage);
  const choices = readChoices(reading, raw.choices);
  if (state.failed) return null;
  if (raw.usage !== undefined) delete raw.usage;
  if (raw.error !== undefined) delete raw.error;
  if (choices.length > 0) return Object.assign(raw, meta, { object, choices });
  if (Array.isArray(raw.choices) && raw.choices.length > 0) reading.extras = raw;
  return null;
}

/** Returns the chunks with the ends of the choices, one for each, as OpenAI sends them. */
function end(reading: Reading): Chunk[] {
  const { state, meta, object } = reading;
  if (reading.hasEnded || state.failed) return [];
  reading.hasEnded = true;
  const started = [...reading.choices];
  if (started.some(([, { calls }]) => calls.areLost())) {
    state.failed = true;
    return [];
  }
  const ends = started.map(([index, choice]) => endOf(reading, index, choice)).filter((choice) => choice !== null);
  state.finished = ends.length > 0 && ends.length === started.length;
  if (!state.finished) return [];
  state.finishReasons = ends.map(({ finish_reason }) => String(finish_reason));
  return ends.map((choice) => ({ ...reading.extras, ...meta, object, choices: [choice] }));
}

/**
 * Returns the end of a choice, or null if the choice is incomplete. If a backend has only said that the answer is done, the
 * reason is `stop`, unless the arguments of a tool call are cut off.
 */
function endOf({ state, isChat }: Reading, index: number, { calls, end: given }: StartedChoice): Choice | null {
  const isImplied = given === null && state.done && calls.areComplete();
  const choice = given ?? (isImplied ? createEnd(isChat, index, { finish_reason: "stop" }) : null);
  if (choice === null || !isChatChoice(choice) || calls.count() === 0) return choice;
  const withoutArguments = calls.end();
  if (withoutArguments.length > 0) choice.delta = { ...choice.delta, tool_calls: withoutArguments };
  return Object.assign(choice, toCallingEnd(isImplied ? { finish_reason: null } : (choice as ChoiceEnd)));
}

function createEnd(isChat: boolean, index: number, reason: ChoiceEnd): Choice {
  return isChat ? { index, delta: {}, ...reason } : { index, text: "", logprobs: null, ...reason };
}

function haveAllEnded({ choices }: Reading): boolean {
  return choices.size > 0 && [...choices.values()].every(({ end: given }) => given !== null);
}

function readChoices(reading: Reading, rawChoices: unknown): Choice[] {
  const choices: Choice[] = [];
  if (!Array.isArray(rawChoices)) return choices;
  for (const [position, raw] of rawChoices.entries()) {
    if (!isRecord(raw)) continue;
    const choice = readChoice(reading, raw, position);
    if (choice !== null) choices.push(choice);
  }
  return choices;
}

/** Returns the addition of a backend's choice. Null if it has only the end of the choice, or nothing after that end. */
function readChoice(reading: Reading, raw: Record<string, unknown>, position: number): Choice | null {
  const { state, choices, meta } = reading;
  const index = toIndex(raw.index, position);
  const known = choices.get(index);
  const started = known ?? { calls: createToolCalls(`${meta.id}-${index}`), end: null };
  if (!known) choices.set(index, started);
  if (raw.usage !== undefined) {
    state.usage = mergeReportedUsage(state.usage, raw.usage);
    delete raw.usage;
  }
  const reason = readFinishReason(raw.finish_reason);
  if (reason.finish_reason === "error") state.failed = true;
  const choice = reading.isChat ? toChatChoice(raw, index, started.calls, !known) : toTextChoice(raw, index);
  const isEmpty = isChatChoice(choice) ? isEmptyDelta(choice.delta) : choice.text === "";
  if (hasText(choice)) state.deltas += 1;
  if (reason.finish_reason === null) return isEmpty && started.end !== null ? null : choice;
  return splitEnd(reading, started, choice, reason, isEmpty && known !== undefined);
}

/** Stores the end of a choice, and returns the rest of it, or null if there is none. */
function splitEnd(
  { isChat }: Reading,
  started: StartedChoice,
  choice: Choice,
  reason: ChoiceEnd,
  isOnlyEnd: boolean,
): Choice | null {
  const { logprobs, delta: _delta, text: _text, ...others } = choice;
  const given = Object.assign(others, createEnd(isChat, choice.index, reason)) as Choice;
  if (isOnlyEnd && logprobs !== undefined) given.logprobs = logprobs;
  // A later `stop` does not replace an earlier reason, which says more.
  if (started.end === null || reason.finish_reason !== "stop") started.end = given;
  return isOnlyEnd ? null : choice;
}

function toChatChoice(
  raw: Record<string, unknown>,
  index: number,
  calls: StartedChoice["calls"],
  isFirst: boolean,
): ChatChoice {
  // Some backends send a whole message in a stream.
  const delta: ChatDelta = isRecord(raw.delta) ? raw.delta : isRecord(raw.message) ? raw.message : {};
  if (raw.message !== undefined) delete raw.message;
  normalizeTexts(delta);
  if (delta.tool_calls !== undefined || isRecord(delta.function_call)) readCalls(delta, calls);
  if (isFirst) {
    if (delta.content === undefined && Object.keys(delta).every((key) => key === "role")) delta.content = "";
    delta.role = "assistant";
  } else if (delta.role !== undefined) delete delta.role;
  return Object.assign(raw, { index, delta, finish_reason: null });
}

/**
 * Replaces the tool calls of a delta by their additions. `function_call`, which old backends send instead, becomes a tool
 * call.
 */
function readCalls(delta: ChatDelta, calls: StartedChoice["calls"]): void {
  const given: unknown = delta.tool_calls;
  const raw = Array.isArray(given) ? given : isRecord(delta.function_call) ? [{ function: delta.function_call }] : [];
  if (isRecord(delta.function_call)) delete delta.function_call;
  const added = calls.read(raw);
  if (added.length > 0) delta.tool_calls = added;
  else delete delta.tool_calls;
}

function toTextChoice(raw: Record<string, unknown>, index: number): TextChoice {
  const text = typeof raw.text === "string" ? raw.text : "";
  return Object.assign(raw, { index, text, logprobs: raw.logprobs ?? null, finish_reason: null });
}

/** Returns the index of a backend's choice; its position if the index is invalid. */
export function toIndex(value: unknown, position: number): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : position;
}

/** Returns whether a choice is one of a chat completion. */
export function isChatChoice(choice: Choice): choice is ChatChoice {
  return "delta" in choice;
}

function hasText(choice: Choice): boolean {
  if (!isChatChoice(choice)) return choice.text !== "";
  const { content, reasoning_content, refusal, tool_calls } = choice.delta;
  return Boolean(content || reasoning_content || refusal || tool_calls);
}

/** Returns whether all fields of a delta besides the role are null or empty. */
function isEmptyDelta(delta: ChatDelta): boolean {
  for (const key in delta) if (key !== "role" && !isEmptyValue(delta[key])) return false;
  return true;
}

function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/**
 * Returns the error in an event or a body, or null. Its message is only for the log and for matching known refusals: it may
 * reveal internals.
 */
export function readReportedError(raw: Record<string, unknown>, event?: string): Record<string, unknown> | null {
  const { error } = raw;
  if (isRecord(error)) return error;
  if (error !== undefined && error !== null && error !== false) return { message: error };
  const isError = raw.object === "error" || raw.type === "error" || event === "error";
  return isError ? raw : null;
}

/** Returns the chunk in the data of an event; null if it is none. */
function parse(data: string, { toOpenAI }: Reading): Record<string, unknown> | "end" | "nothing" | null {
  try {
    const given = parseBackendJson(data);
    if (toOpenAI !== null && !isRecord(given)) return null;
    const value = toOpenAI === null ? given : (toOpenAI(given as Record<string, unknown>) ?? "nothing");
    if (value === "end" || value === "nothing") return value;
    const wellFormed =
      isRecord(value) && (value.choices === undefined || value.choices === null || Array.isArray(value.choices));
    return wellFormed ? value : null;
  } catch {
    return null;
  }
}
