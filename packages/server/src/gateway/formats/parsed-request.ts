import type { components } from "@feather/openapi/schema";
import { errors } from "../../platform/core/errors/index.ts";
import type { AnswerFormat, FileFormat, WholeFormat } from "./format.ts";

/**
 * The request of a caller in the format of backends: OpenAI's chat, text completion or embeddings, or a request for another
 * answer that is no generated text.
 */
export type CallBody = {
  model: string;
  stream?: boolean | null;
  stream_options?: { include_usage?: boolean | null; [field: string]: unknown } | null;
  max_tokens?: number | null;
  max_completion_tokens?: number | null;
  [field: string]: unknown;
};

/** The backend endpoint that a call goes to. */
export type CallKind = "chat" | "completion" | WholeKind;

/** The kinds of calls whose answer is no generated text, so that it is not limited in tokens. */
export type WholeKind = "embedding" | "rerank" | "moderation" | "image" | "speech" | "transcription" | "translation";

/** Returns whether the answer to calls of this kind is no generated text. */
export const isWholeKind = (kind: CallKind): kind is WholeKind => kind !== "chat" && kind !== "completion";

/** Parts of a call that OpenAI's API has no place for, but another one has. The body holds them too. */
export type Carried = {
  /** Their paths in the caller's format, without positions in lists. Those that a backend cannot take are named to callers. */
  paths: readonly string[];
  /** Whether texts are parts of their own only because of marks, and one text without them. */
  hasSplitTexts?: boolean;
  /** Fields of a request to Anthropic's API, under their names there. */
  fields?: Readonly<Record<string, unknown>>;
};

/** A request to one of the endpoints, translated to the format of backends. */
export type ParsedRequest = {
  kind: CallKind;
  body: CallBody;
  /** The file of the request, which backends get in a form; undefined for a request without one, which they get as JSON. */
  file?: File;
  /** Fields of the caller's request that have no counterpart in the format of backends. */
  ignored: readonly string[];
  /** What only some backends' APIs have a place for; undefined without any. */
  carried?: Carried | undefined;
  /** Whether the answer continues the assistant's message that ends the conversation, as in Anthropic's API. */
  continuesAnswer?: boolean;
  /** Renders the answer in the format of the endpoint. */
  format: AnswerFormat | WholeFormat | FileFormat;
};

/** Where a call may be answered and in which order, as the contract describes it. */
export type ProviderPreferences = NonNullable<components["schemas"]["ProviderPreferences"]>;

/** The body of a call as the caller sent it: it names its model, or several in `models`. */
export type GivenBody = Omit<CallBody, "model"> & {
  model?: string | null | undefined;
  models?: unknown;
  provider?: unknown;
};

/** Returns a body that names its model. Throws `invalid_request` if it does not. */
export function requireModel(body: GivenBody): CallBody {
  const { model } = body;
  if (model === undefined || model === null) throw errors.invalidRequest("Send model.", { param: "model" });
  return body as CallBody;
}
