import { toOpenAIEnvelope } from "../../platform/core/errors/envelopes.ts";
import { toOpenAIUsage } from "../usage/reported-usage.ts";
import type { AnswerFormat } from "./format.ts";
import type { CallBody } from "./parsed-request.ts";

/**
 * Creates the format of OpenAI's chat or text completions, which backends use too. `object` is the type of the chunks of a
 * stream.
 */
export function createOpenAIFormat(body: CallBody, requestId: string, object: string): AnswerFormat {
  const includesUsage = body.stream_options?.include_usage === true;
  return {
    buffered: (answer) => answer,
    stream: (meta) => ({
      chunk: (chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
      end: (usage) => {
        const last = { ...meta, object, choices: [], usage: toOpenAIUsage(usage) };
        return `${includesUsage ? `data: ${JSON.stringify(last)}\n\n` : ""}data: [DONE]\n\n`;
      },
      error: (error) => `data: ${JSON.stringify(toOpenAIEnvelope(error, requestId))}\n\n`,
    }),
  };
}
