import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import { type Actor, allowsAnonymous } from "../platform/core/auth/actor.ts";
import { type AppError, errors } from "../platform/core/errors/index.ts";
import { isCallOperation } from "../platform/core/http/call-operations.ts";
import type { Handlers, OperationId } from "../platform/core/http/handlers.ts";
import type { Span, Tracing } from "../platform/core/tracing.ts";
import type { Admission } from "./admission.ts";
import { ignoreTypeOfEmptyBody } from "./bodies/empty-body.ts";
import type { Contract, ContractOperation } from "./contract.ts";
import { type EventStreamLimit, streamOwnerOf } from "./event-stream-limit.ts";
import type { Idempotency } from "./idempotency.ts";

const NO_STORE = "no-store";

type AnyHandler = (input: object) => Promise<unknown>;

/** The dependencies of binding the contract. */
export type BindingOptions = {
  contract: Contract;
  handlers: Handlers;
  admission: Admission;
  idempotency: Idempotency;
  eventStreams: EventStreamLimit;
  /** Null without tracing. */
  tracing: Tracing | null;
  /** Forwards a request to another replica before this one handles it; null if it must be handled here. */
  forward(operationId: string, request: FastifyRequest["raw"], response: FastifyReply["raw"]): Promise<void> | null;
};

/**
 * Registers a route for every operation of the contract, except the calls to models (`http/calls`). Operations without a
 * handler return 501.
 */
export function bindContract(app: FastifyInstance, options: BindingOptions): void {
  const { contract, handlers } = options;
  for (const operation of contract.operations.values()) {
    const { operationId, method, path, bodyLimit } = operation;
    if (isCallOperation(operationId)) continue;
    const handler = handlers[operationId as OperationId] as AnyHandler | undefined;
    app.route({
      method: method as HTTPMethods,
      url: `/api${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      schema: { ...contract.schemas.get(operationId) }, // Fastify marks it
      bodyLimit,
      // Runs before the body is read, so that only authorized callers can send one.
      onRequest: (request, reply) => admit(options, operation, request, reply),
      handler: (request, reply) => answer(options, operation, handler, request, reply),
    });
  }
}

/** Lets a call in, or throws why not. A call that another replica answers is answered when this returns. */
async function admit(
  { admission, eventStreams, forward, tracing }: BindingOptions,
  operation: ContractOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  request.operation = operation;
  const forwarded = forward(operation.operationId, request.raw, reply.raw);
  if (forwarded !== null) return followForwarded(forwarded, request, reply);
  if (tracing !== null) request.span = tracing.startRequest(operation.method, `/api${operation.path}`, request.headers);
  if (!isPublicRead(operation)) reply.header("cache-control", NO_STORE);
  request.actor = await admission.identify(operation, request);
  request.recheck = () => admission.recheck(operation, request, request.actor);
  if (request.actor.kind === "user") reply.header("cache-control", NO_STORE);
  request.actor = await admission.countCall(operation, request.actor, request);
  if (!operation.requiresBody) ignoreTypeOfEmptyBody(request);
  request.releaseBodyBudget = admission.reserveBody(operation, request.actor, request);
  reply.raw.once("close", request.releaseBodyBudget);
  if (operation.followsEvents) reply.raw.once("close", eventStreams.open(streamOwnerOf(request)));
}

async function followForwarded(forwarded: Promise<void>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  request.isAnsweredElsewhere = true;
  try {
    await forwarded;
    reply.hijack(); // the response was sent, or its caller has gone
  } catch (error) {
    request.isAnsweredElsewhere = false;
    throw error;
  }
}

async function answer(
  { admission, idempotency }: BindingOptions,
  operation: ContractOperation,
  handler: AnyHandler | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  request.releaseBodyBudget();
  // Schemas are tied to content types, so a request without body and content type is not validated.
  if (operation.requiresBody && (request.body === undefined || request.body === null))
    throw errors.invalidRequest("A body is required.");
  if (!handler) throw notImplemented(operation.operationId);
  reply.code(operation.successStatus);
  const { params, body, actor } = request;
  const query = request.routeOptions.schema?.querystring ? request.query : undefined;
  const run = () => handler({ path: params, query, body, actor, request, reply });
  const value = await idempotency.runOnce(operation, { actor, request, reply, body }, run).catch((error: unknown) => {
    admission.recordHandlerDenial(operation, { error, actor }, request);
    throw error;
  });
  return value ?? (reply.sent ? reply : reply.send());
}

/** Returns whether everybody may read a response: public catalogue, settings and descriptions, and nothing behind a secret address. */
function isPublicRead({ method, path, security }: ContractOperation): boolean {
  const isCatalogue = allowsAnonymous(security) && /^\/(feather|v1)\//.test(path);
  const isBehindSecret = path.startsWith("/test-payments/") || path.includes("/{token}");
  return method === "GET" && (isCatalogue || security.length === 0) && !isBehindSecret;
}

function notImplemented(operationId: string): AppError {
  return errors.notImplemented({ operationId });
}

declare module "fastify" {
  interface FastifyRequest {
    actor: Actor;
    /** The requested operation; undefined for pages and files, and for requests that are refused before the router. */
    operation?: ContractOperation;
    /** The span of the request, if it is traced. */
    span?: Span;
    /** Whether another replica has answered the request. */
    isAnsweredElsewhere?: boolean;
    /** Throws if the caller's credential is no longer valid for the call. For long-running responses. */
    recheck(): Promise<void>;
    /** Releases the bytes of the body from the budget of bodies that are being received. */
    releaseBodyBudget(): void;
  }
}
