import { setTimeout as sleep } from "node:timers/promises";
import { errors as undiciErrors } from "undici";
import { AppError, errors, hasCode } from "../../platform/core/errors/index.ts";
import type { BackendKey } from "../backends/backend-keys.ts";
import { findOwnKey, type OwnKey } from "../backends/own-keys.ts";
import { type Backend, type BackendLease, type BackendRegistry, isOwnBackend } from "../backends/registry.ts";
import type { ResolvedCall } from "../call.ts";
import { hasNextModel } from "../fallbacks.ts";
import { getPriority } from "../limits/priority.ts";
import { modelLoading, readModelWaitMs } from "../model-loading.ts";
import { noteFailed } from "../prefixes/held-prefixes.ts";
import { UnsuitableBackendError, upstreamError, upstreamTimeout } from "../upstream-errors.ts";
import { toForm } from "./form.ts";
import { refuseLongPrompt } from "./long-prompts.ts";
import { ownKeyRefused } from "./own-key-refused.ts";
import { refuseUntakenPrompt, toUpstreamBody, withContinuedAnswer, withPriority } from "./parameters.ts";
import { RefusedKeyError } from "./refused-key.ts";
import type { UpstreamRequest } from "./response.ts";
import { refuseUnansweredKind } from "./unanswered-kinds.ts";

/** Timeouts of calls, in milliseconds, and what becomes of calls to a model that its backend is still loading. */
export type Timeouts = {
  /** The time until a backend sends its first byte. */
  firstByteMs: number;
  /** The time between two chunks of a stream. */
  idleMs: number;
  /** The interval of comments in a silent stream. They keep proxies from closing it. */
  keepAliveMs: number;
  /** The time until a caller who reads nothing is disconnected. */
  stalledMs: number;
  /** How long a call waits that does not say it itself, in milliseconds, and the status when it has waited in vain. */
  loading: { waitMs: number; status: 400 | 503 };
};
/** Makes a request to the backend of a lease, with its key. */
type Attempt<T> = (lease: BackendLease) => Promise<T>;
/** The result of an attempt, and the lease of the backend that returned it. */
export type DispatchResult<T> = { lease: BackendLease; result: T };

const MAX_FAILURES = 3;
/** How often a backend is asked that is still loading the model, in milliseconds. */
const LOADING_CHECK_MS = 1_000;
const PROGRAM_ERRORS = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * Tries the best backend, and the next one when an attempt fails or the backend does not answer calls of this kind. Throws the
 * error for the caller: the backend's refusal of the request, or that no backend could answer. While one is still loading
 * the model and no other answers, tries again as long as the caller wants to wait; after that throws `model_loading`. The
 * backend counts as in flight until its lease is disposed of.
 */
export async function tryBackends<T>(
  call: ResolvedCall,
  registry: BackendRegistry,
  { loading }: Timeouts,
  attempt: Attempt<T>,
): Promise<DispatchResult<T>> {
  let startMs: number | null = null;
  for (;;) {
    try {
      return await tryEachBackend(call, registry, attempt);
    } catch (error) {
      if (!hasCode(error, "model_loading")) throw error;
      const waitMs = hasNextModel(call) ? 0 : (readModelWaitMs(call.exchange) ?? loading.waitMs);
      startMs ??= call.elapsedMs();
      const leftMs = startMs + waitMs - call.elapsedMs();
      if (leftMs <= 0) throw loadingAtBackend(call, { status: loading.status, waitedMs: waitMs });
      await sleep(Math.min(leftMs, LOADING_CHECK_MS), undefined, { signal: call.signal });
    }
  }
}

function loadingAtBackend(
  { model, startedAt }: ResolvedCall,
  options: { status: 400 | 503; waitedMs: number },
): AppError {
  return modelLoading(model.id, { tier: "loading", stage: null, readyAt: null }, { now: startedAt, ...options });
}

async function tryEachBackend<T>(
  call: ResolvedCall,
  registry: BackendRegistry,
  attempt: Attempt<T>,
): Promise<DispatchResult<T>> {
  let failures = 0;
  let loading: AppError | undefined;
  let lastError: AppError | undefined;
  let isOwnKeyRefused = false;
  for (const backend of orderBackends(call)) {
    // Others would cost what the organization has not chosen to pay.
    if (isOwnKeyRefused && findOwnKey(call, backend) === null) continue;
    const tried = await tryKeys(call, registry, backend, attempt);
    if ("result" in tried) return tried;
    const { failure, isCounted } = tried;
    if (failure instanceof UnsuitableBackendError) {
      if (failure.isLasting) backend.unansweredCalls.add(describeCall(call));
      lastError ??= failure;
      continue;
    }
    if (failure.code === "model_loading") {
      loading ??= failure;
      continue;
    }
    lastError = failure;
    if (tried.isOwnKeyRefused === true) {
      isOwnKeyRefused = true;
      continue;
    }
    if (failure.status < 500 && failure.status !== 429) throw failure;
    if (!isCounted) continue;
    registry.recordFailure(
      backend,
      failure instanceof RefusedKeyError ? failure.refusal.failure.error : failure.message,
    );
    failures += 1;
    if (failures === MAX_FAILURES) break;
  }
  throw loading ?? lastError ?? errors.capacityExhausted(`No backend runs ${call.model.id} just now.`);
}

