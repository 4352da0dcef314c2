import type { IncomingHttpHeaders } from "node:http";
import {
  type AppError,
  createError,
  createForwardedError,
  type ErrorCode,
  type ErrorOptions,
  errors,
} from "../../platform/core/errors/index.ts";
import { SECOND_MS } from "../../platform/core/time.ts";
import { findOwnKey, type OwnKeys } from "../backends/own-keys.ts";
import { toKeyFailure } from "../backends/problems.ts";
import { type Backend, isOwnBackend } from "../backends/registry.ts";
import type { ToCallerFields } from "../formats/caller-fields.ts";
import type { CallBody, CallKind } from "../formats/parsed-request.ts";
import { UnsuitableBackendError, upstreamError } from "../upstream-errors.ts";
import { isRecord } from "../usage/reported-usage.ts";
import { CONTRACT_FIELDS, PROMPT_FIELDS } from "./parameters.ts";
import { RefusedKeyError } from "./refused-key.ts";
import { parseJsonObject, type UpstreamResponse } from "./response.ts";

/** The `retry-after` in seconds for a backend at its limit. Clients ignore long waits. */
const DEFAULT_RETRY_AFTER_S = 2;
const MAX_RETRY_AFTER_S = 30;
/** The form of an error code. Other texts may be part of the prompt and are not logged. */
const ERROR_CODE = /^[a-z][a-z0-9_.-]{0,63}$/i;

type UpstreamReason = { message: string | null; code: string | null; param: string | null };
type KnownRefusal = {
  pattern: RegExp;
  code: ErrorCode;
  /** A field of chat completions. `messages` stands for the prompt of any call. */
  param: string;
  message: string;
};

/** What was asked of a backend: an answer, or the tokens of a text. */
export type RefusedCall = {
  kind: CallKind | "tokens";
  model: { id: string };
  body?: CallBody;
  format?: { toCallerFields?: ToCallerFields } | null;
  ownKeys?: OwnKeys;
};

