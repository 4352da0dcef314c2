import { toOpenAIEnvelope } from "../../../platform/core/errors/envelopes.ts";
import type { ReportedUsage } from "../../usage/reported-usage.ts";
import { isChatChoice } from "../chunks.ts";
import { type Fields, omitNullish } from "../fields.ts";
import type { AnswerFormat } from "../format.ts";
import { readCountedSeconds, readTokens, toUsage } from "./format.ts";

/** Creates the reader of the events of one text that is written down. They become chunks of a chat. */
export function createTranscriptReader(): (event: Fields) => Fields | null {
  let hasText = false;
  return (event) => {
    const { type, delta, text, usage } = event;
    if (type === "transcript.text.delta") {
      hasText = true;
      return toChunk(delta, null);
    }
    // Backends without streams answer with the whole text.
    if (type === "transcript.text.done" || (type === undefined && typeof text === "string"))
      return { ...toChunk(hasText ? undefined : text, "stop"), usage: toChatUsage(usage) };
    // vLLM sends chunks of its own, which have the form of a chat's.
    return event.choices !== undefined || event.error !== undefined ? event : null;
  };
}

function toChunk(content: unknown, finish_reason: string | null): Fields {
  return { choices: [{ index: 0, delta: omitNullish({ content }), finish_reason }] };
}

/** Returns the counts of a usage, with the seconds of the sound. Backends may count neither tokens nor seconds. */
function toChatUsage(usage: unknown): Fields {
  const { prompt, completion } = readTokens(usage) ?? { prompt: 0, completion: 0 };
  const counts = { prompt_tokens: prompt, completion_tokens: completion };
  return omitNullish({ ...counts, seconds: readCountedSeconds(usage) });
}

/** Creates the format of a text that is written down, which is sent as it comes in OpenAI's events. */
export function createTranscriptFormat(requestId: string): AnswerFormat {
  return {
    buffered: (answer) => answer,
    stream: () => {
      let text = "";
      return {
        chunk({ choices }) {
          const [choice] = choices;
          const delta = choice !== undefined && isChatChoice(choice) ? (choice.delta.content ?? "") : "";
          text += delta;
          return delta === "" ? "" : toEvent({ type: "transcript.text.delta", delta });
        },
        end: (usage) => toEvent(omitNullish({ type: "transcript.text.done", text, usage: toDoneUsage(usage) })),
        error: (error) => toEvent(toOpenAIEnvelope(error, requestId)),
      };
    },
  };
}

function toDoneUsage(usage: ReportedUsage): Fields | null {
  return toUsage(usage.prompt + usage.completion > 0 ? usage : null, readCountedSeconds(usage.given));
}

const toEvent = (event: object): string => `data: ${JSON.stringify(event)}\n\n`;
