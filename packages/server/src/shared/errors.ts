import { STATUS_CODES } from "node:http";

/** Optional parts of an `AppError`. */
export type AppErrorOptions = {
  /** Structured data for the code, sent to the caller. */
  details?: Record<string, unknown>;
  /** The invalid field. */
  param?: string;
  /** Response headers, such as `retry-after`. */
  headers?: Record<string, string>;
  /** The error type in OpenAI's envelope; derived from the status by default. */
  type?: string;
  cause?: unknown;
};

/** Retrying with the same credential cannot help; the SDKs of OpenAI and Anthropic read this header. */
const DO_NOT_RETRY = { "x-should-retry": "false" };

/** An error for the caller: its message, code and details are sent as they are. */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown> | undefined;
  readonly param: string | undefined;
  readonly headers: Record<string, string>;
  readonly type: string;

  constructor(status: number, code: string, message: string, options: AppErrorOptions = {}) {
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

/** 404. */
export function notFound(message = "Not found", code = "not_found"): AppError {
  return new AppError(404, code, message);
}

/** 400 `invalid_request`. */
export function invalidRequest(message: string, options: AppErrorOptions = {}): AppError {
  return new AppError(400, "invalid_request", message, options);
}

/** 401 with a `www-authenticate` header. */
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
