/** Usage of a completion, as OpenAI-compatible servers report it. */
export type Usage = { prompt_tokens: number; completion_tokens: number; total_tokens: number };

const CHUNK = { id: "c", object: "chat.completion.chunk", created: 1, model: "m/n" };

/** Returns a server-sent event with this value as JSON, or with this text. */
export function formatEvent(data: unknown): string {
  return `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

/** Returns the event of one chunk of a streamed chat completion. */
export function formatChunk(delta: object, finishReason: string | null = null): string {
  return formatEvent({ ...CHUNK, choices: [{ index: 0, delta, finish_reason: finishReason }] });
}

/** Returns the event of the last chunk, which reports the usage. */
export function formatUsage(usage: Usage): string {
  return formatEvent({ ...CHUNK, choices: [], usage });
}

/** Returns the events of a streamed chat completion with one chunk for each text, up to its finish reason. */
export function formatChunks(...texts: string[]): string {
  return texts.map((content) => formatChunk({ content })).join("") + formatChunk({}, "stop");
}

/** Returns the data of all server-sent events in a text. */
export function parseEvents(text: string): string[] {
  return text
    .split("\n\n")
    .filter((event) => event.startsWith("data: "))
    .map((event) => event.slice("data: ".length));
}

type Chunk = { choices?: { delta?: { content?: string } }[] };

/** Returns the generated text of a streamed chat completion. */
export function streamedText(text: string): string {
  return parseEvents(text)
    .filter((data) => data !== "[DONE]")
    .map((data) => (JSON.parse(data) as Chunk).choices?.[0]?.delta?.content ?? "")
    .join("");
}
