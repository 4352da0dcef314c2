/** A model of the catalogue that holds one unit. */
export const MODEL = "feather/demo";
/** A model of the catalogue that holds four units. */
export const LARGE = "Qwen/Qwen3-32B";

export type OpenAIError = {
  code: string;
  type: string;
  message: string;
  param: string | null;
  request_id: string;
  details?: unknown;
};

/** The body of a chat call. */
export function ask(more: object = {}) {
  return { model: MODEL, messages: [{ role: "user", content: "Hello" }], ...more };
}

/** The error in a body of the OpenAI-compatible calls. */
export function errorOf(body: unknown): OpenAIError {
  return (body as { error: OpenAIError }).error;
}

/** The data of every event of a stream. */
export function eventsOf(text: string): string[] {
  return text
    .split("\n\n")
    .filter((event) => event.startsWith("data: "))
    .map((event) => event.slice(6));
}

type Chunk = { choices?: { delta?: { content?: string } }[] };

/** What the model said in a stream. */
export function said(text: string): string {
  return eventsOf(text)
    .filter((data) => data !== "[DONE]")
    .map((data) => (JSON.parse(data) as Chunk).choices?.[0]?.delta?.content ?? "")
    .join("");
}
