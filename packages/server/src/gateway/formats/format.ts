import { openAIEnvelope } from "../../http/error-envelopes.ts";
import type { AppError } from "../../shared/errors.ts";
import type { ReportedUsage } from "../reported-usage.ts";
import { type Answer, usageObject } from "./answers.ts";
import type { Chunk, Identity } from "./chunks.ts";

/** Writes a streamed answer as text of events. */
export type StreamWriter = {
  chunk(chunk: Chunk): string;
  /** What comes last when all went well. */
  end(usage: ReportedUsage): string;
  /** What comes last when it did not. */
  fault(error: AppError): string;
};

/** The form in which an answer goes to the caller. */
export type AnswerFormat = {
  whole(answer: Answer, usage: ReportedUsage): object;
  stream(identity: Identity): StreamWriter;
};

export function chatFormat(requestId: string, includeUsage: boolean): AnswerFormat {
  return completionsFormat(requestId, includeUsage, "chat.completion.chunk");
}

export function textFormat(requestId: string, includeUsage: boolean): AnswerFormat {
  return completionsFormat(requestId, includeUsage, "text_completion");
}

/** OpenAI's chat and text completions: the form in which backends answer too. */
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
