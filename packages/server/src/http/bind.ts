import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import glue from "fastify-openapi-glue";
import {
  type Actor,
  ANONYMOUS,
  allowsAnonymous,
  checkAccess,
  checkRequirements,
  isAdminOnly,
} from "../platform/core/auth/actor.ts";
import { type AppError, errors } from "../platform/core/errors/index.ts";
import type { Handlers, OperationId } from "../platform/core/http/handlers.ts";
import type { RateLimiter } from "../platform/core/http/rate-limits.ts";
import type { Span, Tracing } from "../platform/core/tracing.ts";
import type { RequestAuthenticator } from "./authenticate.ts";
import { type BodyBudget, budgetKeyOf, declaredBodyBytes } from "./bodies/body-budget.ts";
import { ignoreTypeOfEmptyBody } from "./bodies/empty-body.ts";
import type { Contract, ContractOperation } from "./contract.ts";
import { type Denial, type DeniedCall, toAccessDenial, toHandlerDenial, toRateDenial } from "./denials.ts";
import { type EventStreamLimit, streamOwnerOf } from "./event-stream-limit.ts";
import { unsupportedMediaType } from "./framework-errors.ts";
import type { Idempotency } from "./idempotency.ts";

const NO_STORE = "no-store";

type AnyHandler = (input: object) => Promise<unknown>;

/** The dependencies of binding the contract. */
export type BindingOptions = {
  contract: Contract;
  handlers: Handlers;
  idempotency: Idempotency;
  rateLimiter: RateLimiter;
  bodyBudget: BodyBudget;
  eventStreams: EventStreamLimit;
  /** Records refused calls with a known credential, and calls above a rate limit. */
  denialLog: { record(denial: DeniedCall): void };
  /** Null without tracing. */
  tracing: Tracing | null;
  /** Forwards a request to another replica before this one handles it; null if it must be handled here. */
  forward(operationId: string, request: FastifyRequest, reply: FastifyReply): Promise<void> | null;
} & RequestAuthenticator;

/** Registers a route for every operation of the contract. Operations without a handler return 501. */
export async function bindContract(
  app: FastifyInstance,
  {
    contract,
    handlers,
    idempotency,
    authenticate,
    authenticateAgain,
    rateLimiter,
    bodyBudget,
    eventStreams,
    denialLog,
    tracing,
    forward,
  }: BindingOptions,
): Promise<void> {
  await app.register(glue, {
    specification: toPluginSpecification(contract.document),
    prefix: "api",
    operationResolver: (operationId: string) => {
      const operation = contract.operations.get(operationId);
      if (!operation) throw new Error(`The contract has no operation ${operationId}.`);
      const handler = handlers[operationId as OperationId] as AnyHandler | undefined;
      const recordDenial = (denial: Denial | null, { id, ip }: FastifyRequest) => {
        if (denial) denialLog.record({ ...denial, ip, operation: operationId, requestId: id });
      };
      const routeOptions: Partial<RouteOptions> = {
        bodyLimit: operation.bodyLimit,
        // Runs before the body is read, so that only authorized callers can send one.
        onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
          request.operation = operation;
          const forwarded = forward(operationId, request, reply);
          if (forwarded !== null) return forwarded;
          if (tracing !== null)
            request.span = tracing.startRequest(operation.method, `/api${operation.path}`, request.headers);
          if (!isPublicRead(operation)) reply.header("cache-control", NO_STORE);
          let caller: Actor = ANONYMOUS;
          try {
            if (usesCredential(operation.security)) {
              caller = await authenticate(request);
              request.actor = checkAccess(operation.security, caller);
              checkRequirements(operation, request.actor);
            } else request.actor = ANONYMOUS;
          } catch (error) {
            recordDenial(toAccessDenial(error, caller), request);
            throw error;
          }
          request.recheck = async () => {
            const currentActor = checkAccess(operation.security, await authenticateAgain(request));
            checkRequirements(operation, currentActor);
            refuseOtherActor(request.actor, currentActor);
          };
          if (request.actor.kind === "user") reply.header("cache-control", NO_STORE);
          await consumeRateLimits(rateLimiter, operation, request).catch((error: unknown) => {
            recordDenial(toRateDenial(error, request.actor), request);
            throw error;
          });
          if (request.actor.kind === "user" && isAdminOnly(operation.security))
            request.actor = { ...request.actor, forPlatform: true };
          refuseOtherContentTypes(operation.bodyTypes, request.headers["content-type"]);
          if (!operation.requiresBody) ignoreTypeOfEmptyBody(request);
          const bytes = declaredBodyBytes(request, operation.bodyLimit);
          request.releaseBodyBudget = bodyBudget.reserve(budgetKeyOf(request.actor, request.ip), bytes);
          reply.raw.once("close", request.releaseBodyBudget);
          if (operation.followsEvents) reply.raw.once("close", eventStreams.open(streamOwnerOf(request)));
        },
        handler: async (request: FastifyRequest, reply: FastifyReply) => {
          request.releaseBodyBudget();
          // Schemas are tied to content types, so a request without body and content type is not validated.
          if (operation.requiresBody && (request.body === undefined || request.body === null))
            throw errors.invalidRequest("A body is required.");
          if (!handler) throw notImplemented(operationId);
          reply.code(operation.successStatus);
          const { params, body, actor } = request;
          const query = request.routeOptions.schema?.querystring ? request.query : undefined;
          const run = () => handler({ path: params, query, body, actor, request, reply });
          const answer = await idempotency
            .runOnce(operation, { actor, request, reply, body }, run)
            .catch((error: unknown) => {
              recordDenial(toHandlerDenial(error, actor), request);
              throw error;
            });
          return answer ?? (reply.sent ? reply : reply.send());
        },
      };
      return routeOptions as RouteOptions; // the plugin adds method and URL
    },
  });
}