/**
 * A call to a backend that failed; one that is not counted says nothing about the backend's health. `isOwnKeyRefused` says that the
 * organization's own key was refused.
 */
type FailedAttempt = { failure: AppError; isCounted: boolean; isOwnKeyRefused?: boolean };

/**
 * Calls a backend with the organization's own key, if it has one for it. Otherwise calls it with one of the backend's keys, and
 * with the next one when the backend refuses the key.
 */
async function tryKeys<T>(
  call: ResolvedCall,
  registry: BackendRegistry,
  backend: Backend,
  attempt: Attempt<T>,
): Promise<DispatchResult<T> | FailedAttempt> {
  const own = findOwnKey(call, backend);
  if (own !== null) return tryOwnKey(call, registry, backend, { attempt, own });
  const first = registry.chooseKey(backend);
  if (first === null && backend.keys.list.length > 0) return toKeysAtLimit(call, registry, backend);
  const tried = await tryOnce(call, registry, registry.acquire(backend, first, call.prompt), attempt);
  if ("result" in tried || first === null || !(tried.failure instanceof RefusedKeyError)) return tried;
  return tryOtherKeys(call, registry, backend, { attempt, first, failure: tried.failure });
}

/** Calls a backend with the organization's own key. Its keys are not used in its place. */
async function tryOwnKey<T>(
  call: ResolvedCall,
  registry: BackendRegistry,
  backend: Backend,
  { attempt, own }: { attempt: Attempt<T>; own: OwnKey },
): Promise<DispatchResult<T> | FailedAttempt> {
  const tried = await tryOnce(call, registry, registry.acquire(backend, own.key, call.prompt), attempt);
  if ("result" in tried || !(tried.failure instanceof RefusedKeyError)) return tried;
  own.noteRefusal(tried.failure.refusal.failure.error);
  return { failure: ownKeyRefused(tried.failure, own), isCounted: false, isOwnKeyRefused: true };
}

async function tryOtherKeys<T>(
  call: ResolvedCall,
  registry: BackendRegistry,
  backend: Backend,
  { attempt, first, failure }: { attempt: Attempt<T>; first: BackendKey; failure: RefusedKeyError },
): Promise<DispatchResult<T> | FailedAttempt> {
  const refusals = new Map<BackendKey, RefusedKeyError>();
  let refused: { key: BackendKey; failure: RefusedKeyError } = { key: first, failure };
  for (;;) {
    const { refusal, isAboutKey } = refused.failure;
    if (isAboutKey) registry.recordRefusedKey(backend, refused.key, refusal);
    refusals.set(refused.key, refused.failure);
    const key = registry.chooseKey(backend, new Set(refusals.keys()));
    if (key === null) break;
    const tried = await tryOnce(call, registry, registry.acquire(backend, key, call.prompt), attempt);
    if ("result" in tried) {
      // It was not about the call, since another key may make it.
      for (const [other, { refusal: given, isAboutKey: isRecorded }] of refusals)
        if (!isRecorded) registry.recordRefusedKey(backend, other, given);
      return tried;
    }
    if (!(tried.failure instanceof RefusedKeyError)) return tried;
    refused = { key, failure: tried.failure };
  }
  if (registry.secondsUntilKeyIsFree(backend) !== null) return toKeysAtLimit(call, registry, backend);
  return { failure: refused.failure, isCounted: true };
}

function toKeysAtLimit({ model }: ResolvedCall, registry: BackendRegistry, backend: Backend): FailedAttempt {
  const failure = errors.rateLimitExceeded(`What runs ${model.id} is at its limit. Try again in a while.`, {
    retryAfterSeconds: registry.secondsUntilKeyIsFree(backend) ?? 1,
  });
  return { failure, isCounted: false };
}

/** Makes one request. Throws if the caller has gone, and for a failure of this server's own. */
async function tryOnce<T>(
  call: ResolvedCall,
  registry: BackendRegistry,
  lease: BackendLease,
  attempt: Attempt<T>,
): Promise<DispatchResult<T> | FailedAttempt> {
  const { backend } = lease;
  call.trace?.startAttempt(backend, backend.api.paths[call.kind] ?? "");
  try {
    const result = await attempt(lease);
    registry.recordSuccess(backend, call.model.key, lease.key);
    return { lease, result };
  } catch (error) {
    lease[Symbol.dispose]();
    call.signal.throwIfAborted(); // not the backend's fault, and no caller to retry for
    if (call.prompt !== null && lease.sent !== null) noteFailed(backend.prefixes, lease.sent, call.prompt.hashes);
    const failure = toUpstreamError(error);
    call.trace?.failAttempt(failure);
    if (failure.code === "internal_error") {
      logOwnFailure(call, failure);
      throw failure;
    }
    logFailure(call, backend, failure);
    return { failure, isCounted: true };
  }
}

