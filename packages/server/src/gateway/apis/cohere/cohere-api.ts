import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";
import type { CallBody, CallKind } from "../../formats/parsed-request.ts";
import type { ApiCall, ApiRequest, UpstreamApi } from "../api.ts";
import { toChatOfPrompt, toTextAnswer } from "../completions.ts";
import { OPENAI_API } from "../openai/openai-api.ts";
import { toCohereChat } from "./chat.ts";
import { readEmbeddings, toEmbedBody } from "./embeddings.ts";

const CHAT_PATH = "/compatibility/v1/chat/completions";
const EMBED_PATH = "/v2/embed";
const RERANK_PATH = "/v2/rerank";
/** What models can do that no call here asks for. */
const UNCALLED_ENDPOINTS = ["classify", "generate", "rate", "summarize"];

/**
 * Cohere's API (https://docs.cohere.com/reference/about): chats at its endpoint that is compatible with OpenAI's API, vectors and
 * scores at its own. The address of a backend that speaks it has no path.
 */
export const COHERE_API: UpstreamApi = {
  ...OPENAI_API,
  paths: { chat: CHAT_PATH, completion: CHAT_PATH, embedding: EMBED_PATH, rerank: RERANK_PATH },
  leftOut: ["messages.reasoning_content"],
  toRequest,
  readAnswer(body, kind) {
    if (kind === "embedding") return readEmbeddings(body);
    return kind === "completion" ? toTextAnswer(body) : body;
  },
  createEventReader: (kind) => (kind === "completion" ? toTextAnswer : null),
  toListUrls: (baseUrl) => [`${baseUrl}/v1/models?page_size=1000`],
  readModels([list]) {
    const { models } = toRecord(list);
    return Array.isArray(models) ? models.flatMap((model) => toEntry(toRecord(model))) : undefined;
  },
};

const TO_REQUEST: Readonly<Partial<Record<CallKind, (call: ApiCall) => ApiRequest>>> = {
  embedding: ({ body }) => ({ path: EMBED_PATH, body: toEmbedBody(body) }),
  rerank: ({ body }) => ({ path: RERANK_PATH, body: toRerankBody(body) }),
  completion: (call) => toChatRequest({ ...call, kind: "chat", body: toChatOfPrompt(call.body) }),
};

function toRequest(call: ApiCall): ApiRequest {
  return (TO_REQUEST[call.kind] ?? toChatRequest)(call);
}

function toChatRequest(call: ApiCall): ApiRequest {
  const { body } = OPENAI_API.toRequest(call);
  return { path: CHAT_PATH, body: toCohereChat(toRecord(body)) };
}

function toRerankBody({ model, query, documents, max_tokens_per_doc }: CallBody): Fields {
  return omitNullish({ model, query, documents, max_tokens_per_doc });
}

/** Returns the entry of a model that some call here can use. */
function toEntry({ name, endpoints, is_deprecated: isDeprecated, features, ...model }: Fields): Fields[] {
  const isUncalled =
    Array.isArray(endpoints) && endpoints.every((endpoint) => UNCALLED_ENDPOINTS.includes(String(endpoint)));
  if (typeof name !== "string" || isDeprecated === true || isUncalled) return [];
  const listed = Array.isArray(features) ? { supports_tools: features.includes("tools") } : {};
  return [{ id: name, context_length: model.context_length, ...listed }];
}
