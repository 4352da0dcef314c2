import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { Backend } from "../backends/registry.ts";
import type { ResolvedCall } from "../call.ts";
import type { CallBody } from "../formats/parsed-request.ts";
import { countPrompts, estimateMinTokens } from "../formats/token-estimates.ts";
import { UnsuitableBackendError } from "../upstream-errors.ts";
import { isRecord, type ReportedUsage } from "../usage/reported-usage.ts";
import { PROMPT_FIELDS } from "./parameters.ts";

/**
 * Throws an `UnsuitableBackendError` with `context_length_exceeded` for a prompt that cannot fit the context with which the
 * backend runs the model, even at its minimum estimate. That may be less than the model's own.
 */
export function refuseLongPrompt(backend: Backend, call: ResolvedCall): void {
  const context = backend.contextLengths?.get(call.model.key);
  if (context === undefined || call.exchange.bodyBytes <= context) return; // a token has at least one byte
  const tokens = Math.ceil(estimateMinTokens(call.body) / countPrompts(call.body));
  if (tokens >= context) throw tooLong(call, `has ${tokens} tokens or more`, { max: context, got: tokens });
}

/**
 * Returns the error for an answer to a prompt of which the backend read a part only, as far as its count of tokens shows it;
 * null where it does not. Ollama cuts long prompts without a word: a text to the length of its context, and of a
 * conversation the oldest messages. A count above the context shows that the context has changed since it was read.
 */
export function findCutPrompt(
  backend: Backend,
  call: ResolvedCall,
  reported: Pick<ReportedUsage, "prompt"> | null,
): AppError | null {
  if (!backend.dialect.cutsPrompts || reported === null || reported.prompt === 0) return null;
  const { body, model } = call;
  const context = backend.contextLengths?.get(model.key) ?? null;
  const isFull = reported.prompt === context && countPrompts(body) === 1;
  if (!isFull && reported.prompt >= estimateMinTokens(withUsersTexts(body))) return null;
  return tooLong(call, `was cut to ${reported.prompt} tokens by what runs the model`, { max: context });
}

/** A body without the messages of which templates may leave parts out, such as earlier thoughts of the model. */
function withUsersTexts(body: CallBody): CallBody {
  if (!Array.isArray(body.messages)) return body;
  return { ...body, messages: body.messages.filter((message) => isRecord(message) && message.role === "user") };
}

function tooLong({ kind, model, format }: ResolvedCall, what: string, details: Record<string, unknown>): AppError {
  const { max } = details;
  const limit = typeof max === "number" ? `; ${model.id} runs with a context of ${max}` : "";
  const toCallerFields = format.toCallerFields ?? ((given: string) => given);
  const refusal = errors.contextLengthExceeded(`The prompt ${what}${limit}. Shorten it.`, {
    param: toCallerFields(PROMPT_FIELDS[kind]),
    details,
  });
  return new UnsuitableBackendError(refusal, { isLasting: false });
}
