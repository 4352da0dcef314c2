import type { ChatCompletionRequest, ChatMessage } from "@feather/sdk";
import { withPassages } from "@feather/sdk/collections";
import { type ChatSettings, toParameters } from "../conversation/settings.ts";
import { answerFor, type Turn } from "../conversation/tree.ts";
import type { Answer, Attachment, Question, ToolCall } from "../conversation/types.ts";

type Part = Exclude<NonNullable<ChatMessage["content"]>, string>[number];

/** The server accepts 16 MiB; this leaves room for JSON syntax. */
const MAX_REQUEST_BYTES = 15 * 1024 * 1024;
const CONTINUE_PROMPT = "Your answer was cut off. Go on exactly where it stopped, without repeating anything.";

/** Whether a request exceeds the server's limit. It is only serialized if its length makes that possible. */
export function isTooLarge(body: ChatCompletionRequest): boolean {
  const maxLength = MAX_REQUEST_BYTES / MAX_BYTES_PER_CHARACTER;
  let length = 0;
  for (const { content } of body.messages) {
    length += typeof content === "string" ? content.length + MESSAGE_OVERHEAD : maxLength;
    if (length > maxLength) return JSON.stringify(body).length > MAX_REQUEST_BYTES;
  }
  return false;
}

/** The most bytes a character takes in JSON, and the bytes of a message besides its text. */
const MAX_BYTES_PER_CHARACTER = 6;
const MESSAGE_OVERHEAD = 100;

/** Everything a request for an answer is built from. */
export type RequestInput = {
  /** The conversation up to and including the question to answer. */
  turns: readonly Turn[];
  settings: ChatSettings;
  model: string;
  lane: number;
  /** The answer to continue, if any. */
  partial?: Answer;
};

/** Returns the request body for an answer. */
export function toRequest({
  turns,
  settings,
  model,
  lane,
  partial,
}: RequestInput): ChatCompletionRequest & { stream: true } {
  return {
    model,
    messages: toMessages({ turns, settings, model, lane, ...(partial && { partial }) }),
    ...toParameters(settings),
    stream: true,
    stream_options: { include_usage: true },
  };
}

/** Returns the messages of a request: the system prompt, then each question with this model's answer to it. */
export function toMessages({ turns, settings, model, lane, partial }: RequestInput): ChatMessage[] {
  const messages: ChatMessage[] = [];
  const system = settings.system.trim();
  if (system !== "") messages.push({ role: "system", content: system });
  const searched = searchedTurn(turns);
  for (const [index, turn] of turns.entries()) {
    appendQuestion(messages, turn === searched ? withQuotations(turn) : turn.question);
    if (index === turns.length - 1) break;
    const answer = answerFor(turn, model, lane);
    if (answer) appendAnswer(messages, answer, turns[index + 1]?.question);
  }
  if (partial && partial.text !== "") {
    messages.push({ role: "assistant", content: partial.text }, { role: "user", content: CONTINUE_PROMPT });
  }
  return messages;
}

/**
 * Returns the turn whose passages the answer may name: that of the question, or of the one for which tools were called. Passages of
 * earlier questions are left out, since they have the same numbers and fill the context.
 */
function searchedTurn(turns: readonly Turn[]): Turn | undefined {
  const passages = turns.at(-1)?.passages ?? [];
  return passages.length === 0 ? undefined : turns.findLast(({ question }) => question.passages === passages);
}

const withQuotations = ({ question, passages }: Turn): Question => ({
  ...question,
  text: withPassages(question.text, passages),
});

function appendQuestion(messages: ChatMessage[], question: Question): void {
  for (const { callId, text } of question.results) messages.push({ role: "tool", tool_call_id: callId, content: text });
  const content = toContent(question);
  if (content === "") return;
  const last = messages.at(-1);
  // Chat templates require alternating roles: an unanswered question is merged with the next.
  if (last?.role === "user") last.content = joinContent(last.content, content);
  else messages.push({ role: "user", content });
}

