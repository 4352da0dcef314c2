/** A model of the catalogue that takes one unit. */
export const MODEL = "feather/demo";
/** A model of the catalogue that takes four units. */
export const LARGE_MODEL = "Qwen/Qwen3-32B";

/** The error object in OpenAI's envelope. */
export type OpenAIError = {
  code: string;
  type: string;
  message: string;
  param: string | null;
  request_id: string;
  details?: unknown;
};

/** A chat completion request. */
export function createChatRequest(overrides: object = {}) {
  return { model: MODEL, messages: [{ role: "user", content: "Hello" }], ...overrides };
}

/** The error in a response of an OpenAI-compatible endpoint. */
export function errorOf(body: unknown): OpenAIError {
  return (body as { error: OpenAIError }).error;
}

/** The data of all server-sent events in a text. */
export function parseEvents(text: string): string[] {
  return text
    .split("\n\n")
    .filter((event) => event.startsWith("data: "))
    .map((event) => event.slice(6));
}

type Chunk = { choices?: { delta?: { content?: string } }[] };

/** The generated text of a streamed chat completion. */
export function streamedText(text: string): string {
  return parseEvents(text)
    .filter((data) => data !== "[DONE]")
    .map((data) => (JSON.parse(data) as Chunk).choices?.[0]?.delta?.content ?? "")
    .join("");
}
