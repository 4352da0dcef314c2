import type { ErrorCode } from "./generated/error-codes.ts";

/** An error response of the platform, with its status, a stable `code`, and the id of the request. */
export class ApiError extends Error {
  /** HTTP status of the response; for an error in the middle of a stream, the status it would have had before the stream began. */
  readonly status: number;
  /**
   * Stable code for programs: `concurrency_limit_exceeded`, `api_keys.not_found` … Codes of other servers, such as what a
   * deployment runs, can be any text.
   */
  readonly code: ErrorCode | (string & {}) | null;
  /** Id of the request, as in logs and receipts; null when the server sent none. */
  readonly requestId: string | null;
  /** More data about the error; its fields depend on the code. */
  readonly details: Record<string, unknown>;
  /** The invalid field; null when the error is not about one. */
  readonly param: string | null;
  /** Milliseconds to wait before a retry; null when the server sent no `Retry-After`. */
  readonly retryAfterMs: number | null;
  /** Headers of the response; for an error in the middle of a stream, those the stream began with. */
  readonly headers: Headers;
  /** The text of the answer received before an error in the middle of its stream; null for errors of other kinds. */
  partial: string | null = null;

  constructor(fields: {
    status: number;
    message: string;
    code: string | null;
    requestId: string | null;
    details?: Record<string, unknown>;
    param?: string | null;
    retryAfterMs?: number | null;
    headers?: Headers;
  }) {
    super(fields.message);
    this.name = new.target.name;
    this.status = fields.status;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.details = fields.details ?? {};
    this.param = fields.param ?? null;
    this.retryAfterMs = fields.retryAfterMs ?? null;
    this.headers = fields.headers ?? new Headers();
  }

  /** One message for each invalid field of the request; empty when the error is not about fields. */
  get fields(): { field: string; message: string }[] {
    const { fields } = this.details;
    return Array.isArray(fields) ? (fields as { field: string; message: string }[]) : [];
  }
}

/** 400: the request is not valid. `fields` lists the invalid fields. */
export class BadRequestError extends ApiError {}
/** 401: the key or token is missing or not valid. */
export class AuthenticationError extends ApiError {}
/** 402: no credits are left, or a payment is required. */
export class PaymentRequiredError extends ApiError {}
/** 403: the caller lacks the permission, or the model is not in their plan. */
export class PermissionDeniedError extends ApiError {}
/** 404: the resource does not exist, or is not visible to the caller. */
export class NotFoundError extends ApiError {}
/** 409: the resource exists already, or its state does not allow the operation. */
export class ConflictError extends ApiError {}
/** 422: the request is well-formed, but cannot be carried out. */
export class UnprocessableError extends ApiError {}
/** 429: no units are free, or too many requests. `retryAfterMs` is the time to wait before a retry. */
export class RateLimitError extends ApiError {}
/** 500 and above: the server failed, or the backend of the model did. */
export class ServerError extends ApiError {}

/** The API key or token cannot be sent, because it holds a character that a header cannot. Nothing was sent. */
export class CredentialError extends TypeError {
  override readonly name = "CredentialError";
}

/** The server could not be reached, or the connection broke. */
export class ConnectionError extends Error {
  override readonly name: string = "ConnectionError";
}

/** The response did not begin within the time limit. */
export class TimeoutError extends ConnectionError {
  override readonly name = "TimeoutError";
}

/** The caller's signal aborted the request. */
export class AbortedError extends Error {
  override readonly name = "AbortedError";
}

/**
 * A stream ended, or its connection broke, before the response was complete. `partial` is the text of the answer received
 * so far, `cause` the connection's error.
 */
export class StreamTruncatedError extends ConnectionError {
  override readonly name = "StreamTruncatedError";
  readonly partial: string;
  constructor(partial: string, options?: ErrorOptions) {
    super("The answer was cut off before it was complete.", options);
    this.partial = partial;
  }
}

/** The model's output does not match the requested format. `content` is the output. */
export class OutputError extends Error {
  override readonly name = "OutputError";
  readonly content: string;
  constructor(message: string, content: string, options?: ErrorOptions) {
    super(message, options);
    this.content = content;
  }
}

const BY_STATUS: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: AuthenticationError,
  402: PaymentRequiredError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableError,
  429: RateLimitError,
};

type ErrorBody = { message?: unknown; code?: unknown; param?: unknown; details?: unknown; request_id?: unknown };
type Envelope = { error?: ErrorBody | string; error_description?: unknown; message?: unknown; data?: unknown };

/** Returns the error of a response in any of the platform's envelopes, or a generic one when something else responded. */
export function errorFrom(status: number, headers: Headers, text: string): ApiError {
  const body = parse(text) as Envelope | null;
  const errorBody = extractErrorBody(body);
  const message = asString(errorBody?.message) ?? asString(body?.message) ?? describeForeignResponse(status, text);
  const Class = BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Class({
    status,
    message,
    code: asString(errorBody?.code) ?? null,
    requestId: headers.get("request-id") ?? asString(errorBody?.request_id) ?? null,
    param: asString(errorBody?.param) ?? null,
    details:
      typeof errorBody?.details === "object" && errorBody.details !== null
        ? (errorBody.details as Record<string, unknown>)
        : {},
    retryAfterMs: retryAfter(headers),
    headers,
  });
}

/** Returns the milliseconds to wait, from `retry-after-ms` or `Retry-After` (seconds or a date); null without either. */
export function retryAfter(headers: Headers, now: number = Date.now()): number | null {
  const milliseconds = Number(headers.get("retry-after-ms") || Number.NaN);
  if (milliseconds >= 0 && Number.isFinite(milliseconds)) return milliseconds;
  const text = headers.get("retry-after");
  if (!text) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return seconds < 0 ? null : seconds * 1000;
  // `Date.parse` reads `5, 5` and `30 seconds` as days of 2001: only what has a time of day is a date of HTTP.
  const date = /\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** Returns whether the error is an error response of the platform. */
export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError;
/** Returns whether the error is a response with status 404. */
export const isNotFound = (error: unknown): error is NotFoundError => error instanceof NotFoundError;
/** Returns whether the error is a response with status 401. */
export const isUnauthorized = (error: unknown): error is AuthenticationError => error instanceof AuthenticationError;
/** Returns whether the error is a response with status 429. */
export const isRateLimited = (error: unknown): error is RateLimitError => error instanceof RateLimitError;

/** `error` is an object on model paths and a code on OAuth paths; other paths have the error as JSON text in `data`. */
function extractErrorBody(body: Envelope | null): ErrorBody | undefined {
  if (typeof body?.error === "string") return { code: body.error, message: body.error_description };
  return body?.error ?? (parse(body?.data) as ErrorBody | null) ?? undefined;
}

function describeForeignResponse(status: number, text: string): string {
  const html = /^\s*</.test(text);
  return html
    ? `The server answered with a web page (status ${status}), not with the API. Check the base URL.`
    : `The server answered with status ${status}.`;
}

function parse(value: unknown): unknown {
  if (typeof value !== "string") return null;
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}

function asString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
