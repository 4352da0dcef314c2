import { type Fields, toRecord } from "../formats/fields.ts";
import type { CallBody } from "../formats/parsed-request.ts";

/** Returns the chat that a text completion becomes for an API that has only chats: its prompt is the user's message. */
export function toChatOfPrompt({ prompt, ...others }: CallBody): CallBody {
  const content = Array.isArray(prompt) ? prompt[0] : prompt;
  return { ...others, messages: [{ role: "user", content }] };
}

/** Returns an answer, or a chunk of one, of a chat as that of a text completion. */
export function toTextAnswer(answer: Fields): Fields {
  if (!Array.isArray(answer.choices)) return answer;
  return { ...answer, choices: answer.choices.map((choice) => toTextChoice(toRecord(choice))) };
}

function toTextChoice({ message, delta, ...others }: Fields): Fields {
  const { content } = toRecord(message ?? delta);
  return { ...others, text: typeof content === "string" ? content : "" };
}
