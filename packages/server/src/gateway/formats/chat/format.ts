import type { AnswerFormat } from "../format.ts";
import { createOpenAIFormat } from "../openai-events.ts";
import type { CallBody } from "../parsed-request.ts";

/** Creates OpenAI's format of chat completions. */
export function createChatFormat(body: CallBody, requestId: string): AnswerFormat {
  return createOpenAIFormat(body, requestId, "chat.completion.chunk");
}
