import { isRecord, parseReportedUsage, type ReportedUsage } from "../reported-usage.ts";
import { readFinishReason } from "./finish-reasons.ts";
import { createToolCalls, type ToolCallDelta } from "./tool-calls.ts";

/** Fields that an answer and all its chunks share. `created` is in seconds since the epoch. */
export type CompletionMeta = { id: string; created: number; model: string };

/** What a chunk adds to a choice's message. */
export type ChatDelta = {
  role?: string;
  content?: string | null;
  reasoning_content?: string;
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

/** What was read of a stream so far. */
export type StreamState = {
  /** Every choice that started has a finish reason. */
  finished: boolean;
  /** The backend sent `[DONE]`. */
  done: boolean;
  usage: ReportedUsage | null;
  /** Chunks with text: an estimate of completion tokens when the backend counts none. */
  deltas: number;
  /** Of the choices that ended, in their order. */
  finishReasons: string[];
  /** The backend sent an error inside the stream, or data that is no chunk. */
  failed: boolean;
};

/** Turns the data of a backend's events into chunks, or null for data without content for the caller. */
export type ChunkReader = { state: StreamState; read(data: string): Chunk | null };

const DONE = "[DONE]";

/**
 * Reads a backend's events into the form that strict clients expect: the same id in every chunk, the role first, a
 * finish reason at the end, no usage inside, and tool calls with stable ids and indexes. What was parsed of an event is
 * changed in place, since it belongs to nobody else.
 */
export function createChunkReader(kind: "chat" | "completion", meta: CompletionMeta): ChunkReader {
  const state: StreamState = { finished: false, done: false, usage: null, deltas: 0, finishReasons: [], failed: false };
  const object = kind === "chat" ? "chat.completion.chunk" : "text_completion";
  const openChoices = new Set<number>();
  const toChoice: (raw: Record<string, unknown>, position: number) => ChatChoice | TextChoice =
    kind === "chat" ? createChatChoiceReader(meta.id) : toTextChoice;
  let startedChoices = 0;

  function track(choice: ChatChoice | TextChoice): void {
    if (!openChoices.has(choice.index)) startedChoices += 1;
    if (choice.finish_reason === null) openChoices.add(choice.index);
    else {
      openChoices.delete(choice.index);
      state.finishReasons.push(choice.finish_reason);
      if (choice.finish_reason === "error") state.failed = true;
    }
    if (hasText(choice)) state.deltas += 1;
  }

  function readChoices(rawChoices: unknown): (ChatChoice | TextChoice)[] {
    const choices: (ChatChoice | TextChoice)[] = [];
    if (!Array.isArray(rawChoices)) return choices;
    for (const raw of rawChoices) if (isRecord(raw)) choices.push(toChoice(raw, choices.length));
    return choices;
  }

  return {
    state,
    /** Returns null when the event holds nothing for the caller. */
    read(data) {
      if (data === DONE) state.done = true;
      if (state.done || state.failed) return null;
      const raw = parse(data);
      // A backend's own error message is not passed on: it may reveal internals.
      if (raw === null || (raw.error !== undefined && raw.error !== null)) {
        state.failed = true;
        return null;
      }
      state.usage = parseReportedUsage(raw.usage) ?? state.usage;
      const choices = readChoices(raw.choices);
      if (choices.length === 0) return null;
      for (const choice of choices) track(choice);
      state.finished = startedChoices > 0 && openChoices.size === 0;
      if (state.failed) return null;
      if (raw.usage !== undefined) delete raw.usage;
      if (raw.error !== undefined) delete raw.error;
      return Object.assign(raw, meta, { object, choices });
    },
  };
}

function createChatChoiceReader(id: string) {
  const states = new Map<number, ReturnType<typeof createToolCalls>>();
  return (raw: Record<string, unknown>, position: number): ChatChoice => {
    const index = toIndex(raw.index, position);
    let calls = states.get(index);
    const delta: ChatDelta = isRecord(raw.delta) ? raw.delta : {};
    if (calls) {
      if (delta.role !== undefined) delete delta.role;
    } else {
      calls = createToolCalls(`${id}-${index}`);
      states.set(index, calls);
      if (delta.content === undefined && Object.keys(delta).length <= 1) delta.content = "";
      delta.role = "assistant";
    }
    mirrorReasoning(delta);
    if (Array.isArray(delta.tool_calls)) delta.tool_calls = calls.read(delta.tool_calls);
    return Object.assign(raw, { index, delta }, readFinishReason(raw.finish_reason));
  };
}

function toTextChoice(raw: Record<string, unknown>, position: number): TextChoice {
  const text = typeof raw.text === "string" ? raw.text : "";
  return Object.assign(
    raw,
    { index: toIndex(raw.index, position), text, logprobs: raw.logprobs ?? null },
    readFinishReason(raw.finish_reason),
  );
}

/** Sets both `reasoning` and `reasoning_content`, since clients read one or the other. */
export function mirrorReasoning(part: Record<string, unknown>): void {
  const reasoning = part.reasoning_content ?? part.reasoning;
  if (typeof reasoning !== "string") return;
  part.reasoning_content = reasoning;
  part.reasoning = reasoning;
}

/** The index that a backend gave, or the position when it is not a valid index. */
export function toIndex(value: unknown, position: number): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : position;
}

function hasText(choice: ChatChoice | TextChoice): boolean {
  if (!("delta" in choice)) return choice.text !== "";
  const { content, reasoning_content, tool_calls } = choice.delta as ChatDelta;
  return Boolean(content || reasoning_content || (tool_calls && tool_calls.length > 0));
}

function parse(data: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(data);
    const wellFormed =
      isRecord(value) && (value.choices === undefined || value.choices === null || Array.isArray(value.choices));
    return wellFormed ? value : null;
  } catch {
    return null;
  }
}
