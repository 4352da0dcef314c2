/**
 * A stand-in for Cohere's API, which cannot run here. It is written from the references at
 * https://docs.cohere.com/docs/compatibility-api, https://docs.cohere.com/reference/embed,
 * https://docs.cohere.com/reference/rerank and https://docs.cohere.com/reference/list-models: it refuses what the API refuses,
 * and answers chats, buffered and streamed, with the message of a script. Its faults are errors by status and a stream that ends
 * early.
 */
import type { ServerResponse } from "node:http";
import { formatEvent } from "./chat-events.ts";
import { startHttpServer } from "./http-server.ts";

type Fields = Record<string, unknown>;

/** How the stand-in answers. */
export type CohereScript = {
  /** The message of the answer, in the form of OpenAI's API. */
  message?: Fields;
  finishReason?: string;
  /** The score of each text, in the order of the texts; falling from 0.9 without it. */
  scores?: readonly number[];
  /** The vectors of the embeddings, of which as many are sent as there are texts. */
  vectors?: readonly (readonly number[])[];
  fault?: { kind: "refuse"; status: number; message: string } | { kind: "cut" };
  /** What `GET /v1/models` lists. */
  models?: readonly Fields[];
  /** Computes the answer from the body of the call; its fields replace those of the script. */
  reply?: (body: Fields) => Omit<CohereScript, "reply">;
};

/** A call that the stand-in received. */
export type CohereCall = { path: string; body: Fields };

/** The key that the stand-in accepts. */
export const COHERE_KEY = "cohere-test-key";
const USAGE = { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 };
/** What a chat may have at the compatible endpoint, and the field that OpenAI's clients send beside `stream`. */
const CHAT_FIELDS = new Set([
  ...["model", "messages", "stream", "stream_options", "reasoning_effort", "response_format", "tools", "tool_choice"],
  ...["temperature", "max_tokens", "stop", "seed", "top_p", "frequency_penalty", "presence_penalty"],
]);
const EFFORTS = ["none", "high"];
const INPUT_TYPES = ["search_document", "search_query", "classification", "clustering", "image"];
const DIMENSIONS = [256, 512, 1024, 1536];
const MAX_TEXTS = 96;

/** Starts the stand-in. Its script can be replaced while it runs. */
export async function startFakeCohere(script: CohereScript = {}) {
  const state = { script };
  const calls: CohereCall[] = [];
  const server = await startHttpServer(({ method, url, headers, body: text }, response) => {
    if (headers.authorization !== `Bearer ${COHERE_KEY}`) return sendError(response, 401, "invalid api token");
    const [path = ""] = url.split("?");
    if (method === "GET" && path === "/v1/models")
      return sendJson(response, 200, { models: state.script.models ?? [], next_page_token: null });
    const answer = ANSWERS[path];
    if (method !== "POST" || answer === undefined) return sendError(response, 404, "not found");
    const body = JSON.parse(text) as Fields;
    calls.push({ path, body });
    const current = { ...state.script, ...state.script.reply?.(body) };
    const problem = answer.findProblem(body);
    if (problem !== null) return sendError(response, 400, problem);
    if (current.fault?.kind === "refuse") return sendError(response, current.fault.status, current.fault.message);
    return answer.send(response, current, body);
  });
  return {
    baseUrl: server.url,
    /** The calls so far. */
    calls,
    answer: (next: CohereScript) => {
      state.script = next;
    },
    close: server.close,
  };
}

type Answer = {
  /** Returns what the API says of a body that it refuses; null if it takes it. */
  findProblem(body: Fields): string | null;
  send(response: ServerResponse, script: CohereScript, body: Fields): void;
};

const ANSWERS: Readonly<Record<string, Answer>> = {
  "/compatibility/v1/chat/completions": { findProblem: findChatProblem, send: sendChat },
  "/v2/embed": { findProblem: findEmbedProblem, send: sendVectors },
  "/v2/rerank": { findProblem: findRerankProblem, send: sendScores },
};

