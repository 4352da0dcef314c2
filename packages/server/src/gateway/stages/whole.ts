import type { Backend, BackendRegistry } from "../backends/registry.ts";
import type { Outcome, ResolvedCall } from "../call.ts";
import { charactersSaid, wholeAnswer } from "../formats/answers.ts";
import { identityOf, noteIgnored } from "../identity.ts";
import { isRecord, reportedUsage } from "../reported-usage.ts";
import { estimatePrompt, estimateTokens } from "../token-estimates.ts";
import { asUpstreamError, send, type Timeouts, tryBackends } from "./dispatch.ts";
import { upstreamError } from "./upstream-errors.ts";

/** Gets the complete answer and sends it. Nothing is sent before, so another backend may take over at any time. */
export async function answerWhole(call: ResolvedCall, registry: BackendRegistry, timeouts: Timeouts): Promise<Outcome> {
  const { backend, result } = await tryBackends(call, registry, (candidate) => whole(call, candidate, timeouts));
  try {
    const firstByteMs = Math.floor(call.elapsed());
    noteIgnored(call, backend);
    await call.reply.code(200).type("application/json").send(JSON.stringify(result.answer));
    const { usage, deltas } = result;
    return { outcome: "completed", status: 200, errorCode: null, backend: backend.name, firstByteMs, usage, deltas };
  } finally {
    backend.inFlight -= 1;
  }
}

async function whole(call: ResolvedCall, backend: Backend, timeouts: Timeouts) {
  const raw = await answerOf(call, backend, timeouts);
  const usage = reportedUsage(raw.usage);
  const deltas = usage === null ? estimateTokens(charactersSaid(raw)) : 0;
  const counted = usage ?? { prompt: estimatePrompt(call.body), completion: deltas, cached: 0 };
  const kind = call.kind === "completion" ? "completion" : "chat";
  const answer = wholeAnswer(kind, raw, identityOf(call), counted);
  if (answer === null) throw noAnswer();
  return { answer: call.format.whole(answer, counted), usage, deltas };
}

/** The JSON object of a backend's response. Throws `upstream_error` for anything else. */
export async function answerOf(
  call: ResolvedCall,
  backend: Backend,
  timeouts: Timeouts,
): Promise<Record<string, unknown>> {
  const response = await send(call, backend, timeouts);
  const text = await response.body.text().catch((error: unknown) => {
    throw asUpstreamError(error);
  });
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // thrown below
  }
  throw noAnswer();
}

/** The error for a response that is not the answer of a model. */
export function noAnswer() {
  return upstreamError("The backend sent something that is no answer of a model.");
}
