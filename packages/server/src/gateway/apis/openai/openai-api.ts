import { type CallKind, isWholeKind } from "../../formats/parsed-request.ts";
import { isRecord } from "../../usage/reported-usage.ts";
import type { ApiCall, ApiRequest, UpstreamApi } from "../api.ts";
import { SERVER_SENT_EVENTS } from "../sse.ts";
import { withoutCarried } from "./without-carried.ts";

/** The path of each kind of call below a backend's address. */
const PATHS: Readonly<Record<CallKind, string>> = {
  chat: "/chat/completions",
  completion: "/completions",
  embedding: "/embeddings",
  // Cohere's and Jina's, which vLLM, llama-server, Together and Voyage have too.
  rerank: "/rerank",
  moderation: "/moderations",
  image: "/images/generations",
  speech: "/audio/speech",
  transcription: "/audio/transcriptions",
  translation: "/audio/translations",
};

/** OpenAI's API, which most programs and providers speak. Its form is that of the gateway, so that nothing is translated. */
export const OPENAI_API: UpstreamApi = {
  paths: PATHS,
  carries: () => false,
  leftOut: [],
  headers: (apiKey) => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  toRequest,
  readAnswer: (body) => body,
  streamFormat: SERVER_SENT_EVENTS,
  createEventReader: () => null,
  toListUrls: (baseUrl) => [`${baseUrl}/models`],
  // Together sends the list without an object around it.
  readModels: ([list]) => (isRecord(list) ? list.data : Array.isArray(list) ? list : undefined),
};

function toRequest({ kind, body: given, carried }: ApiCall): ApiRequest {
  const { stream_options: _, ...body } = carried === undefined ? given : withoutCarried(given, carried);
  // Usage is always requested, because the usage row is written from it.
  const sent = body.stream && !isWholeKind(kind) ? { ...body, stream_options: { include_usage: true } } : body;
  return { path: PATHS[kind], body: sent };
}
