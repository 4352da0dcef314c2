import type { AnswerFormat } from "../format.ts";
import { createOpenAIFormat } from "../openai-events.ts";
import type { CallBody } from "../parsed-request.ts";

/** Creates OpenAI's format of text completions. */
export function createCompletionsFormat(body: CallBody, requestId: string): AnswerFormat {
  return createOpenAIFormat(body, requestId, "text_completion");
}
