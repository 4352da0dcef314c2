import { isRecord, type ReportedUsage, reportedUsage } from "./reported-usage.ts";

/** What a stream of chat events has said so far. */
export type StreamFacts = {
  /** Some choice has ended with a reason. */
  finished: boolean;
  usage: ReportedUsage | null;
  /** Choices' deltas seen, an estimate of tokens where the backend counts none. */
  deltas: number;
  /** The backend reported an error inside the stream. */
  failed: boolean;
};

type Chunk = Record<string, unknown>;

const DONE = "[DONE]";

export type SseOptions = {
  /** The caller asked for the usage event; otherwise it is taken out of the stream. */
  passUsage: boolean;
  /** The name callers know the model by, when the backend has another. */
  model?: string;
};

/**
 * Reads a stream of events in passing. Whole events go on as the bytes they came in, except that `[DONE]` is held back
 * (its sender decides whether the stream ended well), the usage event goes on only if it was asked for, and the model's
 * name is put right where the backend calls it otherwise.
 */
export function createSseReader({ passUsage, model }: SseOptions) {
  const facts: StreamFacts = { finished: false, usage: null, deltas: 0, failed: false };
  const decoder = new TextDecoder();
  let rest = "";

  function read(event: string): string {
    const data = dataOf(event);
    if (data === null) return `${event}\n\n`; // comments pass
    if (data === DONE) return "";
    const chunk = parse(data);
    // Its own words about a fault are not for the caller: they may tell of its insides.
    if (chunk === null || (chunk.error !== undefined && chunk.error !== null)) {
      facts.failed = true;
      return "";
    }
    const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
    note(choices, chunk.usage);
    if (chunk.usage && choices.length === 0 && !passUsage) return "";
    if (model !== undefined && chunk.model !== undefined && chunk.model !== model)
      return `data: ${JSON.stringify({ ...chunk, model })}\n\n`;
    return `${event}\n\n`;
  }

  function note(choices: readonly unknown[], usage: unknown): void {
    if (choices.some((choice) => isRecord(choice) && typeof choice.finish_reason === "string")) facts.finished = true;
    if (choices.length > 0) facts.deltas += 1;
    facts.usage = reportedUsage(usage) ?? facts.usage;
  }

  return {
    facts,
    /** The whole events that these bytes complete, as they go on to the caller. */
    push(bytes: Uint8Array): string {
      rest += decoder.decode(bytes, { stream: true });
      if (rest.includes("\r")) rest = rest.replaceAll("\r\n", "\n");
      const end = rest.lastIndexOf("\n\n");
      if (end < 0) return "";
      const events = rest.slice(0, end).split("\n\n");
      rest = rest.slice(end + 2);
      let out = "";
      for (const event of events) if (event !== "" && !facts.failed) out += read(event);
      return out;
    },
  };
}

function dataOf(event: string): string | null {
  if (event.startsWith("data: ") && !event.includes("\n")) return event.slice(6);
  const lines = event.split("\n").filter((line) => line.startsWith("data:"));
  return lines.length === 0 ? null : lines.map((line) => line.slice(5).replace(/^ /, "")).join("\n");
}

function parse(data: string): Chunk | null {
  try {
    const value: unknown = JSON.parse(data);
    const wellFormed =
      isRecord(value) && (value.choices === undefined || value.choices === null || Array.isArray(value.choices));
    return wellFormed ? value : null;
  } catch {
    return null;
  }
}
