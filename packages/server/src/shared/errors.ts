import { STATUS_CODES } from "node:http";

export type ErrorOptions = {
  /** Numbers and names that belong to the code, sent to the caller. */
  details?: Record<string, unknown>;
  /** The field at fault. */
  param?: string;
  /** Headers of the answer, such as `retry-after`. */
  headers?: Record<string, string>;
  /** The class of the error in OpenAI's envelope; by default it follows from the status. */
  type?: string;
  cause?: unknown;
};

/** Another try with the same credential ends the same; libraries of OpenAI and Anthropic read this header. */
const DO_NOT_RETRY = { "x-should-retry": "false" };

/** An error that is meant for the caller: its message, code and details are sent as they are. */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown> | undefined;
  readonly param: string | undefined;
  readonly headers: Record<string, string>;
  readonly type: string;

  constructor(status: number, code: string, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = "AppError";
    this.status = status;
    this.code = code;
    this.details = options.details;
    this.param = options.param;
    this.headers = { ...(status === 401 || status === 403 ? DO_NOT_RETRY : {}), ...options.headers };
    this.type = options.type ?? typeOfStatus(status);
  }

  get statusMessage(): string {
    return STATUS_CODES[this.status] ?? "Error";
  }
}

export function notFound(message = "Not found", code = "not_found"): AppError {
  return new AppError(404, code, message);
}

export function invalidRequest(message: string, options: ErrorOptions = {}): AppError {
  return new AppError(400, "invalid_request", message, options);
}

export function unauthorized(message = "Sign in, or send an API key.", code = "unauthorized"): AppError {
  return new AppError(401, code, message, {
    headers: { "www-authenticate": 'Bearer realm="feather", error="invalid_token"' },
  });
}

function typeOfStatus(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 402) return "billing_error";
  if (status === 403) return "permission_error";
  if (status === 422) return "content_policy_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}
