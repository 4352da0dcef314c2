import { toJsonText } from "../../platform/core/http/json-text.ts";
import type { Backend, BackendRegistry } from "../backends/registry.ts";
import type { Outcome, ResolvedCall } from "../call.ts";
import type { Fields } from "../formats/fields.ts";
import type { WholeFormat } from "../formats/format.ts";
import { estimatePromptTokens } from "../formats/token-estimates.ts";
import { type Timeouts, toUpstreamRequest, tryBackends } from "../upstream/dispatch.ts";
import { findCutPrompt } from "../upstream/long-prompts.ts";
import { fetchResponse, type UpstreamResponse } from "../upstream/response.ts";
import { type ReportedUsage, toEstimatedUsage } from "../usage/reported-usage.ts";
import { invalidAnswer, parseAnswer } from "./buffered.ts";
import { setIgnoredParamsHeader } from "./completion-meta.ts";
import { sendAnswer } from "./send-answer.ts";

const PLAIN_TEXT = "text/plain; charset=utf-8";

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
    const read = format.isText === true ? parseText : parseAnswer;
    const whole = format.toWhole(call, read(response, call, backend));
    if (whole === null) throw invalidAnswer();
    const cut = findCutPrompt(backend, call, whole.usage);
    if (cut !== null) throw cut;
    return whole;
  });
  using lease = dispatched.lease;
  const { answer, images, audioMs } = dispatched.result;
  const usage = dispatched.result.usage ?? estimateUsage(call);
  const firstByteMs = Math.floor(call.elapsedMs());
  setIgnoredParamsHeader(call, lease.backend);
  if (typeof answer === "string") await sendAnswer(call.exchange, answer, timeouts.stalledMs, PLAIN_TEXT);
  else await sendAnswer(call.exchange, toJsonText(answer), timeouts.stalledMs);
  const completed = { outcome: "completed", status: 200, errorCode: null } as const;
  const counts = { ...(images !== undefined && { images }), ...(audioMs !== undefined && { audioMs }) };
  const counted = { usage, deltas: 0, ...counts };
  return { ...completed, backend: lease.backend.name, firstByteMs, ...counted };
}

/**
 * Returns the text of a backend's response as the field `text`, also if the text is in JSON. Throws the backend's refusal, and
 * `upstream_error` for a page.
 */
function parseText(response: UpstreamResponse, call: ResolvedCall, backend: Backend): Fields {
  const type = String(response.headers["content-type"] ?? "");
  if (response.statusCode !== 200 || /\bjson\b/i.test(type)) {
    const text = response.statusCode === 200 ? parseJsonString(response.text) : null;
    return text === null ? parseAnswer(response, call, backend) : { text };
  }
  if (/\bhtml\b/i.test(type)) throw invalidAnswer();
  return { text: response.text };
}

/** Returns the string that a text of JSON is; null for anything else. */
function parseJsonString(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}

/** Returns the usage of a call whose backend counts no tokens: those of its prompt. */
export const estimateUsage = ({ body }: ResolvedCall): ReportedUsage => ({
  ...toEstimatedUsage(estimatePromptTokens(body), 0),
  isEstimated: true,
});