function findChatProblem({ messages, reasoning_effort: effort, response_format: format, ...others }: Fields) {
  const unknown = Object.keys(others).find((name) => !CHAT_FIELDS.has(name));
  if (unknown !== undefined) return `invalid request: parameter '${unknown}' is not supported`;
  if (!Array.isArray(messages) || messages.length === 0) return "invalid request: messages must not be empty";
  if (effort !== undefined && !EFFORTS.includes(String(effort)))
    return `invalid request: reasoning_effort '${String(effort)}' is not supported`;
  const { type } = (format ?? {}) as Fields;
  return type === undefined || type === "text" || type === "json_object"
    ? null
    : `invalid request: response_format type '${String(type)}' is not supported`;
}

function findEmbedProblem({ texts, input_type: type, output_dimension: dimension }: Fields): string | null {
  if (!Array.isArray(texts) || texts.some((text) => typeof text !== "string")) return "texts must be a list of strings";
  if (texts.length > MAX_TEXTS) return `invalid request: total number of texts must be at most ${MAX_TEXTS}`;
  if (!INPUT_TYPES.includes(String(type))) return "invalid request: valid input_type must be provided with this model";
  return dimension === undefined || DIMENSIONS.includes(Number(dimension)) ? null : "invalid output_dimension";
}

function findRerankProblem({ query, documents }: Fields): string | null {
  if (typeof query !== "string" || query === "") return "invalid request: query must not be empty";
  return Array.isArray(documents) && documents.every((text) => typeof text === "string")
    ? null
    : "invalid request: documents must be a list of strings";
}

function sendChat(response: ServerResponse, script: CohereScript, { model, stream }: Fields): void {
  const { message = { role: "assistant", content: "Hello!" }, finishReason = "stop", fault } = script;
  const meta = { id: "c-1", created: 1, model };
  if (stream !== true) {
    const choices = [{ index: 0, message, finish_reason: finishReason, logprobs: null }];
    sendJson(response, 200, { ...meta, object: "chat.completion", choices, usage: USAGE });
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (choices: Fields[], more: Fields = {}) =>
    response.write(formatEvent({ ...meta, object: "chat.completion.chunk", choices, ...more }));
  for (const delta of toDeltas(message)) send([{ index: 0, delta, finish_reason: null }]);
  if (fault?.kind === "cut") return void response.end();
  send([{ index: 0, delta: {}, finish_reason: finishReason }]);
  send([], { usage: USAGE });
  response.end("data: [DONE]\n\n");
}

function toDeltas({ role = "assistant", content, tool_calls: calls }: Fields): Fields[] {
  const texts = typeof content === "string" ? [...content].map((text) => ({ content: text })) : [];
  const indexed = Array.isArray(calls) ? calls.map((call: Fields, index) => ({ index, ...call })) : [];
  return [{ role }, ...texts, ...(indexed.length > 0 ? [{ tool_calls: indexed }] : [])];
}

function sendVectors(
  response: ServerResponse,
  { vectors }: CohereScript,
  { texts, output_dimension: size }: Fields,
): void {
  const length = typeof size === "number" ? size : 2;
  const float = (texts as string[]).map((_, at) => vectors?.[at] ?? Array.from({ length }, () => at + 0.5));
  const meta = { api_version: { version: "2" }, billed_units: { input_tokens: 7 } };
  sendJson(response, 200, { id: "e-1", response_type: "embeddings_by_type", embeddings: { float }, texts, meta });
}

function sendScores(response: ServerResponse, { scores }: CohereScript, { documents, top_n: limit }: Fields): void {
  const results = (documents as string[])
    .map((_, index) => ({ index, relevance_score: scores?.[index] ?? 0.9 / (index + 1) }))
    .toSorted((a, b) => b.relevance_score - a.relevance_score)
    .slice(0, typeof limit === "number" ? limit : undefined);
  const meta = { api_version: { version: "2" }, billed_units: { search_units: 1 } };
  sendJson(response, 200, { id: "r-1", results, meta });
}

function sendError(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { id: "err-1", message });
}

function sendJson(response: ServerResponse, status: number, body: Fields): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
