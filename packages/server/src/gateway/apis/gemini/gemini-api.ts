import { type Fields, toRecord } from "../../formats/fields.ts";
import type { ApiCall, ApiRequest, UpstreamApi } from "../api.ts";
import { toChatOfPrompt, toTextAnswer } from "../completions.ts";
import { SERVER_SENT_EVENTS } from "../sse.ts";
import { createContentReader, readContent } from "./answer.ts";
import { readEmbeddings, toEmbeddingsBody } from "./embeddings.ts";
import { toContentBody } from "./request.ts";

const PATH = "/models/{model}:generateContent";
/** What its models can do that calls here ask for. */
const METHODS = ["generateContent", "embedContent"];
/** Parts of calls, by their paths in the formats of callers, that it has a place for and OpenAI's API has not. */
const CARRIED_PATHS = new Set(["messages.reasoning_details", "messages.redacted_thinking", "thinking.budget_tokens"]);

/** Google's Gemini API (https://ai.google.dev/api/generate-content). Addresses end in `/v1beta` or `/v1`. */
export const GEMINI_API: UpstreamApi = {
  paths: { chat: PATH, completion: PATH, embedding: "/models/{model}:batchEmbedContents" },
  carries: (path) => CARRIED_PATHS.has(path),
  headers: (apiKey) => (apiKey === undefined ? {} : { "x-goog-api-key": apiKey }),
  toRequest,
  readAnswer(body, kind) {
    if (kind === "embedding") return readEmbeddings(body);
    const answer = readContent(body);
    return kind === "completion" ? toTextAnswer(answer) : answer;
  },
  streamFormat: SERVER_SENT_EVENTS,
  createEventReader(kind) {
    const read = createContentReader();
    return kind === "completion" ? (event) => toTextAnswer(read(event)) : read;
  },
  toListUrls: (baseUrl) => [`${baseUrl}/models?pageSize=1000`],
  readModels([list]) {
    const { models } = toRecord(list);
    return Array.isArray(models) ? models.flatMap((model) => toEntry(toRecord(model))) : undefined;
  },
};

function toRequest({ kind, body, carried }: ApiCall): ApiRequest {
  const model = `/models/${encodeURIComponent(body.model)}`;
  if (kind === "embedding") return { path: `${model}:batchEmbedContents`, body: toEmbeddingsBody(body) };
  const method = body.stream === true ? "streamGenerateContent?alt=sse" : "generateContent";
  const chat = kind === "completion" ? toChatOfPrompt(body) : body;
  return { path: `${model}:${method}`, body: toContentBody(chat, toRecord(carried?.fields?.thinking)) };
}

function toEntry(model: Fields): Fields[] {
  const { name, inputTokenLimit, outputTokenLimit, supportedGenerationMethods: methods } = model;
  if (typeof name !== "string" || !Array.isArray(methods) || !METHODS.some((method) => methods.includes(method)))
    return [];
  const limits = { context_length: inputTokenLimit, max_tokens: outputTokenLimit };
  const { description, thinking } = model;
  return [{ id: name.replace(/^models\//, ""), ...limits, description, supports_reasoning: thinking }];
}
