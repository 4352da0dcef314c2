import type { ApiCall, ApiRequest, UpstreamApi } from "../api.ts";
import { toChatOfPrompt, toTextAnswer } from "../completions.ts";
import { readConverse } from "./answer.ts";
import { AMAZON_EVENT_STREAM } from "./event-stream.ts";
import { readConverseEvent } from "./events.ts";
import { isClaude } from "./families.ts";
import { readModels, toListUrls } from "./model-list.ts";
import { readRefusal } from "./refusals.ts";
import { toConverseBody } from "./request.ts";
import { readCredentials, signRequest } from "./signing.ts";

const PATH = "/model/{model}/converse";

/**
 * Amazon Bedrock's Converse API (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html). The address
 * of a backend that speaks it is `https://bedrock-runtime.{region}.amazonaws.com`.
 */
export const BEDROCK_API: UpstreamApi = {
  paths: { chat: PATH, completion: PATH },
  carries: (_path, model) => isClaude(model),
  leftOut: ["messages.name", "messages.image_url.detail", "messages.reasoning_content"],
  headers: (apiKey) =>
    apiKey === undefined || readCredentials(apiKey) !== null ? {} : { authorization: `Bearer ${apiKey}` },
  sign(apiKey, request) {
    const credentials = readCredentials(apiKey);
    return credentials && signRequest(credentials, request);
  },
  toRequest,
  readAnswer(body, kind) {
    const answer = readConverse(body);
    return kind === "completion" ? toTextAnswer(answer) : answer;
  },
  readRefusal,
  streamFormat: AMAZON_EVENT_STREAM,
  createEventReader(kind) {
    if (kind === "chat") return readConverseEvent;
    return (event) => {
      const chunk = readConverseEvent(event);
      return chunk === null || chunk === "end" ? chunk : toTextAnswer(chunk);
    };
  },
  toListUrls,
  readModels,
};

function toRequest({ kind, body, carried }: ApiCall): ApiRequest {
  const chat = kind === "completion" ? toChatOfPrompt(body) : body;
  const path = `/model/${encodeURIComponent(body.model)}/converse${body.stream === true ? "-stream" : ""}`;
  return { path, body: toConverseBody(chat, carried?.fields ?? {}) };
}
