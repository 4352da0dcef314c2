import type { IncomingHttpHeaders } from "node:http";
import type { CallBody, CallKind, Carried } from "../formats/parsed-request.ts";
import type { LeftOutPath } from "./left-out.ts";
import type { StreamFormat } from "./stream-format.ts";

/** The names of the APIs that backends speak, as they are configured. */
export const API_NAMES = ["openai", "responses", "anthropic", "gemini", "bedrock", "cohere", "vertex"] as const;
/** The name of an API that a backend speaks. */
export type ApiName = (typeof API_NAMES)[number];
/** The API of backends for which none is configured. */
export const DEFAULT_API = "openai" satisfies ApiName;

/** A call in the gateway's form, with only the fields that the backend takes. `body.model` is the backend's own name. */
export type ApiCall = {
  kind: CallKind;
  body: CallBody;
  /** What the call has for other APIs than OpenAI's, which `body` may hold too. */
  carried: Carried | undefined;
  /** The limit of the model's answers in tokens; null if it is unknown. */
  maxAnswerTokens: number | null;
};

/** What is sent for a call: the path below the backend's address, and the body. */
export type ApiRequest = { path: string; body: object };

/** A request as it is signed: its whole address, and the headers that mean something to the API. */
export type SignableRequest = {
  method: "GET" | "POST";
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
};

/** The access tokens of keys that are not sent themselves. */
export type AccessTokens = {
  /** Returns a token that is valid for a while. Rejects with an `AccessTokenError` if there is none for the key. */
  get(key: string): Promise<string>;
};

/** A response with another status than 200. */
export type ApiRefusal = { statusCode: number; headers: IncomingHttpHeaders; text: string };

/** An event of a streamed answer in the form of OpenAI's API; null if it says nothing, and "end" after the last one. */
export type ApiEvent = Record<string, unknown> | "end" | null;

/**
 * The API that a backend speaks. It takes calls in the gateway's form, which is that of OpenAI's chat completions
 * (docs/decisions/0060-translation.md), and its answers are read in the form of OpenAI's API.
 */
export type UpstreamApi = {
  /** The path of each kind of call that it answers, below a backend's address, with a placeholder where it varies. */
  paths: Readonly<Partial<Record<CallKind, string>>>;
  /** Which of the paths in `Carried` it has a place for. `model` is the backend's own name. */
  carries(path: string, model: string): boolean;
  /** Parts of messages and tools that it has no place for. They are left out, and named to callers. */
  leftOut: readonly LeftOutPath[];
  /** Returns the headers of every request: the key, and what the API requires. */
  headers(apiKey: string | undefined): Record<string, string>;
  /**
   * Returns further headers, which sign a request with a key that is not sent itself; null for a key that `headers` sends.
   * APIs without such keys lack it.
   */
  sign?(
    apiKey: string | undefined,
    request: SignableRequest,
    accessTokens: AccessTokens,
  ): Promise<Record<string, string>> | null;
  /** Returns what is wrong with the form of a key, as a sentence; null if nothing is. APIs lack it that take any text. */
  findKeyProblem?(apiKey: string): string | null;
  /** Returns the request for a call. Throws an `UnsuitableBackendError` for what the API has no place for. */
  toRequest(call: ApiCall): ApiRequest;
  /** Returns a complete answer in the form of OpenAI's API. */
  readAnswer(body: Record<string, unknown>, kind: CallKind): Record<string, unknown>;
  /** Returns a refusal as OpenAI's API would send it. APIs lack it whose status and message say enough. */
  readRefusal?(refusal: ApiRefusal): ApiRefusal;
  /** The form in which it streams. */
  streamFormat: StreamFormat;
  /** Creates the reader of the events of one stream; null if they have the form of OpenAI's API. */
  createEventReader(kind: CallKind): ((event: Record<string, unknown>) => ApiEvent) | null;
  /** Returns the addresses of the lists of models for a backend's address, which has no slash at the end. */
  toListUrls(baseUrl: string): readonly string[];
  /** Returns the entries of these lists with the fields of OpenAI's list; anything but a list if one of them is none. */
  readModels(bodies: readonly unknown[]): unknown;
};
