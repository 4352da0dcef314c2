import { toOpenAIEnvelope } from "../../core/errors/envelopes.ts";
import type { AppError } from "../../core/errors/index.ts";
import type { ReportedUsage } from "../reported-usage.ts";
import { type Answer, toOpenAIUsage } from "./answers.ts";
import type { Chunk, CompletionMeta } from "./chunks.ts";

/** Renders a streamed answer as the text of server-sent events. */
export type StreamWriter = {
  chunk(chunk: Chunk): string;
  /** The last events of a complete answer. */
  end(usage: ReportedUsage): string;
  /** The last events of a failed answer. */
  error(error: AppError): string;
};

/** Renders answers in the format of one endpoint, buffered or streamed. */
export type AnswerFormat = {
  buffered(answer: Answer, usage: ReportedUsage): object;
  stream(meta: CompletionMeta): StreamWriter;
};

/** OpenAI's chat completions. */
export function createChatFormat(requestId: string, includeUsage: boolean): AnswerFormat {
  return createCompletionsFormat(requestId, includeUsage, "chat.completion.chunk");
}

/** OpenAI's text completions. */
export function createTextFormat(requestId: string, includeUsage: boolean): AnswerFormat {
  return createCompletionsFormat(requestId, includeUsage, "text_completion");
}

/** OpenAI's chat and text completions, in which backends answer as well. */
function createCompletionsFormat(requestId: string, includeUsage: boolean, object: string): AnswerFormat {
  return {
    buffered: (answer) => answer,
    stream: (meta) => ({
      chunk: (chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
      end: (usage) => {
        const last = { ...meta, object, choices: [], usage: toOpenAIUsage(usage) };
        return `${includeUsage ? `data: ${JSON.stringify(last)}\n\n` : ""}data: [DONE]\n\n`;
      },
      error: (error) => `data: ${JSON.stringify(toOpenAIEnvelope(error, requestId))}\n\n`,
    }),
  };
}
