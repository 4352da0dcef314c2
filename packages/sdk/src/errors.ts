/** What the platform said went wrong, with the status, a stable `code`, and the id of the request. */
export class ApiError extends Error {
  /** The status of the answer; for an error in the middle of a stream, the one that it would have had before. */
  readonly status: number;
  /** Stable, for programs: `concurrency_limit_exceeded`, `api_keys.not_found` … */
  readonly code: string | null;
  /** Id of the request, to find it in logs and receipts. */
  readonly requestId: string | null;
  /** Numbers and names that belong to the code. */
  readonly details: Record<string, unknown>;
  /** The field at fault, if there is one. */
  readonly param: string | null;
  /** Milliseconds after which to come back, if the server said so. */
  readonly retryAfterMs: number | null;

  constructor(fields: {
    status: number;
    message: string;
    code: string | null;
    requestId: string | null;
    details?: Record<string, unknown>;
    param?: string | null;
    retryAfterMs?: number | null;
  }) {
    super(fields.message);
    this.name = new.target.name;
    this.status = fields.status;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.details = fields.details ?? {};
    this.param = fields.param ?? null;
    this.retryAfterMs = fields.retryAfterMs ?? null;
  }

  /** Messages by field, when fields of the request were not valid. */
  get fields(): { field: string; message: string }[] {
    const { fields } = this.details;
    return Array.isArray(fields) ? (fields as { field: string; message: string }[]) : [];
  }
}

/** 400: the request is not valid. `fields` says which of its fields are at fault. */
export class BadRequestError extends ApiError {}
/** 401: there is no key or token, or it does not hold. */
export class AuthenticationError extends ApiError {}
/** 402: no credits are left, or a payment is needed. */
export class PaymentRequiredError extends ApiError {}
/** 403: the caller may not do this, or the model is not in their plan. */
export class PermissionDeniedError extends ApiError {}
/** 404: it does not exist, or not for the caller. */
export class NotFoundError extends ApiError {}
/** 409: it is there already, or in a state that does not allow this. */
export class ConflictError extends ApiError {}
/** 422: understood, and cannot be done. */
export class UnprocessableError extends ApiError {}
/** 429: no units are free, or too many requests. `retryAfterMs` says when to come back. */
export class RateLimitError extends ApiError {}
/** 500 and above: the server failed, or the backend of the model did. */
export class ServerError extends ApiError {}

/** The server was not reached, or the connection broke. */
export class ConnectionError extends Error {
  override readonly name: string = "ConnectionError";
}

/** The answer did not begin in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = "TimeoutError";
}

/** The caller's signal ended the request. */
export class AbortedError extends Error {
  override readonly name = "AbortedError";
}

/**
 * A stream ended, or its connection broke, before the answer was complete. The text of a completion that had come is in
 * `partial`, and what broke the connection in `cause`.
 */
export class StreamTruncatedError extends ConnectionError {
  override readonly name = "StreamTruncatedError";
  readonly partial: string;
  constructor(partial: string, options?: ErrorOptions) {
    super("The answer was cut off before it was complete.", options);
    this.partial = partial;
  }
}

/** A model answered something else than the shape that was asked for. What it said is in `content`. */
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

type Inner = { message?: unknown; code?: unknown; param?: unknown; details?: unknown; request_id?: unknown };
type Envelope = { error?: Inner | string; error_description?: unknown; message?: unknown; data?: unknown };

/** The error that an answer holds, in any envelope, or what can be said of one that is not ours. */
export function errorFrom(status: number, headers: Headers, text: string): ApiError {
  const body = parse(text) as Envelope | null;
  const inner = innerOf(body);
  const message = string(inner?.message) ?? string(body?.message) ?? foreign(status, text);
  const Class = BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Class({
    status,
    message,
    code: string(inner?.code) ?? null,
    requestId: headers.get("request-id") ?? string(inner?.request_id) ?? null,
    param: string(inner?.param) ?? null,
    details:
      typeof inner?.details === "object" && inner.details !== null ? (inner.details as Record<string, unknown>) : {},
    retryAfterMs: retryAfter(headers),
  });
}

/** Milliseconds of `retry-after-ms` or `Retry-After` (seconds or a date); null when neither says. */
export function retryAfter(headers: Headers, now: number = Date.now()): number | null {
  const milliseconds = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const text = headers.get("retry-after");
  if (text === null) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** Whether the platform answered with an error. */
export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError;
/** Whether the status was 404. */
export const isNotFound = (error: unknown): error is NotFoundError => error instanceof NotFoundError;
/** Whether the status was 401. */
export const isUnauthorized = (error: unknown): error is AuthenticationError => error instanceof AuthenticationError;
/** Whether the status was 429. */
export const isRateLimited = (error: unknown): error is RateLimitError => error instanceof RateLimitError;

/** `error` is an object on paths of models, a code on those of OAuth, and elsewhere stands in `data`. */
function innerOf(body: Envelope | null): Inner | undefined {
  if (typeof body?.error === "string") return { code: body.error, message: body.error_description };
  return body?.error ?? (parse(body?.data) as Inner | null) ?? undefined;
}

function foreign(status: number, text: string): string {
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

function string(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
