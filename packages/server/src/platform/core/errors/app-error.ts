import { STATUS_CODES } from "node:http";

/** Optional parts of an error. */
export type ErrorOptions = {
  /** The status, for codes that occur with more than one. */
  status?: number;
  /** Structured data about the error, which is sent to the caller. */
  details?: Record<string, unknown>;
  /** The invalid field. */
  param?: string;
  /** Response headers. */
  headers?: Record<string, string>;
  /** The error type in OpenAI's envelope; derived from the status by default. */
  type?: string;
  /** False if repeating the same request cannot succeed. */
  retry?: boolean;
  /** The seconds after which the same request may succeed; sent as `retry-after`. */
  retryAfterSeconds?: number;
  /** The values in the message, by which it can be written in another language. */
  values?: Readonly<Record<string, string | number | bigint>>;
  cause?: unknown;
};

/** The SDKs of OpenAI and Anthropic repeat a request unless this header forbids it. */
const DO_NOT_RETRY = { "x-should-retry": "false" };

/**
 * An error for the caller. Its message, code and details are sent unchanged. Created by `errors`, from the contract's list.
 */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown> | undefined;
  readonly param: string | undefined;
  readonly headers: Record<string, string>;
  readonly type: string;
  readonly values: NonNullable<ErrorOptions["values"]>;

  constructor(usualStatus: number, code: string, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = "AppError";
    this.status = options.status ?? usualStatus;
    this.code = code;
    this.details = options.details;
    this.param = options.param;
    this.headers = toHeaders(this.status, options);
    this.type = options.type ?? typeOfStatus(this.status);
    this.values = options.values ?? {};
  }

  /** Returns the same error with its message, and the messages in its details, in a language. */
  inLanguage(language: string, message: string, details: ErrorOptions["details"]): AppError {
    const { status, code, param, type, values, cause } = this;
    const headers = { ...this.headers, "content-language": language };
    return new AppError(status, code, message, {
      ...(details !== undefined && { details }),
      ...(param !== undefined && { param }),
      headers,
      type,
      values,
      cause,
    });
  }

  get statusMessage(): string {
    return STATUS_CODES[this.status] ?? "Error";
  }
}

function toHeaders(status: number, { retry, retryAfterSeconds, headers }: ErrorOptions): Record<string, string> {
  const isFinal = retry === false || status === 401 || status === 403; // with the same credential
  return {
    ...(isFinal && DO_NOT_RETRY),
    ...(status === 401 && { "www-authenticate": 'Bearer realm="feather", error="invalid_token"' }),
    ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
    ...headers,
  };
}

function typeOfStatus(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 402) return "billing_error";
  if (status === 403) return "permission_error";
  if (status === 422) return "content_policy_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}
