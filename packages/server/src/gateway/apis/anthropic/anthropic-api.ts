import { toRecord } from "../../formats/fields.ts";
import type { ApiCall, ApiRequest, UpstreamApi } from "../api.ts";
import { toChatOfPrompt, toTextAnswer } from "../completions.ts";
import { SERVER_SENT_EVENTS } from "../sse.ts";
import { readMessage } from "./answer.ts";
import { createMessageReader } from "./events.ts";
import { toMessagesBody } from "./request.ts";

const PATH = "/messages";
/** The version of the API that is spoken, from https://platform.claude.com/docs/en/api/versioning. */
const VERSION = "2023-06-01";

/** Anthropic's Messages API. The address of a backend that speaks it ends in `/v1`. */
export const ANTHROPIC_API: UpstreamApi = {
  paths: { chat: PATH, completion: PATH },
  carries: () => true,
  leftOut: ["messages.name", "messages.image_url.detail", "messages.reasoning_content"],
  headers: (apiKey) => ({ "anthropic-version": VERSION, ...(apiKey !== undefined && { "x-api-key": apiKey }) }),
  toRequest,
  readAnswer: (body, kind) => {
    const answer = readMessage(body);
    return kind === "completion" ? toTextAnswer(answer) : answer;
  },
  streamFormat: SERVER_SENT_EVENTS,
  createEventReader(kind) {
    const read = createMessageReader();
    if (kind === "chat") return read;
    return (event) => {
      const chunk = read(event);
      return chunk === null || chunk === "end" ? chunk : toTextAnswer(chunk);
    };
  },
  toListUrls: (baseUrl) => [`${baseUrl}/models?limit=1000`],
  readModels: ([list]) => toRecord(list).data,
};

function toRequest({ kind, body, carried, maxAnswerTokens }: ApiCall): ApiRequest {
  const chat = kind === "completion" ? toChatOfPrompt(body) : body;
  return { path: PATH, body: toMessagesBody(chat, { maxAnswerTokens, fields: carried?.fields ?? {} }) };
}
