/** What a stream of chat events has said so far. */
export type StreamFacts = {
  /** Some choice has ended with a reason. */
  finished: boolean;
  usage: { prompt: number; completion: number; cached: number } | null;
  /** Choices' deltas seen, an estimate of tokens where the backend counts none. */
  deltas: number;
  /** The backend reported an error inside the stream. */
  failed: boolean;
};

type Chunk = {
  model?: string;
  choices?: { finish_reason?: string | null }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number; prompt_tokens_details?: { cached_tokens?: number } | null } | null;
  error?: unknown;
};

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
    if (chunk === null) {
      facts.failed = true;
      return "";
    }
    note(chunk);
    if (chunk.usage && chunk.choices?.length === 0 && !passUsage) return "";
    if (model !== undefined && chunk.model !== undefined && chunk.model !== model) return `data: ${JSON.stringify({ ...chunk, model })}\n\n`;
    return `${event}\n\n`;
  }

  function note(chunk: Chunk): void {
    if (chunk.error !== undefined) facts.failed = true;
    if (chunk.choices?.some((choice) => typeof choice.finish_reason === "string")) facts.finished = true;
    if (chunk.choices && chunk.choices.length > 0) facts.deltas += 1;
    if (chunk.usage)
      facts.usage = {
        prompt: chunk.usage.prompt_tokens ?? 0,
        completion: chunk.usage.completion_tokens ?? 0,
        cached: chunk.usage.prompt_tokens_details?.cached_tokens ?? 0,
      };
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
      for (const event of events) if (event !== "") out += read(event);
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
    return JSON.parse(data) as Chunk;
  } catch {
    return null;
  }
}
