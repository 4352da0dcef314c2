import { AppError } from "../../platform/core/errors/index.ts";
import { noteFirstToken, noteTokens } from "../backends/places/speeds.ts";
import type { Backend, BackendLease, BackendRegistry } from "../backends/registry.ts";
import { nowOf, type Outcome, type ResolvedCall } from "../call.ts";
import { type CallerStream, createCallerStream } from "../caller-streams/caller-stream.ts";
import { hasNextModel } from "../fallbacks.ts";
import type { Chunk, CompletionMeta, StreamState } from "../formats/chunks.ts";
import type { AnswerFormat, StreamWriter } from "../formats/format.ts";
import { isWholeKind } from "../formats/parsed-request.ts";
import { estimatePromptTokens } from "../formats/token-estimates.ts";
import { readCountedSeconds, toAudioLength } from "../formats/transcriptions/format.ts";
import { toFailedOutcomeName } from "../outcomes.ts";
import { noteAnswered, noteCached } from "../prefixes/held-prefixes.ts";
import { logOwnFailure, type Timeouts, toUpstreamError, toUpstreamRequest, tryBackends } from "../upstream/dispatch.ts";
import { findCutPrompt } from "../upstream/long-prompts.ts";
import { parseUpstreamRefusal, toRefusalResponse } from "../upstream/upstream-refusal.ts";
import { openUpstreamStream, type UpstreamStream } from "../upstream/upstream-stream.ts";
import { UnsuitableBackendError, upstreamError } from "../upstream-errors.ts";
import { completeUsage, type ReportedUsage } from "../usage/reported-usage.ts";
import { createAnswerReader } from "./answer-reader.ts";
import {
  createCompletionMeta,
  expectUnansweredField,
  findUnansweredField,
  setIgnoredParamsHeader,
} from "./completion-meta.ts";
import { completeRest, followAnswer, RESUMED, type SentAnswer, withoutRole } from "./continued-answer.ts";

/** The longest time of a timer of Node, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const NOTHING_COUNTED: ReportedUsage = { prompt: 0, completion: 0, cached: 0, given: {} };

/**
 * Forwards an answer as it arrives. Before the first chunk, another backend may take over; a later failure is sent as an
 * error event. The response then ends normally, because the caller may have sent its next request on the connection
 * already. Only a server that stops closes the connection.
 */
export async function answerStream(
  call: ResolvedCall,
  format: AnswerFormat,
  registry: BackendRegistry,
  timeouts: Timeouts,
): Promise<Outcome> {
  const { exchange, signal, progress } = call;
  const identity = createCompletionMeta(call);
  const writer = format.stream(identity);
  // Once a comment is sent, no other model could take over: its status and headers are sent with it.
  const keepAliveMs = hasNextModel(call) ? MAX_TIMER_MS : timeouts.keepAliveMs;
  const caller =
    call.resumable?.answer({
      keepAliveMs,
      stalledMs: timeouts.stalledMs,
      renderError: (error) => format.stream(identity).error(error),
    }) ?? createCallerStream(exchange, { ...timeouts, keepAliveMs, signal });
  try {
    const sent = followAnswer(call);
    const { usage, deltas, finishReasons } = await sendAnswer(call, {
      registry,
      timeouts,
      identity,
      writer,
      caller,
      sent,
    });
    call.trace?.setFinishReasons(finishReasons);
    caller.end(writer.end(countUsage(call, usage, deltas)));
    return toOutcome(call, "completed", 200, null);
  } catch (error) {
    const isCallerGone = signal.aborted && !(signal.reason instanceof AppError);
    if (isCallerGone) return toOutcome(call, "aborted", 499, "client_closed");
    const streamError = toUpstreamError(signal.aborted ? signal.reason : error);
    if (streamError.code === "internal_error") logOwnFailure(call, streamError);
    else if (progress.backend && !signal.aborted && !(streamError instanceof UnsuitableBackendError))
      registry.recordFailure(progress.backend, streamError.code);
    if (!caller.isOpen()) throw streamError;
    const lastText = writer.error(streamError);
    if (streamError.code === "shutting_down") caller.cut(lastText);
    else caller.end(lastText);
    return toOutcome(call, toFailedOutcomeName(signal), 200, streamError.code);
  } finally {
    caller.close();
  }
}

type Streaming = {
  registry: BackendRegistry;
  timeouts: Timeouts;
  identity: CompletionMeta;
  writer: StreamWriter;
  caller: CallerStream;
  /** What the caller has got of an answer that another backend may continue; null if none may. */
  sent: SentAnswer | null;
};
/** A part of an answer that has broken off: the backend, its error, and the chunks with text until then. */
type BrokenPart = { backend: Backend; error: unknown; deltas: number };

/**
 * Sends the answer of one of the call's backends, and if it breaks off and may be continued, the rest of it from another one.
 * Returns the state of the whole answer.
 */
async function sendAnswer(call: ResolvedCall, streaming: Streaming): Promise<StreamState> {
  let part = call;
  let broken: BrokenPart | null = null;
  for (;;) {
    const result = await sendPart(part, streaming, broken);
    if ("state" in result) return result.state;
    const rest = call.signal.aborted
      ? null
      : streaming.sent?.toRest(result.broken.backend, toUpstreamError(result.broken.error));
    if (!rest) throw result.broken.error;
    part = rest;
    broken = result.broken;
  }
}

/**
 * Sends the answer of one of the call's backends, or the rest of a broken one. Returns its state, or the part that has broken
 * off. Throws if no backend begins to answer.
 */
