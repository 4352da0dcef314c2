import type { FastifyRequest } from "fastify";
import { type Actor, ANONYMOUS, checkAccess, checkRequirements, isAdminOnly } from "../platform/core/auth/actor.ts";
import { bind } from "../platform/core/bind.ts";
import { errors } from "../platform/core/errors/index.ts";
import type { RateLimiter } from "../platform/core/http/rate-limits.ts";
import type { ReceivedRequest, RequestAuthenticator } from "./authenticate.ts";
import { type BodyBudget, budgetKeyOf, declaredBodyBytes } from "./bodies/body-budget.ts";
import type { ContractOperation } from "./contract.ts";
import { type Denial, type DeniedCall, toAccessDenial, toHandlerDenial, toRateDenial } from "./denials.ts";
import { unsupportedMediaType } from "./framework-errors.ts";

type Deps = {
  authenticator: RequestAuthenticator;
  rateLimiter: RateLimiter;
  bodyBudget: BodyBudget;
  /** Records refused calls with a known credential, and calls above a rate limit. */
  denialLog: { record(denial: DeniedCall): void };
};

/** Decides whether a call is let in, before its body is read. */
export type Admission = ReturnType<typeof createAdmission>;

/** Creates the admission of calls, which Fastify and the calls to models share. */
export function createAdmission(deps: Deps) {
  return bind(deps, { identify, recheck, countCall, reserveBody, recordHandlerDenial });
}

/** Returns the caller, whose credential may make the call. Throws 401, 403 or 404, and records who was refused. */
async function identify(deps: Deps, operation: ContractOperation, request: ReceivedRequest): Promise<Actor> {
  if (!usesCredential(operation.security)) return ANONYMOUS;
  let caller: Actor = ANONYMOUS;
  try {
    caller = await deps.authenticator.authenticate(request);
    const actor = checkAccess(operation.security, caller);
    checkRequirements(operation, actor);
    return actor;
  } catch (error) {
    recordDenial(deps, operation, toAccessDenial(error, caller), request);
    throw error;
  }
}

/** Throws if the caller's credential is no longer valid for the call, or belongs to somebody else by now. */
async function recheck(
  { authenticator }: Deps,
  operation: ContractOperation,
  request: ReceivedRequest,
  before: Actor,
): Promise<void> {
  const now = checkAccess(operation.security, await authenticator.authenticateAgain(request));
  checkRequirements(operation, now);
  refuseOtherActor(before, now);
}

/**
 * Counts a call against the limits of its operation. Throws 429 `rate_limit_exceeded`. Returns the caller as the handler
 * gets it.
 */
async function countCall(
  deps: Deps,
  operation: ContractOperation,
  actor: Actor,
  request: ReceivedRequest,
): Promise<Actor> {
  await consumeRateLimits(deps.rateLimiter, operation, actor, request.ip).catch((error: unknown) => {
    recordDenial(deps, operation, toRateDenial(error, actor), request);
    throw error;
  });
  return actor.kind === "user" && isAdminOnly(operation.security) ? { ...actor, forPlatform: true } : actor;
}

/**
 * Reserves the bytes of the body in the caller's budget. Returns the release function, which may be called more than once.
 * Throws 415 for a content type that the operation does not accept, and 429 above the budget.
 */
function reserveBody(
  { bodyBudget }: Deps,
  operation: ContractOperation,
  actor: Actor,
  request: Pick<FastifyRequest, "headers" | "ip">,
): () => void {
  refuseOtherContentTypes(operation.bodyTypes, request.headers["content-type"]);
  const bytes = declaredBodyBytes(request, operation.bodyLimit);
  return bodyBudget.reserve(budgetKeyOf(actor, request.ip), bytes);
}

/** Records that a handler has denied access, if the error says so. */
function recordHandlerDenial(
  deps: Deps,
  operation: ContractOperation,
  { error, actor }: { error: unknown; actor: Actor },
  request: Pick<ReceivedRequest, "id" | "ip">,
): void {
  recordDenial(deps, operation, toHandlerDenial(error, actor), request);
}

function recordDenial(
  { denialLog }: Deps,
  { operationId }: ContractOperation,
  denial: Denial | null,
  { id, ip }: Pick<ReceivedRequest, "id" | "ip">,
): void {
  if (denial) denialLog.record({ ...denial, ip, operation: operationId, requestId: id });
}

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

function userIdOf(actor: Actor): string | undefined {
  return actor.kind === "user" ? actor.userId : undefined;
}

/** Throws 401 if the credential now belongs to another kind of user or another organization than at the start of the call. */
function refuseOtherActor(before: Actor, now: Actor): void {
  if (before.kind !== now.kind) throw errors.unauthorized();
  if (before.kind === "user" && now.kind === "user" && before.organizationId !== now.organizationId)
    throw errors.unauthorized();
}

async function consumeRateLimits(
  rateLimiter: RateLimiter,
  operation: ContractOperation,
  actor: Actor,
  ip: string,
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
