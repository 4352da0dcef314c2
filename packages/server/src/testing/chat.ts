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

/** Returns the error in a response of an OpenAI-compatible endpoint. */
export function errorOf(body: unknown): OpenAIError {
  return (body as { error: OpenAIError }).error;
}
