import type { components, operations } from "./generated/schema.ts";
import type { AnswerStream } from "./stream/answer-stream.ts";
import type { EventStream } from "./stream/event-stream.ts";

/** The entities of the contract by name, with real dates: `Schemas["Model"]`. */
export type Schemas = components["schemas"];
/** Names of all calls: `models.list`, `chat.completions.create` … */
export type OperationId = keyof operations;

type Content<T> = T extends { content: infer C }
  ? C extends { "application/json": infer J }
    ? J
    : C[keyof C] // A page or a table: its text.
  : undefined;
type SuccessOf<R> = { [S in keyof R]: S extends 200 | 201 | 202 | 204 ? Content<R[S]> : never }[keyof R];
/** What is optional may also be given as `undefined`; it is left out then. */
type Loose<T> = { [K in keyof T]: undefined extends T[K] ? T[K] | undefined : T[K] };

/** What a call answers. */
export type Result<K extends OperationId> = SuccessOf<operations[K]["responses"]>;
/** The query of a call. */
export type Query<K extends OperationId> = operations[K]["parameters"] extends { query?: infer Q }
  ? Loose<NonNullable<Q>>
  : never;
/** The body of a call. */
export type Body<K extends OperationId> = operations[K] extends { requestBody?: { content: infer C } }
  ? C[keyof C]
  : never;

/** What a chat is asked with: the model, the messages, and how to answer. */
export type ChatCompletionRequest = Schemas["ChatCompletionRequest"];
/** The whole answer of a chat. */
export type ChatCompletion = Schemas["ChatCompletion"];
/** A piece of the answer of a chat that is streamed. */
export type ChatCompletionChunk = Schemas["ChatCompletionChunk"];
/** What the continuation of a text is asked with. */
export type CompletionRequest = Schemas["CompletionRequest"];
/** The whole continuation of a text. */
export type Completion = Schemas["Completion"];
/** A message of a chat completion, as models answer it. */
export type AssistantMessage = ChatCompletion["choices"][number]["message"];
/** A call of a tool that a model asks for; `arguments` is JSON. */
export type ToolCall = NonNullable<AssistantMessage["tool_calls"]>[number];

/** An event of a stream whose kind stands in `type`, as in the Responses and the Messages format. */
export type TypedEvent = { type: string; [field: string]: unknown };

/** A request for a stream. */
export type Streaming<Request> = Request & { stream: true };
/** A request for the whole answer at once. */
export type Whole<Request> = Request & { stream?: false | null };
/** What a call answers when it streams. */
export type StreamOf<K extends OperationId> = K extends
  | "chat.completions.create"
  | "deployments.chat.completions.create"
  ? AnswerStream<ChatCompletionChunk>
  : K extends "completions.create" | "deployments.completions.create"
    ? AnswerStream<Completion>
    : K extends "responses.create" | "messages.create"
      ? EventStream<TypedEvent>
      : K extends "deployments.logs"
        ? EventStream<Result<"deployments.logs">["lines"][number]>
        : EventStream<Result<K>>;

/** Options of one request; they win over the client's. */
export type RequestOptions = {
  /** Ends the request; the promise rejects with `AbortedError`. */
  signal?: AbortSignal | undefined;
  /** Headers to add, or to leave out with `null`. */
  headers?: Record<string, string | null | undefined> | undefined;
  /** More of the query, for what the method has no place for. */
  query?: Record<string, unknown> | undefined;
  /** Milliseconds until the answer must be there; for streams, until it begins. */
  timeout?: number | undefined;
  /** Milliseconds of silence after which a stream that has begun counts as broken. Without it, it may be silent for ever. */
  streamIdleTimeout?: number | undefined;
  /** How often to try again after a failure that may pass. */
  maxRetries?: number | undefined;
  /** Makes a repeated POST the same one; chosen at random when left out. */
  idempotencyKey?: string | undefined;
};

/** Options that ask for events instead of the whole answer. */
export type Streamed = RequestOptions & { stream: true };