async function sendPart(
  call: ResolvedCall,
  { registry, timeouts, identity, writer, caller, sent }: Streaming,
  before: BrokenPart | null,
): Promise<{ state: StreamState } | { broken: BrokenPart }> {
  const { progress } = call;
  const opened = tryBackends(call, registry, timeouts, (chosen) => openUpstream(call, chosen, identity, timeouts));
  const { lease, result } = await (before === null ? opened : opened.catch(() => Promise.reject(before.error)));
  using held = new DisposableStack();
  held.use(lease);
  held.defer(() => result.close());
  const { backend } = lease;
  const { state } = result;
  Object.assign(progress, { backend, state });
  if (before === null) {
    progress.firstByteMs = Math.floor(call.elapsedMs());
    if (!caller.isOpen())
      setIgnoredParamsHeader(call, backend, {
        headers: result.headers,
        passedOver: expectUnansweredField(call, backend),
      });
  } else {
    registry.recordFailure(before.backend, toUpstreamError(before.error).code);
    state.deltas += before.deltas;
    await caller.write(RESUMED);
  }
  try {
    await forwardChunks(result, caller, writer, {
      idleMs: timeouts.idleMs,
      findRefusal: () => findCutPrompt(backend, call, state.usage),
      onChunks:
        sent &&
        ((chunks) => {
          if (before !== null) withoutRole(chunks);
          sent.note(chunks);
        }),
    });
  } catch (error) {
    return { broken: { backend, error, deltas: state.deltas } };
  }
  if (before !== null) completeRest(call, state, before.deltas);
  else {
    noteCached(backend.prefixes, lease.sent, state.usage);
    const tokens = state.usage?.completion || state.deltas;
    noteTokens(backend.speeds, call.model.key, tokens, call.elapsedMs() - (progress.firstByteMs ?? 0));
  }
  findUnansweredField(call, backend, state.finishReasons.length);
  return { state };
}

type Forwarding = {
  idleMs: number;
  /** Called with the chunks before they are sent; null for an answer that nothing follows. */
  onChunks: ((chunks: readonly Chunk[]) => void) | null;
  /** Returns why a complete answer is refused; null if it is not. */
  findRefusal(): AppError | null;
};

/**
 * Sends all chunks to the caller. Throws when the backend breaks off before its answer is complete, and for an answer that is
 * refused, whose end is not sent: it would say that all is well.
 */
async function forwardChunks(
  upstream: UpstreamStream,
  caller: CallerStream,
  writer: StreamWriter,
  { idleMs, findRefusal, onChunks }: Forwarding,
): Promise<void> {
  const { state } = upstream;
  const refusalOfAnswer = () => (state.finished ? findRefusal() : null);
  await upstream.forward((chunks) => {
    if (refusalOfAnswer() !== null) return undefined;
    onChunks?.(chunks);
    return caller.write(renderChunks(writer, chunks));
  }, idleMs);
  const refusal = refusalOfAnswer();
  if (refusal !== null) throw refusal;
  if (state.failed || !state.finished) throw incompleteAnswer(state);
}

function renderChunks(writer: StreamWriter, chunks: readonly Chunk[]): string {
  let text = "";
  for (const chunk of chunks) text += writer.chunk(chunk);
  return text;
}

/** Returns the usage of an answer. Where the answer is no generated text, what the backend did not count is not estimated. */
function countUsage({ kind, body }: ResolvedCall, usage: ReportedUsage | null, deltas: number): ReportedUsage {
  if (isWholeKind(kind)) return usage ?? NOTHING_COUNTED;
  return completeUsage(usage, () => estimatePromptTokens(body), deltas);
}

function toOutcome(call: ResolvedCall, outcome: Outcome["outcome"], status: number, errorCode: string | null): Outcome {
  const { backend, firstByteMs, state } = call.progress;
  const deltas = state?.deltas ?? 0;
  const usage = state?.usage ? countUsage(call, state.usage, deltas) : null;
  const sound = isWholeKind(call.kind) ? toAudioLength(readCountedSeconds(usage?.given)) : {};
  return { outcome, status, errorCode, backend: backend?.name ?? null, firstByteMs, usage, deltas, ...sound };
}

/** Waits for the first chunk; until then nothing is sent to the caller. */
async function openUpstream(
  call: ResolvedCall,
  lease: BackendLease,
  identity: CompletionMeta,
  timeouts: Timeouts,
): Promise<UpstreamStream> {
  const { backend } = lease;
  const reader = createAnswerReader(call, backend, identity);
  const request = toUpstreamRequest(call, lease, timeouts);
  const parser = backend.api.streamFormat.createParser();
  const startMs = call.elapsedMs();
  const opened = await openUpstreamStream(request, reader, timeouts.firstByteMs, parser);
  if ("response" in opened) throw parseUpstreamRefusal(opened.response, backend, call);
  if ("empty" in opened) throw toEmptyStreamError(opened.empty, backend, call);
  noteFirstToken(backend.speeds, call.model.key, call.elapsedMs() - startMs, nowOf(call));
  if (lease.sent !== null) noteAnswered(backend.prefixes, lease.sent);
  return opened.stream;
}

/** A refusal that a backend sends as its first event, with status 200, is the same refusal: nothing was sent yet. */
function toEmptyStreamError({ reportedError, ...state }: StreamState, backend: Backend, call: ResolvedCall): AppError {
  const refusal = reportedError && toRefusalResponse(reportedError);
  return refusal ? parseUpstreamRefusal(refusal, backend, call) : incompleteAnswer(state);
}

function incompleteAnswer(state: Pick<StreamState, "failed">): AppError {
  return upstreamError(
    state.failed
      ? "The backend reported an error in the middle of the answer."
      : "The backend ended the answer before it was complete.",
  );
}
