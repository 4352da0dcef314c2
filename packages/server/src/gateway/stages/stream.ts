import { AppError } from "../../core/errors/index.ts";
import type { Backend, BackendRegistry } from "../backends/registry.ts";
import type { Outcome, ResolvedCall } from "../call.ts";
import { createCallerStream } from "../caller-stream.ts";
import { createCompletionMeta, setIgnoredParamsHeader } from "../completion-meta.ts";
import { type Chunk, type CompletionMeta, createChunkReader, type StreamState } from "../formats/chunks.ts";
import { estimatePromptTokens } from "../token-estimates.ts";
import { createUpstreamStream, type UpstreamStream } from "../upstream-stream.ts";
import { sendCall, type Timeouts, toUpstreamError, tryBackends } from "./dispatch.ts";
import { upstreamError } from "./upstream-errors.ts";

type OpenedStream = { upstream: UpstreamStream; first: Chunk[] };

/**
 * Forwards an answer as it arrives. Before the first chunk another backend may take over; a later failure is sent as an
 * error event, and the connection is destroyed.
 */
export async function answerStream(
  call: ResolvedCall,
  registry: BackendRegistry,
  timeouts: Timeouts,
): Promise<Outcome> {
  const { reply, signal } = call;
  const identity = createCompletionMeta(call);
  const writer = call.format.stream(identity);
  const caller = createCallerStream(reply, { ...timeouts, signal });
  let firstByteMs: number | null = null;
  let state: StreamState | null = null;
  let backend: Backend | null = null;
  const toOutcome = (outcome: Outcome["outcome"], status: number, errorCode: string | null): Outcome => ({
    outcome,
    status,
    errorCode,
    backend: backend?.name ?? null,
    firstByteMs,
    usage: state?.usage ?? null,
    deltas: state?.deltas ?? 0,
  });
  try {
    const dispatched = await tryBackends(call, registry, (candidate) =>
      openUpstream(call, candidate, identity, timeouts),
    );
    backend = dispatched.backend;
    const { upstream, first } = dispatched.result;
    state = upstream.state;
    firstByteMs = Math.floor(call.elapsedMs());
    setIgnoredParamsHeader(call, backend);
    try {
      for (let chunks: Chunk[] | null = first; chunks; chunks = await upstream.next(timeouts.idleMs))
        await caller.write(chunks.map(writer.chunk).join(""));
      if (state.failed || !state.finished) throw incompleteAnswer(state);
    } finally {
      upstream.close();
    }
    caller.end(
      writer.end(state.usage ?? { prompt: estimatePromptTokens(call.body), completion: state.deltas, cached: 0 }),
    );
    return toOutcome("completed", 200, null);
  } catch (error) {
    const isCallerGone = signal.aborted && !(signal.reason instanceof AppError);
    if (isCallerGone) return toOutcome("aborted", 499, "client_closed");
    const streamError = signal.aborted ? toUpstreamError(signal.reason) : toUpstreamError(error);
    if (backend && !signal.aborted) registry.recordFailure(backend, streamError.code);
    if (!caller.isOpen()) throw streamError;
    caller.abort(writer.error(streamError));
    return toOutcome(signal.aborted ? "interrupted" : "failed", 200, streamError.code);
  } finally {
    caller.close();
    if (backend) backend.inFlight -= 1;
  }
}

/** Reads up to the first chunk; until then nothing is sent to the caller. */
async function openUpstream(
  call: ResolvedCall,
  backend: Backend,
  identity: CompletionMeta,
  timeouts: Timeouts,
): Promise<OpenedStream> {
  const response = await sendCall(call, backend, timeouts);
  const reader = createChunkReader(call.kind === "completion" ? "completion" : "chat", identity);
  const upstream = createUpstreamStream(response.body, reader);
  try {
    const first = await upstream.next(timeouts.firstByteMs);
    if (first === null) throw incompleteAnswer(upstream.state);
    return { upstream, first };
  } catch (error) {
    upstream.close();
    throw error;
  }
}

function incompleteAnswer(state: StreamState): AppError {
  return upstreamError(
    state.failed
      ? "The backend reported an error in the middle of the answer."
      : "The backend ended the answer before it was complete.",
  );
}
