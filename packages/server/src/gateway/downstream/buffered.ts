import type { Backend, BackendRegistry } from "../backends/registry.ts";
import type { Outcome, ResolvedCall } from "../call.ts";
import { countCharacters, normalizeAnswer } from "../formats/answers.ts";
import type { AnswerFormat } from "../formats/format.ts";
import { parseReportedUsage, toEstimatedUsage } from "../reported-usage.ts";
import { estimatePromptTokens, estimateTokens } from "../token-estimates.ts";
import { type Timeouts, toUpstreamRequest, tryBackends } from "../upstream/dispatch.ts";
import { fetchResponse, parseJsonObject, type UpstreamResponse } from "../upstream/response.ts";
import { upstreamError } from "../upstream/upstream-errors.ts";
import { parseUpstreamRefusal } from "../upstream/upstream-refusal.ts";
import { createCompletionMeta, setIgnoredParamsHeader } from "./completion-meta.ts";
import { sendJsonAnswer } from "./json-answer.ts";

/** Gets the complete answer and sends it. Nothing is sent before, so another backend may take over at any time. */
export async function answerBuffered(
  call: ResolvedCall,
  format: AnswerFormat,
  registry: BackendRegistry,
  timeouts: Timeouts,
): Promise<Outcome> {
  const dispatched = await tryBackends(call, registry, (backend) => fetchAnswer(call, format, backend, timeouts));
  using lease = dispatched.lease;
  const { answer, usage, deltas, headers } = dispatched.result;
  const firstByteMs = Math.floor(call.elapsedMs());
  setIgnoredParamsHeader(call, lease.backend, headers);
  await sendJsonAnswer(call.exchange, JSON.stringify(answer), timeouts.stalledMs);
  const backend = lease.backend.name;
  return { outcome: "completed", status: 200, errorCode: null, backend, firstByteMs, usage, deltas };
}

async function fetchAnswer(call: ResolvedCall, format: AnswerFormat, backend: Backend, timeouts: Timeouts) {
  const response = await fetchResponse(toUpstreamRequest(call, backend, timeouts));
  const raw = parseAnswer(response, call, backend);
  const usage = parseReportedUsage(raw.usage);
  const deltas = usage === null ? estimateTokens(countCharacters(raw)) : 0;
  const countedUsage = usage ?? toEstimatedUsage(estimatePromptTokens(call.body), deltas);
  const kind = call.kind === "completion" ? "completion" : "chat";
  const answer = normalizeAnswer(kind, raw, createCompletionMeta(call), countedUsage);
  if (answer === null) throw invalidAnswer();
  call.trace?.setFinishReasons(answer.choices.map(({ finish_reason }) => finish_reason));
  return { answer: format.buffered(answer, countedUsage), usage, deltas, headers: response.headers };
}

/** The JSON object of a backend's response. Throws the backend's refusal, and `upstream_error` for anything else. */
export function parseAnswer(response: UpstreamResponse, call: ResolvedCall, backend: Backend): Record<string, unknown> {
  if (response.statusCode !== 200) throw parseUpstreamRefusal(response, backend, call.model.id);
  const answer = parseJsonObject(response.text);
  if (answer === null) throw invalidAnswer();
  return answer;
}

/** The error for a response that is not the answer of a model. */
export function invalidAnswer() {
  return upstreamError("The backend sent something that is no answer of a model.");
}
