import type { operations } from "./generated/schema.ts";
import type {
  ChatCompletionChunk,
  Completion,
  DeploymentLogLine,
  MessagesEvent,
  ResponsesEvent,
  TranscriptionEvent,
} from "./generated/schemas.ts";
import type { AnswerStream } from "./stream/answer-stream.ts";
import type { EventStream } from "./stream/event-stream.ts";

/** Ids of all operations: `models.list`, `chat.completions.create` … */
export type OperationId = keyof operations;

type Content<T> = T extends { content: infer C }
  ? C extends { "application/json": infer J }
    ? J
    : C[keyof C] // HTML and Markdown are returned as text.
  : undefined;
type SuccessOf<R> = { [S in keyof R]: S extends 200 | 201 | 202 | 204 ? Content<R[S]> : never }[keyof R];
/** Allows `undefined` for optional properties; it means omitted. */
type AllowUndefined<T> = { [K in keyof T]: undefined extends T[K] ? T[K] | undefined : T[K] };

/** The result of a call. */
export type Result<K extends OperationId> = SuccessOf<operations[K]["responses"]>;
/** The query parameters of a call. */
export type Query<K extends OperationId> = operations[K]["parameters"] extends { query?: infer Q }
  ? AllowUndefined<NonNullable<Q>>
  : never;
/** The body of a call. */
export type Body<K extends OperationId> = operations[K] extends { requestBody?: { content: infer C } }
  ? C[keyof C]
  : never;

/** A request body that asks for a stream. */
export type Streaming<Request> = Request & { stream: true };
/** A request body that asks for the complete response. */
export type NotStreaming<Request> = Request & { stream?: false | null };
/** The stream that a call returns. */
export type StreamOf<K extends OperationId> = K extends
  | "chat.completions.create"
  | "deployments.chat.completions.create"
  ? AnswerStream<ChatCompletionChunk>
  : K extends "completions.create" | "deployments.completions.create"
    ? AnswerStream<Completion>
    : K extends "responses.create" | "messages.create"
      ? EventStream<K extends "responses.create" ? ResponsesEvent : MessagesEvent>
      : K extends "audio.transcriptions.create"
        ? EventStream<TranscriptionEvent>
        : K extends "deployments.logs"
          ? EventStream<DeploymentLogLine>
          : EventStream<Result<K>>;
