import type { components, operations } from "./generated/schema.ts";

/** The entities of the contract by name, with real dates: `Schemas["Model"]`. */
export type Schemas = components["schemas"];
export type OperationId = keyof operations;

type Json<T> = T extends { content: { "application/json": infer J } } ? J : undefined;
type SuccessOf<R> = { [S in keyof R]: S extends 200 | 201 | 202 | 204 ? Json<R[S]> : never }[keyof R];

/** What a call answers. */
export type Result<K extends OperationId> = SuccessOf<operations[K]["responses"]>;
/** The query of a call. */
export type Query<K extends OperationId> = operations[K]["parameters"] extends { query?: infer Q }
  ? NonNullable<Q>
  : never;
/** The body of a call. */
export type Body<K extends OperationId> = operations[K] extends { requestBody?: { content: infer C } }
  ? C[keyof C]
  : never;

export type ChatCompletionRequest = Schemas["ChatCompletionRequest"];
export type ChatCompletion = Schemas["ChatCompletion"];
export type ChatCompletionChunk = Schemas["ChatCompletionChunk"];
export type CompletionRequest = Schemas["CompletionRequest"];
export type Completion = Schemas["Completion"];

/** Options of one request; they win over the client's. */
export type RequestOptions = {
  /** Ends the request; the promise rejects with `AbortedError`. */
  signal?: AbortSignal;
  /** Headers to add. */
  headers?: Record<string, string>;
  /** Milliseconds to wait for the answer to begin. */
  timeout?: number;
  /** How often to try again after a failure that may pass. */
  maxRetries?: number;
  /** Makes a repeated POST the same one; chosen at random when left out. */
  idempotencyKey?: string;
};