/** Refusals that callers can act on. The first matching pattern is used. */
const KNOWN_REFUSALS: readonly KnownRefusal[] = [
  {
    pattern: /content.?filter|content.?policy|content management policy|responsible ?ai|moderation/i,
    code: "content_refused",
    param: "messages",
    message: "The content of the request is refused by what runs",
  },
  {
    pattern: /context.?(length|size|window)|maximum context|max_model_len|(prompt|input) is too long|too many tokens/i,
    code: "context_length_exceeded",
    param: "messages",
    message: "Prompt and answer do not fit into the context of",
  },
  {
    pattern: /not support (thinking|reasoning)|(invalid|unsupported) (reasoning|think)|think value|reasoning.?effort/i,
    code: "unsupported_parameter",
    param: "reasoning_effort",
    message: "Reasoning, or this effort of it, cannot be chosen with",
  },
  {
    pattern: /one completion choice/i,
    code: "unsupported_parameter",
    param: "n",
    message: "Only one answer at a time can be had from",
  },
  {
    pattern: /only no echo/i,
    code: "unsupported_parameter",
    param: "echo",
    message: "The prompt cannot be repeated in front of the answer by",
  },
  {
    pattern: /param: suffix|not support (insert|suffix)/i,
    code: "unsupported_parameter",
    param: "suffix",
    message: "A text that follows the answer cannot be used with",
  },
  {
    pattern: /matryoshka|output dimensions/i,
    code: "unsupported_parameter",
    param: "dimensions",
    message: "The number of dimensions cannot be chosen with",
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

/** How backends say that a model does not write down speech. */
const HEARING = /not support (the )?(transcri|translat|audio|speech.to.text|asr)/i;
/** What a call asks for, in words, and how backends say that they do not give it. */
const OFFERS: Readonly<Record<RefusedCall["kind"], { lacking: string; refusal: RegExp }>> = {
  chat: {
    lacking: "gives no chat completions",
    refusal: /not support (the )?chat\b(?! template)|not support completions|must provide a chat template/i,
  },
  completion: {
    lacking: "gives no text completions",
    refusal: /not support (the )?(text )?(completions?|generate|generation)\b/i,
  },
  embedding: {
    lacking: "gives no embeddings",
    refusal: /not support (the )?embed|pooling type|not appear to be an embedding model/i,
  },
  rerank: {
    lacking: "gives no scores of texts",
    refusal: /not support (the )?(rerank|score|classif)|pooling type|reranking/i,
  },
  moderation: { lacking: "gives no classifications of texts", refusal: /not support (the )?(moderation|classif)/i },
  image: { lacking: "gives no pictures", refusal: /not support (the )?(image|picture)/i },
  speech: { lacking: "gives no speech", refusal: /not support (the )?(speech|tts|text.to.speech|audio)\b/i },
  transcription: { lacking: "gives no transcriptions", refusal: HEARING },
  translation: { lacking: "gives no translations of speech", refusal: HEARING },
  tokens: { lacking: "cannot split texts into tokens", refusal: /not support (the )?tokeniz/i },
};
/** What Anthropic's API answers when it has too much to do. */
const OVERLOADED = 529;
/** Statuses that are about the caller, the key or a limit, whatever the message says. */
const OTHER_STATUSES: ReadonlySet<number> = new Set([401, 403, 413, 429, 503]);
/** What servers say of a path that they do not have. One that lacks the model says so. */
const MISSING_PATH = /^$|^(404 )?((page|file|path|route|url) )?not found\.?$|^(there is no|cannot|route) post\b/i;
/** What a backend says that has begun to load the model. */
const LOADING = /loading model|model is (still |currently )?(being loaded|loading)/i;

/**
 * Translates a backend's error response to an error for the caller. Invalid requests are described in our own words, and
 * the cause for the log has only the status and code, because a backend's message may reveal internals or repeat the
 * prompt. Messages of the server's own engine are passed on, with the caller's names of fields.
 */
export function parseUpstreamRefusal(given: UpstreamResponse, backend: Backend, call: RefusedCall): AppError {
  const refusal = parseRefusal(given, backend, call);
  return withRefusedKey(refusal, given, backend, call);
}

/** Returns the refusal of a key if a response is one. Keys of own backends are this server's: nothing is wrong with them. */
function withRefusedKey(
  refusal: AppError,
  { statusCode, headers, text }: UpstreamResponse,
  backend: Backend,
  call: RefusedCall,
): AppError {
  const hasKey = backend.keys.list.length > 0 || findOwnKey(call, backend) !== null;
  if (refusal instanceof UnsuitableBackendError || isOwnBackend(backend) || !hasKey) return refusal;
  const refused = toKeyFailure(statusCode, text);
  if (refused === null) return refusal;
  const { failure, isLimit } = refused;
  return new RefusedKeyError(refusal, {
    refusal: isLimit
      ? { reason: "limit", retryAfterMs: parseRetryAfterMs(headers), failure }
      : { reason: "refused", retryAfterMs: null, failure },
    isAboutKey: statusCode !== 400 && statusCode !== 403, // which some send for what a prompt says
  });
}

function parseRefusal(given: UpstreamResponse, backend: Backend, call: RefusedCall): AppError {
  const response = backend.api.readRefusal?.(given) ?? given;
  const { statusCode, headers, text } = response;
  const { id: modelId } = call.model;
  const reason = parseReason(text);
  const cause = new Error(`status ${statusCode}, code ${toLoggableCode(reason.code)}`);
  if (isNotOffered(response, reason, call.kind)) return notOffered(call, cause);
  if (statusCode === 413) return errors.payloadTooLarge("The backend takes no request so large.", { cause });
  if (statusCode === 400 || statusCode === 422) return toBadRequest(reason, backend, call, cause);
  if (statusCode === 429)
    return errors.rateLimitExceeded(`What runs ${modelId} is at its limit. Try again in a moment.`, {
      retryAfterSeconds: parseRetryAfter(headers["retry-after"]),
      cause,
    });
  if (statusCode === 503 && LOADING.test(reason.message ?? ""))
    return errors.modelLoading(`${modelId} is being loaded. Try again in a while.`, {
      param: "model",
      retryAfterSeconds: DEFAULT_RETRY_AFTER_S,
      cause,
    });
  if (statusCode === 503 || statusCode === OVERLOADED)
    return errors.capacityExhausted("The backend is at its limit just now. Try again in a moment.", {
      retryAfterSeconds: DEFAULT_RETRY_AFTER_S,
      cause,
    });
  const verb = statusCode >= 500 || statusCode === 408 || statusCode === 425 ? "failed" : "refused to answer";
  return upstreamError(`The backend ${verb} (status ${statusCode}).`, cause);
}

/** Returns whether a backend says that it, or the model there, does not answer calls of this kind at all. */
function isNotOffered({ statusCode, text }: UpstreamResponse, { message }: UpstreamReason, kind: RefusedCall["kind"]) {
  if (statusCode === 501 || statusCode === 405) return true;
  const said = message ?? text.trim();
  if (statusCode === 404 && MISSING_PATH.test(said)) return true;
  return !OTHER_STATUSES.has(statusCode) && OFFERS[kind].refusal.test(said);
}

function notOffered({ kind, model }: RefusedCall, cause: Error): AppError {
  const message = `What runs ${model.id} ${OFFERS[kind].lacking}. Choose another model.`;
  const refusal = errors.unsupportedParameter(message, { param: "model", cause });
  return new UnsuitableBackendError(refusal, { isLasting: true });
}

/** Names of the errors of backends that say whose fault they are, without a status. */
const STATUS_BY_TYPE: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|too.?many/i, 429],
  [/overloaded|unavailable/i, 503],
  [/not.?supported/i, 501],
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
  { kind, model, body, format }: RefusedCall,
  cause: Error,
): AppError {
  const toCallerFields = format?.toCallerFields ?? ((given: string) => given);
  if (isOwnBackend(backend)) {
    const options = createErrorOptions(param === null ? null : toCallerFields(param), cause);
    return createForwardedError(code, toCallerFields(message ?? "The backend refused the request."), options);
  }
  const said = `${code ?? ""} ${message ?? ""}`;
  const known = KNOWN_REFUSALS.find((refusal) => refusal.pattern.test(said) && !isAboutOwnMedia(refusal, kind));
  if (known) {
    const field = toCallerFields(toFieldOf(kind, body, known.param));
    return createError(known.code, `${known.message} ${model.id}.`, { param: field, cause });
  }
  const given = param ?? GO_FIELD.exec(said)?.[1] ?? null;
  const field = kind !== "tokens" && given !== null && CONTRACT_FIELDS[kind].has(given) ? toCallerFields(given) : null;
  const subject = field === null ? "the request" : `the field ${field}`;
  return errors.invalidRequest(
    `What runs ${model.id} refused ${subject} as not valid.`,
    createErrorOptions(field, cause),
  );
}

