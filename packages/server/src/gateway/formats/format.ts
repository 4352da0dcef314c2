import { openAIEnvelope } from "../../http/error-envelopes.ts";
import type { AppError } from "../../shared/errors.ts";
import type { ReportedUsage } from "../reported-usage.ts";
import { type Answer, usageObject } from "./answers.ts";
import type { Chunk, Identity } from "./chunks.ts";

/** Renders a streamed answer as the text of server-sent events. */
export type StreamWriter = {
  chunk(chunk: Chunk): string;
  /** The last events of a complete answer. */
  end(usage: ReportedUsage): string;
  /** The last events of a failed answer. */
  fault(error: AppError): string;
};

/** Renders answers in the format of one endpoint, buffered or streamed. */
export type AnswerFormat = {
  whole(answer: Answer, usage: ReportedUsage): object;
  stream(identity: Identity): StreamWriter;
};

/** OpenAI's chat completions. */
export function chatFormat(requestId: string, includeUsage: boolean): AnswerFormat {
  return completionsFormat(requestId, includeUsage, "chat.completion.chunk");
}

/** OpenAI's text completions. */
export function textFormat(requestId: string, includeUsage: boolean): AnswerFormat {
  return completionsFormat(requestId, includeUsage, "text_completion");
}

/** OpenAI's chat and text completions, in which backends answer as well. */
function completionsFormat(requestId: string, includeUsage: boolean, object: string): AnswerFormat {
  return {
    whole: (answer) => answer,
    stream: (identity) => ({
      chunk: (chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
      end: (usage) => {
        const last = { ...identity, object, choices: [], usage: usageObject(usage) };
        return `${includeUsage ? `data: ${JSON.stringify(last)}\n\n` : ""}data: [DONE]\n\n`;
      },
      fault: (error) => `data: ${JSON.stringify(openAIEnvelope(error, requestId))}\n\n`,
    }),
  };
}
