import type { Backend, BackendRegistry } from "../backends/registry.ts";
import type { Outcome, ResolvedCall } from "../call.ts";
import { type Embeddings, mergeEmbeddings, toEmbeddings } from "../formats/embeddings/format.ts";
import { countPrompts } from "../token-estimates.ts";
import { type Timeouts, tryBackends } from "../upstream/dispatch.ts";
import { fetchJson, invalidAnswer } from "./buffered.ts";
import { setIgnoredParamsHeader } from "./completion-meta.ts";

/** Gets vectors from a backend and sends them in the requested encoding, whichever the backend uses. */
export async function answerEmbedding(
  call: ResolvedCall,
  registry: BackendRegistry,
  timeouts: Timeouts,
): Promise<Outcome> {
  const dispatched = await tryBackends(call, registry, (backend) => fetchEmbeddings(call, backend, timeouts));
  using lease = dispatched.lease;
  const { answer, usage } = dispatched.result;
  const firstByteMs = Math.floor(call.elapsedMs());
  setIgnoredParamsHeader(call, lease.backend);
  await call.reply.code(200).type("application/json").send(JSON.stringify(answer));
  const completed = { outcome: "completed", status: 200, errorCode: null } as const;
  return { ...completed, backend: lease.backend.name, firstByteMs, usage, deltas: usage ? 0 : 1 };
}

/** Gets the vectors of a batch, of as many inputs at once as the call holds units for. */
async function fetchEmbeddings(call: ResolvedCall, backend: Backend, timeouts: Timeouts): Promise<Embeddings> {
  const parts: Embeddings[] = [];
  for (const part of splitBatch(call)) {
    const embeddings = toEmbeddings(part, await fetchJson(part, backend, timeouts));
    if (embeddings === null) throw invalidAnswer();
    parts.push(embeddings);
  }
  return mergeEmbeddings(call.model.id, parts);
}

function splitBatch(call: ResolvedCall): ResolvedCall[] {
  const { body, inputsAtOnce } = call;
  if (!Array.isArray(body.input) || countPrompts(body) <= inputsAtOnce) return [call];
  const parts: ResolvedCall[] = [];
  for (let start = 0; start < body.input.length; start += inputsAtOnce)
    parts.push({ ...call, body: { ...body, input: body.input.slice(start, start + inputsAtOnce) } });
  return parts;
}
