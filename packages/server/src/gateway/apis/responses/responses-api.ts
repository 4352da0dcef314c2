import type { CallBody, CallKind } from "../../formats/parsed-request.ts";
import type { ApiCall, ApiRequest, UpstreamApi } from "../api.ts";
import { toChatOfPrompt, toTextAnswer } from "../completions.ts";
import { OPENAI_API } from "../openai/openai-api.ts";
import { SERVER_SENT_EVENTS } from "../sse.ts";
import { unsuitableField } from "../unsuitable.ts";
import { readResponse } from "./answer.ts";
import { createResponseReader } from "./events.ts";
import { toResponsesBody } from "./request.ts";

const PATH = "/responses";
/** What other calls carry for it: reasoning that only its models can read. */
const CARRIED_PATHS: ReadonlySet<string> = new Set(["messages.redacted_thinking"]);

/**
 * OpenAI's Responses API, which some of its models speak alone. The address of a backend that speaks it ends in `/v1`. All
 * calls but those for a generated text are the same as in OpenAI's other API.
 */
export const RESPONSES_API: UpstreamApi = {
  ...OPENAI_API,
  paths: { ...OPENAI_API.paths, chat: PATH, completion: PATH },
  carries: (path) => CARRIED_PATHS.has(path),
  leftOut: ["messages.name", "messages.reasoning_content"],
  toRequest,
  readAnswer(body, kind) {
    if (!isGenerated(kind)) return body;
    const answer = readResponse(body);
    return kind === "completion" ? toTextAnswer(answer) : answer;
  },
  streamFormat: SERVER_SENT_EVENTS,
  createEventReader(kind) {
    if (!isGenerated(kind)) return null;
    const read = createResponseReader();
    if (kind === "chat") return read;
    return (event) => {
      const chunk = read(event);
      return chunk === null || chunk === "end" ? chunk : toTextAnswer(chunk);
    };
  },
};

const isGenerated = (kind: CallKind): boolean => kind === "chat" || kind === "completion";

function toRequest(call: ApiCall): ApiRequest {
  const { kind, body } = call;
  if (!isGenerated(kind)) return OPENAI_API.toRequest(call);
  return { path: PATH, body: toResponsesBody(kind === "completion" ? toChatOfPrompt(withOnePrompt(body)) : body) };
}

function withOnePrompt(body: CallBody): CallBody {
  const { prompt } = body;
  if (!Array.isArray(prompt) || (prompt.length === 1 && typeof prompt[0] === "string")) return body;
  throw unsuitableField("prompt", "takes one prompt at a time, as a text.");
}
