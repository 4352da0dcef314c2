import type { ChatCompletionRequest, Schemas } from "@feather/sdk";
import { type ChatSettings, toParameters } from "./settings.ts";
import { answerFor, type Turn } from "./tree.ts";
import type { Answer, Attachment, Question, ToolCall } from "./types.ts";

type Message = Schemas["ChatMessage"];
type Part = Exclude<NonNullable<Message["content"]>, string>[number];

/** The server accepts 16 MiB; this leaves room for JSON syntax. */
const MOST_REQUEST_BYTES = 15 * 1024 * 1024;
const GO_ON = "Your answer was cut off. Go on exactly where it stopped, without repeating anything.";

/** Whether a request exceeds the server's limit. It is only serialized if its length makes that possible. */
export function isTooLarge(body: ChatCompletionRequest): boolean {
  const most = MOST_REQUEST_BYTES / LONGEST_ESCAPE;
  let length = 0;
  for (const { content } of body.messages) {
    length += typeof content === "string" ? content.length + MARKS : most;
    if (length > most) return JSON.stringify(body).length > MOST_REQUEST_BYTES;
  }
  return false;
}

/** The most bytes a character takes in JSON, and the bytes of a message besides its text. */
const LONGEST_ESCAPE = 6;
const MARKS = 100;

/** Everything a request for an answer is built from. */
export type Asked = {
  /** The conversation up to and including the question to answer. */
  turns: readonly Turn[];
  settings: ChatSettings;
  model: string;
  lane: number;
  /** The answer to continue, if any. */
  partial?: Answer;
};

/** Returns the request body for an answer. */
export function toRequest({ turns, settings, model, lane, partial }: Asked): ChatCompletionRequest & { stream: true } {
  return {
    model,
    messages: toMessages({ turns, settings, model, lane, ...(partial && { partial }) }),
    ...toParameters(settings),
    stream: true,
    stream_options: { include_usage: true },
  };
}

/** Returns the messages of a request: the system prompt, then each question with this model's answer to it. */
export function toMessages({ turns, settings, model, lane, partial }: Asked): Message[] {
  const messages: Message[] = [];
  const system = settings.system.trim();
  if (system !== "") messages.push({ role: "system", content: system });
  for (const [index, turn] of turns.entries()) {
    pushQuestion(messages, turn.question);
    if (index === turns.length - 1) break;
    const answer = answerFor(turn, model, lane);
    if (answer) pushAnswer(messages, answer, turns[index + 1]?.question);
  }
  if (partial && partial.text !== "") {
    messages.push({ role: "assistant", content: partial.text }, { role: "user", content: GO_ON });
  }
  return messages;
}

function pushQuestion(messages: Message[], question: Question): void {
  for (const { callId, text } of question.results) messages.push({ role: "tool", tool_call_id: callId, content: text });
  const content = contentOf(question);
  if (content === "") return;
  const last = messages.at(-1);
  // Chat templates require alternating roles: an unanswered question is merged with the next.
  if (last?.role === "user") last.content = joined(last.content, content);
  else messages.push({ role: "user", content });
}

/** Includes tool calls only if all their results follow: a model must not wait for one. */
function pushAnswer(messages: Message[], answer: Answer, next: Question | undefined): void {
  const given = new Set(next?.results.map(({ callId }) => callId));
  const complete = answer.toolCalls.length > 0 && answer.toolCalls.every(({ id }) => given.has(id));
  if (complete)
    messages.push({
      role: "assistant",
      content: answer.text === "" ? null : answer.text,
      tool_calls: answer.toolCalls.map(asCall),
      ...(answer.reasoning !== "" && { reasoning_content: answer.reasoning }),
    });
  else if (answer.text !== "") messages.push({ role: "assistant", content: answer.text });
}

const asCall = ({ id, name, arguments: given }: ToolCall) => ({
  id,
  type: "function",
  function: { name, arguments: given },
});

function contentOf({ text, attachments }: Question): string | Part[] {
  const texts = attachments.filter(({ kind }) => kind === "text").map(fileText);
  const words = [...texts, text].filter((one) => one.trim() !== "").join("\n\n");
  const images = attachments.filter(({ kind }) => kind === "image");
  if (images.length === 0) return words;
  const parts: Part[] = images.map(({ data }) => ({ type: "image_url", image_url: { url: data } }));
  return words === "" ? parts : [...parts, { type: "text", text: words }];
}

const fileText = ({ name, data }: Attachment): string =>
  `<file name="${name.replace(/["<>]/g, "_")}">\n${data}\n</file>`;

function joined(a: Message["content"], b: string | Part[]): string | Part[] {
  if (typeof a === "string" && typeof b === "string") return `${a}\n\n${b}`;
  return [...asParts(a), ...asParts(b)];
}

function asParts(content: Message["content"]): Part[] {
  if (Array.isArray(content)) return content;
  return content ? [{ type: "text", text: content }] : [];
}

/** Estimates the tokens of a text: four characters of Latin script per token, one for wider scripts. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (const character of text) if (character > "\u2E7F") wide += 1;
  return Math.ceil((text.length - wide) / 4 + wide);
}

const IMAGE_TOKENS = 1000;

function tokensOfTurn(turn: Turn, model: string, lane: number): number {
  const { text, attachments } = turn.question;
  const files = attachments.map(({ kind, data }) => (kind === "image" ? IMAGE_TOKENS : estimateTokens(data)));
  return (
    estimateTokens(text) + estimateTokens(answerFor(turn, model, lane)?.text ?? "") + files.reduce((a, b) => a + b, 8)
  );
}

/** Returns the newest turns that fit into a number of tokens; always at least the last one. */
export function newestTurns(turns: readonly Turn[], model: string, lane: number, tokens: number): readonly Turn[] {
  let left = tokens;
  let from = turns.length;
  while (from > 0) {
    const turn = turns[from - 1];
    if (!turn) break;
    left -= tokensOfTurn(turn, model, lane);
    if (left < 0 && from < turns.length) break;
    from -= 1;
  }
  return turns.slice(from);
}
