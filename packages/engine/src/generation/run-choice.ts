import type { EndReason, GenerationOptions, Prompt, TokenLogprob } from "../model/engine-model.ts";
import { createStopFilter } from "./stop-filter.ts";

/** A piece of a reply, on its way to the client. */
export type Delta =
  | { type: "text"; text: string; logprobs: readonly TokenLogprob[] }
  | { type: "reasoning"; text: string }
  | { type: "toolCall"; index: number; name: string }
  | { type: "toolCallArguments"; index: number; text: string };

/** Why a reply ended, and its length in tokens. */
export type ChoiceEnd = { reason: EndReason; completionTokens: number };

/** What to generate, and who receives it. */
export type ChoiceRequest = {
  prompt: Prompt;
  options: GenerationOptions;
  stopTexts: readonly string[];
  keepStopText: boolean;
  signal: AbortSignal;
  /** Awaited before the next token is requested, so that a slow reader slows the generation down. */
  onDelta: (delta: Delta) => Promise<void> | void;
};

/** Generates one reply up to its end, a stop text or the token limit. Rejects when the signal aborts. */
export async function runChoice(request: ChoiceRequest): Promise<ChoiceEnd> {
  const { prompt, options, signal, onDelta } = request;
  const output = createOutput(request);
  let completionTokens = 0;
  let toolCalls = 0;
  for await (const event of prompt.generate(options, signal)) {
    if (event.type === "toolCall") await onDelta({ ...event, index: toolCalls++ });
    else if (event.type === "toolCallArguments") await onDelta({ ...event, index: toolCalls - 1 });
    else if (event.type === "reasoning") {
      completionTokens += event.tokenCount;
      if (event.text !== "") await onDelta({ type: "reasoning", text: event.text });
    } else if (event.type === "text") {
      completionTokens += event.tokenCount;
      const mayStop = completionTokens > options.minTokens;
      const stopped = await output.push(event.text, event.logprobs, mayStop);
      // Leaving the loop ends the generation and frees its sequence.
      if (stopped) return { reason: "stop", completionTokens };
    } else {
      const stopped = await output.push(event.text, [], true);
      if (!stopped) await output.flush();
      return { reason: stopped ? "stop" : event.reason, completionTokens: event.completionTokens };
    }
  }
  throw new Error("The generation ended without saying why.");
}

type Output = {
  /** Returns whether a stop text ended the reply. The caller's stop texts count only in text that `mayStop`. */
  push(text: string, logprobs: readonly TokenLogprob[], mayStop: boolean): Promise<boolean>;
  flush(): Promise<void>;
};

/** Passes on the text that the stop filters release, with each token's log probability once its text is complete. */
function createOutput({ prompt, stopTexts, keepStopText, onDelta }: ChoiceRequest): Output {
  const templateFilter = createStopFilter(prompt.stopTexts);
  const callerFilter = createStopFilter(stopTexts, keepStopText);
  let pendingLogprobs: { logprob: TokenLogprob; end: number }[] = [];
  let pushedLength = 0;
  let sentLength = 0;

  const send = async (text: string) => {
    sentLength += text.length;
    const logprobs = pendingLogprobs.filter(({ end }) => end <= sentLength).map(({ logprob }) => logprob);
    pendingLogprobs = pendingLogprobs.filter(({ end }) => end > sentLength);
    if (text !== "" || logprobs.length > 0) await onDelta({ type: "text", text, logprobs });
  };

  return {
    async push(text, logprobs, mayStop) {
      pushedLength += text.length;
      pendingLogprobs.push(...logprobs.map((logprob) => ({ logprob, end: pushedLength })));
      const fromTemplate = templateFilter.push(text);
      const fromCaller = mayStop ? callerFilter.push(fromTemplate.text) : { text: fromTemplate.text, stopped: false };
      if (fromTemplate.stopped && !fromCaller.stopped) {
        await send(fromCaller.text + callerFilter.flush());
        return true;
      }
      await send(fromCaller.text);
      return fromCaller.stopped;
    },
    async flush() {
      const rest = callerFilter.push(templateFilter.flush());
      await send(rest.stopped ? rest.text : rest.text + callerFilter.flush());
    },
  };
}