/** The backends of a call, best first; last those that said that they do not answer calls like it. */
function orderBackends(call: ResolvedCall): readonly Backend[] {
  const { backends } = call;
  const named = describeCall(call);
  const isUnanswered = ({ unansweredCalls }: Backend) => unansweredCalls.has(named);
  if (backends.length < 2 || !backends.some(isUnanswered)) return backends;
  return [...backends.filter((backend) => !isUnanswered(backend)), ...backends.filter(isUnanswered)];
}

function describeCall({ kind, model }: ResolvedCall): string {
  return `${kind} ${model.key}`;
}

/** Logs what callers must not see: the backend's name and its own error. */
function logFailure({ id, model, exchange }: ResolvedCall, backend: Backend, error: AppError): void {
  const { code, message, cause } = error;
  const reason = cause instanceof Error ? cause.message : message;
  exchange.log.warn({ request_id: id, model: model.id, backend: backend.name, code, reason }, "a backend failed");
}

/** Logs a failure in reading or writing an answer that is this server's, not a backend's. */
export function logOwnFailure({ id, model, exchange }: ResolvedCall, error: AppError): void {
  exchange.log.error({ request_id: id, model: model.id, err: error.cause ?? error }, "an answer cannot be translated");
}

/** The request of a call to a backend. Throws an `UnsuitableBackendError` if the backend does not take its prompt. */
export function toUpstreamRequest(
  call: ResolvedCall,
  { backend, key }: BackendLease,
  { firstByteMs }: Timeouts,
): UpstreamRequest {
  refuseUnansweredKind(backend, call);
  refuseUntakenPrompt(backend, call);
  refuseLongPrompt(backend, call);
  const { kind, carried, model, signal, continuesAnswer, file } = call;
  const body = continuesAnswer === true ? withContinuedAnswer(backend, call.body) : call.body;
  const { path, body: sent } = backend.api.toRequest({
    kind,
    body: withPriority(backend, kind, toUpstreamBody(backend, kind, body, model.key), getPriority(call)),
    carried,
    maxAnswerTokens: backend.answerLimits?.get(model.key) ?? model.maxCompletionTokens,
  });
  const { api, accessTokens, origin, basePath } = backend;
  const apiKey = key?.secret;
  const headers = createHeaders(backend, apiKey, call);
  const text = JSON.stringify(sent);
  return {
    dispatcher: backend.agent,
    openDispatcher: backend.openAgent,
    signal,
    signature:
      api.sign?.(apiKey, { method: "POST", url: origin + basePath + path, headers, body: text }, accessTokens) ?? null,
    options: {
      origin,
      path: basePath + path,
      method: "POST",
      headers,
      body: file === undefined ? text : toForm(sent, file),
      headersTimeout: firstByteMs,
      bodyTimeout: body.stream || kind === "speech" ? 0 : firstByteMs, // streams and files have their own idle timeout
    },
  };
}

function createHeaders(
  backend: Backend,
  apiKey: string | undefined,
  { id, kind, body, file, exchange, trace }: ResolvedCall,
): Record<string, string> {
  const whole = kind === "speech" || file !== undefined ? "*/*" : "application/json";
  const headers: Record<string, string> = {
    ...(file === undefined && { "content-type": "application/json" }), // a form comes with its own
    accept: body.stream ? backend.api.streamFormat.mediaType : whole,
    "x-request-id": id,
  };
  const traceparent = trace?.traceparent() ?? null;
  if (traceparent !== null) headers.traceparent = traceparent;
  Object.assign(headers, backend.api.headers(apiKey));
  // Only the server's own engine reports which parts of a schema it cannot enforce.
  if (isOwnBackend(backend) && exchange.headers["x-strict-params"] === "1") headers["x-strict-params"] = "1";
  return headers;
}

/**
 * Returns the error for the caller when the connection to a backend fails. A programming error in this server becomes
 * `internal_error`.
 */
export function toUpstreamError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (PROGRAM_ERRORS.some((kind) => error instanceof kind)) return errors.internalError({ cause: error });
  if (error instanceof undiciErrors.HeadersTimeoutError)
    return upstreamTimeout("The backend gave no answer in time.", error);
  if (error instanceof undiciErrors.BodyTimeoutError)
    return upstreamTimeout("The backend stopped in the middle of the answer.", error);
  if (error instanceof undiciErrors.ResponseExceededMaxSizeError)
    return upstreamError("The backend's answer is too large.", error);
  if (error instanceof undiciErrors.ConnectTimeoutError || isConnectionError(error))
    return upstreamError("The backend cannot be reached.", error);
  return upstreamError("The backend broke off before its answer was complete.", error);
}

function isConnectionError(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && /^E(CONNREFUSED|NOTFOUND|AI_AGAIN|HOSTUNREACH)$/.test(`${error.code}`)
  );
}
