/** An error for the client, with the HTTP status and the code of OpenAI's error bodies. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly details: Record<string, unknown> | undefined;

  constructor(status: number, code: string, message: string, options: ApiErrorOptions = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = options.param ?? null;
    this.details = options.details;
  }
}

/** The field that caused an error, and details for programs. */
export type ApiErrorOptions = { param?: string; details?: Record<string, unknown> };

/** OpenAI's error body. */
export type ErrorBody = {
  error: {
    message: string;
    type: "invalid_request_error" | "server_error";
    param: string | null;
    code: string;
    details?: Record<string, unknown>;
  };
};

/** Returns an error in OpenAI's form. */
export function toErrorBody(error: ApiError): ErrorBody {
  const type = error.status < 500 ? "invalid_request_error" : "server_error";
  const { message, param, code, details } = error;
  return { error: { message, type, param, code, ...(details && { details }) } };
}

/** `invalid_request` (400). */
export function invalidRequest(message: string, param?: string): ApiError {
  return new ApiError(400, "invalid_request", message, param === undefined ? {} : { param });
}

/** `unsupported_parameter` (400). */
export function unsupportedParameter(param: string, message: string): ApiError {
  return new ApiError(400, "unsupported_parameter", message, { param });
}

/** `unsupported_modality` (400): the model reads text only. */
export function unsupportedModality(param: string, modality: string): ApiError {
  const message =
    `This model runs on llama.cpp here, which reads text only; it can't take ${modality}. Send text, or choose a model ` +
    "that vLLM, Ollama or another backend runs.";
  return new ApiError(400, "unsupported_modality", message, { param });
}

/** `context_length_exceeded` (400). `max` and `got` are in tokens. */
export function contextLengthExceeded(max: number, got: number, param: string): ApiError {
  const message = `The prompt has ${got} tokens; this model takes at most ${max}, so that a reply still fits. Shorten it.`;
  return new ApiError(400, "context_length_exceeded", message, { param, details: { max, got } });
}

/** `internal_error` (500), without the cause. */
export function internalError(): ApiError {
  return new ApiError(500, "internal_error", "The model failed while working on this request. Try again.");
}
