import { toJsonText } from "../../platform/core/http/json-text.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import type { Outcome, ResolvedCall } from "../call.ts";
import { toEmbeddings } from "../formats/embeddings/format.ts";
import { type Timeouts, toUpstreamRequest, tryBackends } from "../upstream/dispatch.ts";
import { findCutPrompt } from "../upstream/long-prompts.ts";
import { fetchResponse } from "../upstream/response.ts";
import { invalidAnswer, parseAnswer } from "./buffered.ts";
import { setIgnoredParamsHeader } from "./completion-meta.ts";
import { sendJsonAnswer } from "./json-answer.ts";

/** Gets vectors from a backend and sends them in the requested encoding, whatever encoding the backend uses. */
export async function answerEmbedding(
  call: ResolvedCall,
  registry: BackendRegistry,
  timeouts: Timeouts,
): Promise<Outcome> {
  const dispatched = await tryBackends(call, registry, timeouts, async (chosen) => {
    const { backend } = chosen;
    const embeddings = toEmbeddings(
      call,
      parseAnswer(await fetchResponse(toUpstreamRequest(call, chosen, timeouts)), call, backend),
    );
    if (embeddings === null) throw invalidAnswer();
    const cut = findCutPrompt(backend, call, embeddings.usage);
    if (cut !== null) throw cut;
    return embeddings;
  });
  using lease = dispatched.lease;
  const { answer, usage } = dispatched.result;
  const firstByteMs = Math.floor(call.elapsedMs());
  setIgnoredParamsHeader(call, lease.backend);
  await sendJsonAnswer(call.exchange, toJsonText(answer), timeouts.stalledMs);
  const completed = { outcome: "completed", status: 200, errorCode: null } as const;
  return { ...completed, backend: lease.backend.name, firstByteMs, usage, deltas: usage ? 0 : 1 };
}
