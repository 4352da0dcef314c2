import { type Dispatcher, request } from "undici";
import { readLimited } from "../../platform/core/http/read-limited.ts";
import type { AccessTokens, ApiName } from "../apis/api.ts";
import { APIS } from "../apis/apis.ts";
import type { CallBody, CallKind } from "../formats/parsed-request.ts";
import { isRecord } from "../usage/reported-usage.ts";
import { type BackendFailure, toConnectionFailure, toFormatFailure, toResponseFailure } from "./problems.ts";

/** The result of one small call, with its duration in milliseconds. `status` is null without a response. */
export type TriedCall =
  | { ok: true; durationMs: number }
  | { ok: false; durationMs: number; status: number | null; failure: BackendFailure };

/** An address and how it is called. */
export type CallTarget = {
  baseUrl: string;
  api: ApiName;
  apiKey: string | undefined;
  dispatcher: Dispatcher | undefined;
  accessTokens: AccessTokens;
  timeoutMs: number;
};

/** The limit of the answer. Some APIs refuse less than 16. */
const MAX_TOKENS = 16;
const MAX_ANSWER_BYTES = 1024 * 1024;
const FIELD_BY_KIND: Readonly<Record<"chat" | "embedding", string>> = { chat: "choices", embedding: "data" };

/** Calls a model of an address with a prompt of one word. Never throws. */
export async function tryCall(target: CallTarget, model: string, kind: "chat" | "embedding"): Promise<TriedCall> {
  const first = await send(target, kind, toBody(model, kind, "max_tokens"));
  // OpenAI's reasoning models refuse the older name of the limit, and other servers do not know the newer one.
  const isRefused = !first.ok && first.status === 400 && first.failure.error.includes("max_completion_tokens");
  return isRefused ? send(target, kind, toBody(model, kind, "max_completion_tokens")) : first;
}

function toBody(model: string, kind: CallKind, limit: string): CallBody {
  if (kind === "embedding") return { model, input: ["Hello"] };
  return { model, messages: [{ role: "user", content: "Hello" }], [limit]: MAX_TOKENS };
}

async function send(target: CallTarget, kind: "chat" | "embedding", callBody: CallBody): Promise<TriedCall> {
  const { baseUrl, api, apiKey, dispatcher, accessTokens, timeoutMs } = target;
  const { headers, paths, sign, toRequest, readAnswer } = APIS[api];
  const started = performance.now();
  const durationMs = () => Math.round(performance.now() - started);
  if (paths[kind] === undefined) return { ok: false, durationMs: 0, status: 404, failure: toUnansweredFailure(apiKey) };
  try {
    const { path, body } = toRequest({ kind, body: callBody, carried: undefined, maxAnswerTokens: null });
    const url = baseUrl.replace(/\/+$/, "") + path;
    const sent = { headers: { ...headers(apiKey), "content-type": "application/json" }, body: JSON.stringify(body) };
    const signature = await sign?.(apiKey, { method: "POST", url, ...sent }, accessTokens);
    const response = await request(url, {
      method: "POST",
      headers: { ...sent.headers, ...signature },
      body: sent.body,
      signal: AbortSignal.timeout(timeoutMs),
      ...(dispatcher && { dispatcher }),
    });
    const { statusCode: status } = response;
    const text = (await readLimited(response.body, MAX_ANSWER_BYTES)).toString("utf8");
    const received = { status, contentType: String(response.headers["content-type"] ?? ""), text, apiKey };
    if (status !== 200)
      return { ok: false, durationMs: durationMs(), status, failure: toResponseFailure(received, "call") };
    if (isAnswer(text, kind, readAnswer)) return { ok: true, durationMs: durationMs() };
    return { ok: false, durationMs: durationMs(), status, failure: toFormatFailure(received, "call") };
  } catch (error) {
    return { ok: false, durationMs: durationMs(), status: null, failure: toConnectionFailure(error, timeoutMs) };
  }
}

/** Whether a text is a complete answer of the API, which has a list of choices or of vectors in the form of OpenAI's. */
function isAnswer(
  text: string,
  kind: "chat" | "embedding",
  readAnswer: (body: Record<string, unknown>, kind: CallKind) => Record<string, unknown>,
): boolean {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) && Array.isArray(readAnswer(body, kind)[FIELD_BY_KIND[kind]]);
  } catch {
    return false;
  }
}

function toUnansweredFailure(apiKey: string | undefined): BackendFailure {
  return toResponseFailure({ status: 404, contentType: "", text: "", apiKey }, "call");
}
