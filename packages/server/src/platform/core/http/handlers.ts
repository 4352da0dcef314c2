import type { operations } from "@feather/openapi/schema";
import type { SignedInOperation } from "@feather/openapi/signed-in-operations";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor, SignedInActor } from "../auth/actor.ts";
import type { CallOperation } from "./call-operations.ts";
import type { Exchange } from "./exchange.ts";

/** Operation ids of the contract. */
export type OperationId = keyof operations;

type Json<T> = T extends { content: { "application/json": infer J } } ? J : undefined;
type Success<R> = { [S in keyof R]: S extends 200 | 201 | 202 | 204 ? Json<R[S]> : never }[keyof R];
type Body<O> = O extends { requestBody: { content: { "application/json": infer J } } }
  ? J
  : O extends { requestBody: { content: { "application/x-www-form-urlencoded": infer J } } }
    ? J
    : O extends { requestBody: { content: { "multipart/form-data": infer J } } }
      ? J
      : O extends { requestBody?: { content: { "application/json": infer J } } }
        ? J | undefined
        : undefined;

/** Input of a handler: validated against the contract, from an authorized caller. */
export type HandlerInput<K extends OperationId> = {
  path: operations[K]["parameters"] extends { path: infer P } ? P : undefined;
  query: operations[K]["parameters"] extends { query?: infer Q } ? NonNullable<Q> : undefined;
  body: Body<operations[K]>;
  /** The caller. For operations that require a credential, it is a signed-in one. */
  actor: K extends SignedInOperation ? SignedInActor : Actor;
  request: FastifyRequest;
  reply: FastifyReply;
};

/**
 * Handles an operation. Returns the body of the success response, or the reply if it has sent the response itself
 * (streams). The status is the contract's first success status unless the handler sets another one.
 */
export type Handler<K extends OperationId> = (input: HandlerInput<K>) => Promise<ResponseOf<K> | FastifyReply>;

/** The body of the success response of an operation. */
export type ResponseOf<K extends OperationId> = Success<operations[K]["responses"]>;

/** Input of a call to a model: validated against the contract, from an authorized caller. */
export type CallInput<K extends CallOperation> = Pick<HandlerInput<K>, "path" | "body" | "actor"> & {
  exchange: Exchange;
};

/** Calls a model and sends the response. Throws the error for the caller if the response has not begun. */
export type CallHandler<K extends CallOperation> = (input: CallInput<K>) => Promise<void>;

/** Handlers by operationId. An unknown id or a wrong type does not compile. */
export type Handlers = { [K in OperationId]?: K extends CallOperation ? CallHandler<K> : Handler<K> };