/** Returns whether the media that a refusal names are those that the call is about. */
function isAboutOwnMedia({ code }: KnownRefusal, kind: RefusedCall["kind"]): boolean {
  return code === "unsupported_modality" && (kind === "speech" || kind === "transcription" || kind === "translation");
}

/** The field that programs in Go name when a value has the wrong type. */
const GO_FIELD = /Go struct field \w+\.(\w+)/;

/** Returns the field of a call that stands for one of chat completions. Reasoning is chosen by its effort or by a switch. */
function toFieldOf(kind: RefusedCall["kind"], body: CallBody | undefined, param: string): string {
  if (param === "messages") return PROMPT_FIELDS[kind];
  const isSwitch = param === "reasoning_effort" && body?.reasoning_effort === undefined;
  return isSwitch && body?.chat_template_kwargs !== undefined ? "chat_template_kwargs" : param;
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

/** Reads the error of a response; null where the body does not say it. */
function parseReason(text: string): UpstreamReason {
  const body = parseJsonObject(text) ?? {};
  const error = isRecord(body.error) ? body.error : { message: body.error ?? body.message ?? body.detail };
  const stringOrNull = (value: unknown) => (typeof value === "string" ? value : null);
  return {
    message: stringOrNull(error.message),
    code: stringOrNull(error.code),
    param: stringOrNull(error.param),
  };
}

/** Returns the rest that a backend asks for in milliseconds; null if it names none. */
function parseRetryAfterMs({
  "retry-after": header,
  "retry-after-ms": exact,
  date,
}: IncomingHttpHeaders): number | null {
  const milliseconds = Number(exact ?? Number.NaN);
  if (Number.isFinite(milliseconds)) return milliseconds;
  if (header === undefined) return null;
  const seconds = Number(header);
  // A time is compared with the backend's own clock.
  const wait = Number.isFinite(seconds) ? seconds * SECOND_MS : Date.parse(header) - Date.parse(date ?? "");
  return Number.isFinite(wait) ? wait : null;
}
