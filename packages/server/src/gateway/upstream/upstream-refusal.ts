import {
  type AppError,
  createError,
  createForwardedError,
  type ErrorCode,
  type ErrorOptions,
  errors,
} from "../../core/errors/index.ts";
import { type Backend, isOwnBackend } from "../backends/registry.ts";
import type { ToCallerFields } from "../formats/caller-fields.ts";
import { isRecord } from "../reported-usage.ts";
import { CONTRACT_FIELDS } from "./parameters.ts";
import type { UpstreamResponse } from "./response.ts";
import { upstreamError } from "./upstream-errors.ts";

/** The `retry-after` in seconds for a backend at its limit. Clients ignore long waits. */
const DEFAULT_RETRY_AFTER_S = 2;
const MAX_RETRY_AFTER_S = 30;
/** The form of an error code. Other texts may be part of the prompt and are not logged. */
const ERROR_CODE = /^[a-z][a-z0-9_.-]{0,63}$/i;

type UpstreamReason = { message: string; code: string | null; param: string | null };
type KnownRefusal = { pattern: RegExp; code: ErrorCode; param: string; message: string };

/** Refusals that callers can act on. The first matching pattern is used. */
const KNOWN_REFUSALS: readonly KnownRefusal[] = [
  {
    pattern: /context.?(length|size|window)|maximum context|max_model_len|prompt is too long|too many tokens/i,
    code: "context_length_exceeded",
    param: "messages",
    message: "Prompt and answer do not fit into the context of",
  },
  {
    pattern: /tool|function.?call/i,
    code: "unsupported_parameter",
    param: "tools",
    message: "These tools, or messages about them, cannot be used with",
  },
  {
    pattern: /image|vision|multi.?modal|audio|video/i,
    code: "unsupported_modality",
    param: "messages",
    message: "These pictures or other media cannot be used with",
  },
  {
    pattern: /response_format|schema|grammar|structured|guided/i,
    code: "unsupported_parameter",
    param: "response_format",
    message: "This form of the answer cannot be used with",
  },
  {
    pattern: /alternate|system role|role/i,
    code: "invalid_request",
    param: "messages",
    message: "The messages, or the order of their roles, cannot be used with",
  },
];

/**
 * Translates a backend's error response to an error for the caller. Invalid requests are described in our own words, and
 * the cause for the log has only the status and code, because a backend's message may reveal internals or repeat the
 * prompt. Messages of the server's own engine are passed on, with the caller's names of fields.
 */
export function parseUpstreamRefusal(
  { statusCode, headers, text }: UpstreamResponse,
  backend: Backend,
  modelId: string,
  toCallerFields: ToCallerFields = (given) => given,
): AppError {
  const reason = parseReason(text);
  const cause = new Error(`status ${statusCode}, code ${toLoggableCode(reason.code)}`);
  if (statusCode === 413) return errors.payloadTooLarge("The backend takes no request so large.", { cause });
  if (statusCode === 400 || statusCode === 422) return toBadRequest(reason, backend, modelId, cause, toCallerFields);
  if (statusCode === 429)
    return errors.rateLimitExceeded(`What runs ${modelId} is at its limit. Try again in a moment.`, {
      retryAfterSeconds: parseRetryAfter(headers["retry-after"]),
      cause,
    });
  if (statusCode === 503)
    return errors.capacityExhausted("The backend is at its limit just now. Try again in a moment.", {
      retryAfterSeconds: DEFAULT_RETRY_AFTER_S,
      cause,
    });
  const verb = statusCode >= 500 || statusCode === 408 || statusCode === 425 ? "failed" : "refused to answer";
  return upstreamError(`The backend ${verb} (status ${statusCode}).`, cause);
}

/** The statuses for errors whose type names the cause, but that have no status. */
const STATUS_BY_TYPE: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|too.?many/i, 429],
  [/overloaded|unavailable/i, 503],
  [/bad.?request|invalid.?request|context.?(length|size)/i, 400],
];

/**
 * Returns the refusal that an error in a response with status 200 means, or null if it does not say that the request was
 * refused.
 */
export function toRefusalResponse(error: Record<string, unknown>): UpstreamResponse | null {
  const statusCode = readStatus(error);
  return statusCode === null ? null : { statusCode, headers: {}, text: JSON.stringify({ error }) };
}

function readStatus({ code, status, status_code, http_code, type }: Record<string, unknown>): number | null {
  for (const value of [status_code, http_code, status, code]) {
    const number = typeof value === "string" && value !== "" ? Number(value) : value;
    if (typeof number === "number" && Number.isInteger(number) && number >= 400 && number < 600) return number;
  }
  const word = [type, code].find((value) => typeof value === "string" && value !== "");
  return STATUS_BY_TYPE.find(([pattern]) => typeof word === "string" && pattern.test(word))?.[1] ?? null;
}

function toBadRequest(
  { message, code, param }: UpstreamReason,
  backend: Backend,
  modelId: string,
  cause: Error,
  toCallerFields: ToCallerFields,
): AppError {
  if (isOwnBackend(backend)) {
    const options = createErrorOptions(param === null ? null : toCallerFields(param), cause);
    return createForwardedError(code, toCallerFields(message), options);
  }
  const known = KNOWN_REFUSALS.find(({ pattern }) => pattern.test(`${code ?? ""} ${message}`));
  if (known) return createError(known.code, `${known.message} ${modelId}.`, { param: known.param, cause });
  const field = param !== null && CONTRACT_FIELDS.chat.has(param) ? param : null;
  const subject = field === null ? "the request" : `the field ${field}`;
  return errors.invalidRequest(
    `What runs ${modelId} refused ${subject} as not valid.`,
    createErrorOptions(field, cause),
  );
}

function toLoggableCode(code: string | null): string {
  return code !== null && ERROR_CODE.test(code) ? code : "none";
}

function createErrorOptions(param: string | null, cause: Error): ErrorOptions {
  return { cause, ...(param !== null && { param }) };
}

function parseRetryAfter(header: string | string[] | undefined): number {
  const seconds = Math.ceil(Number(header));
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, MAX_RETRY_AFTER_S) : DEFAULT_RETRY_AFTER_S;
}

function parseReason(text: string): UpstreamReason {
  const fallback = { message: "The backend refused the request.", code: null, param: null };
  try {
    const body: unknown = JSON.parse(text);
    if (!isRecord(body)) return fallback;
    const error = isRecord(body.error) ? body.error : { message: body.error ?? body.message };
    const stringOrNull = (value: unknown) => (typeof value === "string" ? value : null);
    return {
      message: stringOrNull(error.message) ?? fallback.message,
      code: stringOrNull(error.code),
      param: stringOrNull(error.param),
    };
  } catch {
    return fallback;
  }
}
