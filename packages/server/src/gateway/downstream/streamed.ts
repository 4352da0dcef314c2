import { AppError } from "../../core/errors/index.ts";
import type { Backend, BackendRegistry } from "../backends/registry.ts";
import type { Outcome, ResolvedCall } from "../call.ts";
import { type Chunk, type CompletionMeta, createChunkReader, type StreamState } from "../formats/chunks.ts";
import type { AnswerFormat, StreamWriter } from "../formats/format.ts";
import { toFailedOutcomeName } from "../outcomes.ts";
import { completeUsage } from "../reported-usage.ts";
import { estimatePromptTokens } from "../token-estimates.ts";
import { logOwnFailure, type Timeouts, toUpstreamError, toUpstreamRequest, tryBackends } from "../upstream/dispatch.ts";
import { upstreamError } from "../upstream/upstream-errors.ts";
import { parseUpstreamRefusal, toRefusalResponse } from "../upstream/upstream-refusal.ts";
import { openUpstreamStream, type UpstreamStream } from "../upstream/upstream-stream.ts";
import { type CallerStream, createCallerStream } from "./caller-stream.ts";
import { createCompletionMeta, setIgnoredParamsHeader } from "./completion-meta.ts";

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
  using held = new DisposableStack();
  const caller = createCallerStream(exchange, { ...timeouts, signal });
  held.defer(caller.close);
  try {
    const { lease, result } = await tryBackends(call, registry, (backend) =>
      openUpstream(call, backend, identity, timeouts),
    );
    held.use(lease);
    held.defer(() => result.close());
    Object.assign(progress, { backend: lease.backend, state: result.state });
    progress.firstByteMs = Math.floor(call.elapsedMs());
    if (!caller.isOpen()) setIgnoredParamsHeader(call, lease.backend, result);
    await forwardChunks(result, caller, writer, timeouts);
    const { usage, deltas, finishReasons } = result.state;
    call.trace?.setFinishReasons(finishReasons);
    caller.end(writer.end(completeUsage(usage, () => estimatePromptTokens(call.body), deltas)));
    return toOutcome(call, "completed", 200, null);
  } catch (error) {
    const isCallerGone = signal.aborted && !(signal.reason instanceof AppError);
    if (isCallerGone) return toOutcome(call, "aborted", 499, "client_closed");
    const streamError = toUpstreamError(signal.aborted ? signal.reason : error);
    if (streamError.code === "internal_error") logOwnFailure(call, streamError);
    else if (progress.backend && !signal.aborted) registry.recordFailure(progress.backend, streamError.code);
    if (!caller.isOpen()) throw streamError;
    const lastText = writer.error(streamError);
    if (streamError.code === "shutting_down") caller.cut(lastText);
    else caller.end(lastText);
    return toOutcome(call, toFailedOutcomeName(signal), 200, streamError.code);
  }
}

/** Sends all chunks to the caller. Throws if the backend ends before its answer is complete. */
async function forwardChunks(
  upstream: UpstreamStream,
  caller: CallerStream,
  writer: StreamWriter,
  { idleMs }: Timeouts,
): Promise<void> {
  await upstream.forward((chunks) => caller.write(renderChunks(writer, chunks)), idleMs);
  if (upstream.state.failed || !upstream.state.finished) throw incompleteAnswer(upstream.state);
}

function renderChunks(writer: StreamWriter, chunks: readonly Chunk[]): string {
  let text = "";
  for (const chunk of chunks) text += writer.chunk(chunk);
  return text;
}

function toOutcome(
  { body, progress: { backend, firstByteMs, state } }: ResolvedCall,
  outcome: Outcome["outcome"],
  status: number,
  errorCode: string | null,
): Outcome {
  const deltas = state?.deltas ?? 0;
  const usage = state?.usage ? completeUsage(state.usage, () => estimatePromptTokens(body), deltas) : null;
  return { outcome, status, errorCode, backend: backend?.name ?? null, firstByteMs, usage, deltas };
}

/** Waits for the first chunk; until then nothing is sent to the caller. */
async function openUpstream(
  call: ResolvedCall,
  backend: Backend,
  identity: CompletionMeta,
  timeouts: Timeouts,
): Promise<UpstreamStream> {
  const reader = createChunkReader(call.kind === "completion" ? "completion" : "chat", identity);
  const opened = await openUpstreamStream(toUpstreamRequest(call, backend, timeouts), reader, timeouts.firstByteMs);
  if ("response" in opened)
    throw parseUpstreamRefusal(opened.response, backend, call.model.id, call.format?.toCallerFields);
  if ("empty" in opened) throw toEmptyStreamError(opened.empty, backend, call);
  return opened.stream;
}

/**
 * Returns the error for a stream without chunks. A refusal that a backend sends as its first event, with status 200, counts
 * as a refusal with its own status, since nothing was sent to the caller.
 */
function toEmptyStreamError(
  { reportedError, ...state }: StreamState,
  backend: Backend,
  { model, format }: ResolvedCall,
): AppError {
  const refusal = reportedError && toRefusalResponse(reportedError);
  return refusal ? parseUpstreamRefusal(refusal, backend, model.id, format?.toCallerFields) : incompleteAnswer(state);
}

function incompleteAnswer(state: Pick<StreamState, "failed">): AppError {
  return upstreamError(
    state.failed
      ? "The backend reported an error in the middle of the answer."
      : "The backend ended the answer before it was complete.",
  );
}
