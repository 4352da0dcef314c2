/** A failure the caller gets told about, with the HTTP status and the code of OpenAI's error bodies. */
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

export type ApiErrorOptions = { param?: string; details?: Record<string, unknown> };

export type ErrorBody = {
  error: {
    message: string;
    type: "invalid_request_error" | "server_error";
    param: string | null;
    code: string;
    details?: Record<string, unknown>;
  };
};

export function errorBody(error: ApiError): ErrorBody {
  const type = error.status < 500 ? "invalid_request_error" : "server_error";
  const { message, param, code, details } = error;
  return { error: { message, type, param, code, ...(details && { details }) } };
}

export function invalidRequest(message: string, param?: string): ApiError {
  return new ApiError(400, "invalid_request", message, param === undefined ? {} : { param });
}

export function unsupportedParameter(param: string, message: string): ApiError {
  return new ApiError(400, "unsupported_parameter", message, { param });
}

export function unsupportedModality(param: string, modality: string): ApiError {
  return new ApiError(400, "unsupported_modality", `This model reads text only; it can't take ${modality}.`, { param });
}

/** `max` and `got` in tokens. */
export function contextLengthExceeded(max: number, got: number, param: string): ApiError {
  const message = `The prompt has ${got} tokens; this model takes at most ${max}, so that a reply still fits. Shorten it.`;
  return new ApiError(400, "context_length_exceeded", message, { param, details: { max, got } });
}

export function internalError(): ApiError {
  return new ApiError(500, "internal_error", "The model failed while working on this request. Try again.");
}