/**
 * Returns a copy of the document for the plugin, which modifies it. It has no text and file types, for which the plugin
 * would require body parsers; no error responses, since only `renderError` writes errors; and no descriptions and other
 * parts that the plugin does not use, so that each start has half as much to check and resolve.
 */
function toPluginSpecification(document: Contract["document"]): object {
  const drop = (name: string, value: unknown) => {
    if (name === "description" && typeof value === "string") return ""; // responses must have one
    return UNREAD.test(name) ? undefined : value;
  };
  return JSON.parse(JSON.stringify(document, drop)) as object;
}

/** Matches content types of texts and files, error responses, examples, and extensions but the one that validation reads. */
const UNREAD = /^(?:text\/[a-z-]+|application\/octet-stream|[45]\d\d|x-(?!pattern-message$)[a-z-]+|examples?)$/;

/** Security schemes of credentials that identify no user. Handlers check them. */
const HANDLER_SCHEMES = ["client", "pod"];

/**
 * Returns whether a call authenticates the caller. Public calls ignore credentials, even invalid ones. For calls of OAuth
 * clients and of pods, the handler checks the secret.
 */
function usesCredential(security: ContractOperation["security"]): boolean {
  return (
    security.length > 0 && !security.some((alternative) => HANDLER_SCHEMES.some((scheme) => scheme in alternative))
  );
}

/** Returns whether all anonymous callers get the same response: public catalogue, settings and descriptions. */
function isPublicRead({ method, path, security }: ContractOperation): boolean {
  const isCatalogue = allowsAnonymous(security) && /^\/(feather|v1)\//.test(path);
  return method === "GET" && (isCatalogue || security.length === 0) && !path.startsWith("/test-payments/");
}

function userIdOf(actor: Actor): string | undefined {
  return actor.kind === "user" ? actor.userId : undefined;
}

/** Throws 401 if the credential now belongs to another kind of user or another organization than at the start of the call. */
function refuseOtherActor(before: Actor, now: Actor): void {
  if (before.kind !== now.kind) throw errors.unauthorized();
  if (before.kind === "user" && now.kind === "user" && before.organizationId !== now.organizationId)
    throw errors.unauthorized();
}

/** Counts a request against the limits of its operation. Throws 429 `rate_limit_exceeded`. */
async function consumeRateLimits(
  rateLimiter: RateLimiter,
  operation: ContractOperation,
  { actor, ip }: FastifyRequest,
): Promise<void> {
  if (isAnonymousWrite(operation, actor)) await rateLimiter.consume("visitorWrite", ip);
  if (operation.rateLimit !== null) await rateLimiter.consume(operation.rateLimit, ip, userIdOf(actor));
}

/** Returns whether an anonymous caller sends a body. */
function isAnonymousWrite({ bodyTypes }: ContractOperation, actor: Actor): boolean {
  return bodyTypes.length > 0 && actor.kind === "anonymous" && actor.deploymentToken === undefined;
}

/** Throws 415 for a content type that the contract lacks, since such a body would reach the handler unvalidated. */
function refuseOtherContentTypes(bodyTypes: readonly string[], contentType: string | undefined): void {
  const type = contentType?.split(";")[0]?.trim().toLowerCase();
  if (type === undefined || bodyTypes.length === 0 || bodyTypes.includes(type)) return;
  throw unsupportedMediaType(`Send the body as ${bodyTypes.join(" or ")}, and say so in the header content-type.`);
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
