import { isRecord, type ReportedUsage, reportedUsage } from "../reported-usage.ts";
import { createToolCalls, type ToolCallDelta } from "./tool-calls.ts";

/** What every part of an answer carries, the same each time. */
export type Identity = { id: string; created: number; model: string };

export type ChatDelta = {
  role?: string;
  content?: string | null;
  reasoning_content?: string;
  tool_calls?: ToolCallDelta[];
  [field: string]: unknown;
};
export type ChatChoice = { index: number; delta: ChatDelta; finish_reason: string | null; [field: string]: unknown };
export type TextChoice = { index: number; text: string; finish_reason: string | null; [field: string]: unknown };
export type Chunk<Choice = ChatChoice | TextChoice> = Identity & {
  object: string;
  choices: Choice[];
  [field: string]: unknown;
};

/** What a stream has said so far. */
export type StreamFacts = {
  /** Every choice that began has ended with a reason. */
  finished: boolean;
  /** The backend said that nothing more comes. */
  done: boolean;
  usage: ReportedUsage | null;
  /** Pieces of text seen, an estimate of tokens where the backend counts none. */
  deltas: number;
  /** The backend reported an error inside the stream, or sent what is no part of an answer. */
  failed: boolean;
};

export type ChunkReader = { facts: StreamFacts; read(data: string): Chunk | null };

const DONE = "[DONE]";

/**
 * Reads the events of a backend and brings them to the form that strict clients expect: one identity, a role first, a
 * reason at the end, usage apart, tool calls that keep who they are.
 */
export function createChunkReader(kind: "chat" | "completion", identity: Identity): ChunkReader {
  const facts: StreamFacts = { finished: false, done: false, usage: null, deltas: 0, failed: false };
  const object = kind === "chat" ? "chat.completion.chunk" : "text_completion";
  const running = new Set<number>();
  const choiceOf: (raw: Record<string, unknown>, position: number) => ChatChoice | TextChoice =
    kind === "chat" ? createChatChoices(identity.id) : textChoice;
  let seen = 0;

  function note(choice: ChatChoice | TextChoice): void {
    if (!running.has(choice.index)) seen += 1;
    if (choice.finish_reason === null) running.add(choice.index);
    else {
      running.delete(choice.index);
      if (choice.finish_reason === "error") facts.failed = true;
    }
    if (hasText(choice)) facts.deltas += 1;
  }

  return {
    facts,
    /** The chunk that goes on, or null when there is nothing in it for the caller. */
    read(data) {
      if (data === DONE) facts.done = true;
      if (facts.done || facts.failed) return null;
      const raw = parse(data);
      // Its own words about a fault are not for the caller: they may tell of its insides.
      if (raw === null || (raw.error !== undefined && raw.error !== null)) {
        facts.failed = true;
        return null;
      }
      facts.usage = reportedUsage(raw.usage) ?? facts.usage;
      const { usage: _, error: _none, choices, ...others } = raw;
      const given = Array.isArray(choices) ? choices.filter(isRecord) : [];
      if (given.length === 0) return null;
      const made = given.map<ChatChoice | TextChoice>(choiceOf);
      for (const choice of made) note(choice);
      facts.finished = seen > 0 && running.size === 0;
      return facts.failed ? null : { ...others, ...identity, object, choices: made };
    },
  };
}

function createChatChoices(id: string) {
  const states = new Map<number, ReturnType<typeof createToolCalls>>();
  return (raw: Record<string, unknown>, position: number): ChatChoice => {
    const index = indexOf(raw.index, position);
    let calls = states.get(index);
    const delta: ChatDelta = isRecord(raw.delta) ? { ...raw.delta } : {};
    if (calls) delete delta.role;
    else {
      calls = createToolCalls(`${id}-${index}`);
      states.set(index, calls);
      if (delta.content === undefined && Object.keys(delta).length <= 1) delta.content = "";
      delta.role = "assistant";
    }
    nameReasoningTwice(delta);
    if (Array.isArray(delta.tool_calls)) delta.tool_calls = calls.read(delta.tool_calls);
    return { ...raw, index, delta, finish_reason: reasonOf(raw.finish_reason) };
  };
}

function textChoice(raw: Record<string, unknown>, position: number): TextChoice {
  const text = typeof raw.text === "string" ? raw.text : "";
  return {
    ...raw,
    index: indexOf(raw.index, position),
    text,
    logprobs: raw.logprobs ?? null,
    finish_reason: reasonOf(raw.finish_reason),
  };
}

/** Some clients read one name of the reasoning, some the other. */
export function nameReasoningTwice(part: Record<string, unknown>): void {
  const reasoning = part.reasoning_content ?? part.reasoning;
  if (typeof reasoning !== "string") return;
  part.reasoning_content = reasoning;
  part.reasoning = reasoning;
}

export function indexOf(given: unknown, position: number): number {
  return typeof given === "number" && Number.isInteger(given) && given >= 0 ? given : position;
}

export function reasonOf(given: unknown): string | null {
  return typeof given === "string" && given !== "" ? given : null;
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
