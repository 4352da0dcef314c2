import { AppError } from "../../shared/errors.ts";
import type { Backend, BackendRegistry } from "../backends/registry.ts";
import type { Outcome, ResolvedCall } from "../call.ts";
import { createCallerStream } from "../caller-stream.ts";
import { type Chunk, createChunkReader, type Identity, type StreamFacts } from "../formats/chunks.ts";
import { identityOf, noteIgnored } from "../identity.ts";
import { estimatePrompt } from "../token-estimates.ts";
import { createUpstreamStream, type UpstreamStream } from "../upstream-stream.ts";
import { asUpstreamError, send, type Timeouts, tryBackends } from "./dispatch.ts";
import { upstreamError } from "./upstream-errors.ts";

type Opened = { upstream: UpstreamStream; first: Chunk[] };

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
  const identity = identityOf(call);
  const writer = call.format.stream(identity);
  const caller = createCallerStream(reply, { ...timeouts, signal });
  let firstByteMs: number | null = null;
  let facts: StreamFacts | null = null;
  let backend: Backend | null = null;
  const ended = (outcome: Outcome["outcome"], status: number, errorCode: string | null): Outcome => ({
    outcome,
    status,
    errorCode,
    backend: backend?.name ?? null,
    firstByteMs,
    usage: facts?.usage ?? null,
    deltas: facts?.deltas ?? 0,
  });
  try {
    const served = await tryBackends(call, registry, (candidate) => open(call, candidate, identity, timeouts));
    backend = served.backend;
    const { upstream, first } = served.result;
    facts = upstream.facts;
    firstByteMs = Math.floor(call.elapsed());
    noteIgnored(call, backend);
    try {
      for (let chunks: Chunk[] | null = first; chunks; chunks = await upstream.next(timeouts.idleMs))
        await caller.write(chunks.map(writer.chunk).join(""));
      if (facts.failed || !facts.finished) throw cutShort(facts);
    } finally {
      upstream.leave();
    }
    caller.end(writer.end(facts.usage ?? { prompt: estimatePrompt(call.body), completion: facts.deltas, cached: 0 }));
    return ended("completed", 200, null);
  } catch (error) {
    const gone = signal.aborted && !(signal.reason instanceof AppError);
    if (gone) return ended("aborted", 499, "client_closed");
    const fault = signal.aborted ? asUpstreamError(signal.reason) : asUpstreamError(error);
    if (backend && !signal.aborted) registry.failed(backend, fault.code);
    if (!caller.isOpen()) throw fault;
    caller.breakOff(writer.fault(fault));
    return ended(signal.aborted ? "interrupted" : "failed", 200, fault.code);
  } finally {
    caller.close();
    if (backend) backend.inFlight -= 1;
  }
}

/** Reads up to the first chunk; until then nothing is sent to the caller. */
async function open(call: ResolvedCall, backend: Backend, identity: Identity, timeouts: Timeouts): Promise<Opened> {
  const response = await send(call, backend, timeouts);
  const reader = createChunkReader(call.kind === "completion" ? "completion" : "chat", identity);
  const upstream = createUpstreamStream(response.body, reader);
  try {
    const first = await upstream.next(timeouts.firstByteMs);
    if (first === null) throw cutShort(upstream.facts);
    return { upstream, first };
  } catch (error) {
    upstream.leave();
    throw error;
  }
}

function cutShort(facts: StreamFacts): AppError {
  return upstreamError(
    facts.failed
      ? "The backend reported an error in the middle of the answer."
      : "The backend ended the answer before it was complete.",
  );
}
