import type { AppError } from "../../platform/core/errors/index.ts";
import { findOwnKey } from "../backends/own-keys.ts";
import type { Backend } from "../backends/registry.ts";
import type { ResolvedCall } from "../call.ts";
import { type Chunk, isChatChoice, type StreamState } from "../formats/chunks.ts";
import type { CallBody } from "../formats/parsed-request.ts";
import { countAnswers, estimatePromptTokens } from "../formats/token-estimates.ts";
import { canContinueAnswer } from "../upstream/parameters.ts";
import { isRecord, toEstimatedUsage } from "../usage/reported-usage.ts";

/** The comment in a stream where another backend goes on. Clients of OpenAI's API pass over comments. */
export const RESUMED = ": resumed\n\n";

/** Errors of a backend after which another one may continue its answer. */
const CONTINUED_AFTER: ReadonlySet<string> = new Set(["upstream_error", "upstream_timeout"]);

/** The answer that a caller has got so far. */
export type SentAnswer = {
  /** Notes what is sent to the caller. */
  note(chunks: readonly Chunk[]): void;
  /** Returns the call for the rest of the answer after a backend has failed; null if it cannot be continued. */
  toRest(failed: Backend, error: AppError): ResolvedCall | null;
};

/** Follows an answer whose caller lets another backend continue it; null for any other one. */
export function followAnswer(call: ResolvedCall): SentAnswer | null {
  if (call.exchange.headers["x-resume"] !== "continue" || !isContinuable(call)) return null;
  let text = "";
  let tokens = 0;
  let isTextOnly = true;
  let { backends } = call;
  // One key pays for the whole answer, as its usage row says.
  const usesOwnKey = (backend: Backend) => findOwnKey(call, backend) !== null;
  return {
    note(chunks) {
      for (const { choices } of chunks)
        for (const choice of choices) {
          if (!isChatChoice(choice) || hasMoreThanText(choice.delta)) isTextOnly = false;
          else if (choice.delta.content) {
            text += choice.delta.content;
            tokens += 1;
          }
        }
    },
    toRest(failed, error) {
      backends = backends.filter(
        (backend) => backend !== failed && canContinueAnswer(backend) && usesOwnKey(backend) === usesOwnKey(failed),
      );
      const { max_tokens: limit } = call.body;
      const isPossible = isTextOnly && text !== "" && backends.length > 0 && (limit ?? tokens + 1) > tokens;
      if (!isPossible || !CONTINUED_AFTER.has(error.code)) return null;
      return { ...call, backends, body: withAnswer(call.body, text, tokens), continuesAnswer: true };
    },
  };
}

/** Returns whether an answer to the call can be continued as far as its text goes. */
function isContinuable({ kind, body }: ResolvedCall): boolean {
  const { messages, response_format: format, logprobs } = body;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  const isForAnswer = isRecord(last) && last.role !== "assistant";
  const isText = !isRecord(format) || format.type === "text";
  return kind === "chat" && isForAnswer && isText && !logprobs && countAnswers(body) === 1;
}

function hasMoreThanText(delta: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(delta).some(([field, value]) => field !== "role" && field !== "content" && Boolean(value));
}

function withAnswer(body: CallBody, text: string, tokens: number): CallBody {
  const messages = [...(Array.isArray(body.messages) ? body.messages : []), { role: "assistant", content: text }];
  return { ...body, messages, ...(body.max_tokens && { max_tokens: body.max_tokens - tokens }) };
}

/** Takes the role out of the first chunk of a rest: the caller has it. */
export function withoutRole(chunks: readonly Chunk[]): void {
  for (const { choices } of chunks) for (const choice of choices) if (isChatChoice(choice)) delete choice.delta.role;
}

/**
 * Makes the usage of a rest that of the whole answer: the prompt without the text that the backend has continued, and the tokens
 * of all parts. `deltasBefore` counts the chunks with text of the parts before, which stand for their tokens.
 */
export function completeRest({ body }: ResolvedCall, state: StreamState, deltasBefore: number): void {
  const read = state.usage?.prompt || estimatePromptTokens(body);
  const written = state.usage?.completion || state.deltas - deltasBefore;
  const usage = toEstimatedUsage(Math.max(1, read - deltasBefore), deltasBefore + written);
  state.usage = { ...usage, isEstimated: true };
}
