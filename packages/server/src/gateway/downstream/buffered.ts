import type { IncomingHttpHeaders } from "node:http";
import { toJsonText } from "../../platform/core/http/json-text.ts";
import { readSseEvents } from "../apis/sse.ts";
import type { Backend, BackendLease, BackendRegistry } from "../backends/registry.ts";
import type { Outcome, ResolvedCall } from "../call.ts";
import { type Answer, countCharacters, normalizeAnswer } from "../formats/answers.ts";
import { assembleChunks } from "../formats/assembled.ts";
import { readReportedError } from "../formats/chunks.ts";
import type { AnswerFormat } from "../formats/format.ts";
import { estimatePromptTokens, estimateTokens } from "../formats/token-estimates.ts";
import { noteCached } from "../prefixes/held-prefixes.ts";
import { type Timeouts, toUpstreamRequest, tryBackends } from "../upstream/dispatch.ts";
import { findCutPrompt } from "../upstream/long-prompts.ts";
import { fetchResponse, parseJsonObject, type UpstreamResponse } from "../upstream/response.ts";
import { parseUpstreamRefusal, toRefusalResponse } from "../upstream/upstream-refusal.ts";
import { upstreamError } from "../upstream-errors.ts";
import { completeUsage, isRecord, mergeReportedUsage, type ReportedUsage } from "../usage/reported-usage.ts";
import { createAnswerReader } from "./answer-reader.ts";
import { createCompletionMeta, findUnansweredField, setIgnoredParamsHeader } from "./completion-meta.ts";
import { sendAnswer } from "./send-answer.ts";

/** A backend's answer and its usage. `reported` is null if the backend counted nothing. */
type FetchedAnswer = {
  answer: Answer;
  usage: ReportedUsage;
  reported: ReportedUsage | null;
  deltas: number;
  headers: IncomingHttpHeaders;
};

/** Reads the complete answer and then sends it. Until then nothing is sent, so another backend may take over at any time. */
export async function answerBuffered(
  call: ResolvedCall,
  format: AnswerFormat,
  registry: BackendRegistry,
  timeouts: Timeouts,
): Promise<Outcome> {
  const dispatched = await tryBackends(call, registry, timeouts, (lease) => fetchAnswer(call, lease, timeouts));
  using lease = dispatched.lease;
  const { answer, usage, reported, deltas, headers } = dispatched.result;
  noteCached(lease.backend.prefixes, lease.sent, reported);
  const text = toJsonText(format.buffered(answer, usage));
  call.trace?.setFinishReasons(answer.choices.map(({ finish_reason }) => finish_reason));
  const firstByteMs = Math.floor(call.elapsedMs());
  const passedOver = findUnansweredField(call, lease.backend, answer.choices.length);
  setIgnoredParamsHeader(call, lease.backend, { headers, passedOver });
  await sendAnswer(call.exchange, text, timeouts.stalledMs);
  const backend = lease.backend.name;
  const counted = reported && usage;
  return { outcome: "completed", status: 200, errorCode: null, backend, firstByteMs, usage: counted, deltas };
}

async function fetchAnswer(call: ResolvedCall, lease: BackendLease, timeouts: Timeouts): Promise<FetchedAnswer> {
  const { backend } = lease;
  const response = await fetchResponse(toUpstreamRequest(call, lease, timeouts));
  const raw = isEventStream(response) ? readStream(response, call, backend) : parseAnswer(response, call, backend);
  const choices = Array.isArray(raw.choices) ? raw.choices.filter(isRecord) : [];
  const reported = [raw, ...choices].reduce<ReportedUsage | null>(
    (usage, part) => mergeReportedUsage(usage, part.usage),
    null,
  );
  const cut = findCutPrompt(backend, call, reported);
  if (cut !== null) throw cut;
  const isCounted = reported !== null && reported.prompt > 0 && reported.completion > 0;
  const deltas = isCounted ? 0 : estimateTokens(countCharacters(raw));
  const usage = completeUsage(reported, () => estimatePromptTokens(call.body), deltas);
  const kind = call.kind === "completion" ? "completion" : "chat";
  const answer = normalizeAnswer(kind, raw, createCompletionMeta(call), usage);
  if (answer === null) throw invalidAnswer();
  return { answer, usage, reported, deltas, headers: response.headers };
}

function isEventStream({ statusCode, text }: UpstreamResponse): boolean {
  return statusCode === 200 && /^(data|event|id|retry)?:/.test(text);
}

/** Returns the answer from the stream of a backend that streams although the call did not ask for that. */
function readStream({ text }: UpstreamResponse, call: ResolvedCall, backend: Backend): Record<string, unknown> {
  const reader = createAnswerReader(call, backend, createCompletionMeta(call));
  const chunks = readSseEvents(text).flatMap(({ data, event }) => reader.read(data, event) ?? []);
  const answer = assembleChunks([...chunks, ...reader.end()]);
  if (reader.state.failed || !reader.state.finished) throw invalidAnswer();
  const { usage } = reader.state;
  return { ...answer, ...(usage && { usage: usage.given }) };
}

/**
 * Returns the JSON object of a backend's response. Throws the backend's refusal, even if it has status 200, and
 * `upstream_error` for anything else.
 */
export function parseAnswer(response: UpstreamResponse, call: ResolvedCall, backend: Backend): Record<string, unknown> {
  if (response.statusCode !== 200) throw parseUpstreamRefusal(response, backend, call);
  const body = parseJsonObject(response.text);
  if (body === null) throw invalidAnswer();
  const answer = backend.api.readAnswer(body, call.kind);
  const error = readReportedError(answer);
  const refusal = error && toRefusalResponse(error);
  if (refusal !== null) throw parseUpstreamRefusal(refusal, backend, call);
  return answer;
}

/** Returns the error for a response that is not a model's answer. */
export function invalidAnswer() {
  return upstreamError("The backend sent something that is no answer of a model.");
}