/** Includes tool calls only if all their results follow: a model must not wait for one. */
function appendAnswer(messages: ChatMessage[], answer: Answer, next: Question | undefined): void {
  const answeredCalls = new Set(next?.results.map(({ callId }) => callId));
  const complete = answer.toolCalls.length > 0 && answer.toolCalls.every(({ id }) => answeredCalls.has(id));
  if (complete)
    messages.push({
      role: "assistant",
      content: answer.text === "" ? null : answer.text,
      tool_calls: answer.toolCalls.map(toToolCall),
      ...(answer.reasoning !== "" && { reasoning_content: answer.reasoning }),
    });
  else if (answer.text !== "") messages.push({ role: "assistant", content: answer.text });
}

const toToolCall = ({ id, name, arguments: answeredCalls }: ToolCall) => ({
  id,
  type: "function" as const,
  function: { name, arguments: answeredCalls },
});

function toContent({ text, attachments }: Question): string | Part[] {
  const texts = attachments.filter(({ kind }) => kind === "text").map(toFileText);
  const fullText = [...texts, text].filter((one) => one.trim() !== "").join("\n\n");
  const images = attachments.filter(({ kind }) => kind === "image");
  if (images.length === 0) return fullText;
  const parts: Part[] = images.map(({ data }) => ({ type: "image_url", image_url: { url: data } }));
  return fullText === "" ? parts : [...parts, { type: "text", text: fullText }];
}

/** Stands for the text of a file of which only passages are sent. It is for the model, which is told in English. */
const LONG_FILE = "[The text is too long to be sent whole. Passages of it are quoted where they go with a question.]";

const toFileText = ({ name, data, passages }: Attachment): string =>
  `<file name="${name.replace(/["<>]/g, "_")}">\n${typeof passages === "number" ? LONG_FILE : data}\n</file>`;

function joinContent(a: ChatMessage["content"], b: string | Part[]): string | Part[] {
  if (typeof a === "string" && typeof b === "string") return `${a}\n\n${b}`;
  return [...toParts(a), ...toParts(b)];
}

function toParts(content: ChatMessage["content"]): Part[] {
  if (Array.isArray(content)) return content;
  return content ? [{ type: "text", text: content }] : [];
}

/** Estimates the tokens of a text: four characters of Latin script per token, one for wider scripts. */
export function estimateTokens(text: string): number {
  let wideCount = 0;
  for (const character of text) if (character > "\u2E7F") wideCount += 1;
  return Math.ceil((text.length - wideCount) / 4 + wideCount);
}

const IMAGE_TOKENS = 1000;

/** Estimates the tokens of an attachment, as it is sent. */
export function estimateAttachmentTokens({ kind, data, passages }: Attachment): number {
  if (kind === "image") return IMAGE_TOKENS;
  return estimateTokens(typeof passages === "number" ? LONG_FILE : data);
}

function estimateTurnTokens(turn: Turn, model: string, lane: number): number {
  const { text, attachments, passages = [] } = turn.question;
  const quotedTokens = passages.reduce((sum, passage) => sum + estimateTokens(passage.text), 0);
  const fileTokens = attachments.map(estimateAttachmentTokens);
  return (
    estimateTokens(text) +
    quotedTokens +
    estimateTokens(answerFor(turn, model, lane)?.text ?? "") +
    fileTokens.reduce((a, b) => a + b, 8)
  );
}

/** Returns the newest turns that fit into a number of tokens; always at least the last one. */
export function takeNewestTurns(
  turns: readonly Turn[],
  model: string,
  lane: number,
  maxTokens: number,
): readonly Turn[] {
  let remaining = maxTokens;
  let firstIndex = turns.length;
  while (firstIndex > 0) {
    const turn = turns[firstIndex - 1];
    if (!turn) break;
    remaining -= estimateTurnTokens(turn, model, lane);
    if (remaining < 0 && firstIndex < turns.length) break;
    firstIndex -= 1;
  }
  return turns.slice(firstIndex);
}
