import { toJsonText } from "../../platform/core/http/json-text.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import type { Outcome, ResolvedCall } from "../call.ts";
import type { WholeFormat } from "../formats/format.ts";
import { estimatePromptTokens } from "../formats/token-estimates.ts";
import { type Timeouts, toUpstreamRequest, tryBackends } from "../upstream/dispatch.ts";
import { findCutPrompt } from "../upstream/long-prompts.ts";
import { fetchResponse } from "../upstream/response.ts";
import { type ReportedUsage, toEstimatedUsage } from "../usage/reported-usage.ts";
import { invalidAnswer, parseAnswer } from "./buffered.ts";
import { setIgnoredParamsHeader } from "./completion-meta.ts";
import { sendJsonAnswer } from "./json-answer.ts";

/** Gets an answer that is no generated text from a backend, and sends it in the requested form, whatever form that has. */
export async function answerWhole(
  call: ResolvedCall,
  format: WholeFormat,
  registry: BackendRegistry,
  timeouts: Timeouts,
): Promise<Outcome> {
  const dispatched = await tryBackends(call, registry, timeouts, async (chosen) => {
    const { backend } = chosen;
    const response = await fetchResponse(toUpstreamRequest(call, chosen, timeouts));
    const whole = format.toWhole(call, parseAnswer(response, call, backend));
    if (whole === null) throw invalidAnswer();
    const cut = findCutPrompt(backend, call, whole.usage);
    if (cut !== null) throw cut;
    return whole;
  });
  using lease = dispatched.lease;
  const { answer, images } = dispatched.result;
  const usage = dispatched.result.usage ?? estimateUsage(call);
  const firstByteMs = Math.floor(call.elapsedMs());
  setIgnoredParamsHeader(call, lease.backend);
  await sendJsonAnswer(call.exchange, toJsonText(answer), timeouts.stalledMs);
  const completed = { outcome: "completed", status: 200, errorCode: null } as const;
  const counted = { usage, deltas: 0, ...(images !== undefined && { images }) };
  return { ...completed, backend: lease.backend.name, firstByteMs, ...counted };
}

/** Returns the usage of a call whose backend counts no tokens: those of its prompt. */
export const estimateUsage = ({ body }: ResolvedCall): ReportedUsage => ({
  ...toEstimatedUsage(estimatePromptTokens(body), 0),
  isEstimated: true,
});
