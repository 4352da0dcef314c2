import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyBaseLogger } from "fastify";
import { checkAccess, checkRequirements, type SignedInActor } from "../platform/core/auth/actor.ts";
import { renderError } from "../platform/core/errors/envelopes.ts";
import type { AppError } from "../platform/core/errors/index.ts";
import type { Exchange, ResponseHeaders } from "../platform/core/http/exchange.ts";
import { toJsonText } from "../platform/core/http/json-text.ts";
import { inNetworks } from "../platform/core/network/ip-allowlist.ts";
import type { Tracing } from "../platform/core/tracing.ts";
import type { BodyBudget } from "./bodies/body-budget.ts";
import { parseJsonBody } from "./bodies/json-body.ts";
import { refuseTooManyHeaders } from "./connections/connections.ts";
import type { ContractOperation } from "./contract.ts";
import { type DeniedCall, toHandlerDenial } from "./denials.ts";
import type { ReportError } from "./error-report.ts";
import { refuseRepeatedHeaders } from "./headers/repeated-headers.ts";
import { type RecordRequest, statusOf } from "./request-record.ts";
import { type Validate, validationError } from "./validation.ts";

/** A call to a model that can be answered without Fastify. */
export type DirectOperation = {
  operation: ContractOperation;
  /** The names of the request headers that the contract declares for it. */
  headerNames: readonly string[];
  validateBody: Validate;
  run(actor: SignedInActor, exchange: Exchange): Promise<void>;
};

type Deps = {
  /** The operations by URL, in the canonical form and at the root. */
  operations: ReadonlyMap<string, DirectOperation>;
  /** Returns the holder of an API key that was read from the database within the last second; null for any other key. */
  findCachedKey(secret: string): SignedInActor | null;
  /** Throws 421 for a foreign host name. */
  checkHost(request: Pick<IncomingMessage, "headers">): void;
  /** Returns the address of the caller, behind trusted proxies too. */
  addressOf(request: IncomingMessage): string;
  isDraining(): boolean;
  /** Returns whether new work is refused. Fastify then responds. */
  isOverloaded(): boolean;
  bodyBudget: BodyBudget;
  nextId(): string;
  /** Headers of every response of the API. */
  commonHeaders: ResponseHeaders;
  denialLog: { record(denial: DeniedCall): void };
  reportError: ReportError;
  /** Called when a call has ended. */
  recordRequest: RecordRequest;
  /** Null without tracing. */
  tracing: Tracing | null;
  log: FastifyBaseLogger;
};
/** Answers a request and returns true, or returns false and leaves the request unchanged. */
export type DirectCalls = (request: IncomingMessage, response: ServerResponse) => boolean;
type AdmittedCall = DirectOperation & { actor: SignedInActor; bytes: number; releaseBodyBudget(): void };

/** Request headers because of which a call is handled by Fastify: other credentials, encodings and sites. */
const UNUSUAL_HEADERS = ["cookie", "x-api-key", "origin", "transfer-encoding", "content-encoding", "expect"];
const JSON_TYPE = /^application\/json(?:;|$)/;

/**
 * Creates the handler that answers frequent calls to models without Fastify, which would cost more than the call itself:
 * calls with an API key that was used within the last second and may make the call, and with a body of known size. It
 * returns false for every other request, which Fastify then answers or refuses. Responses and errors are the same as with
 * Fastify.
 */
export function createDirectCalls(deps: Deps): DirectCalls {
  return (request, response) => {
    const direct = deps.operations.get(request.url ?? "");
    if (direct === undefined || request.method !== "POST") return false;
    const call = admit(deps, direct, request);
    if (call === null) return false;
    void answer(deps, call, request, response);
    return true;
  };
}

/** Returns the call if it may be made. Null leaves the request to Fastify, which finds out whether it is wrong or unusual. */
function admit(deps: Deps, direct: DirectOperation, request: IncomingMessage): AdmittedCall | null {
  const { headers } = request;
  const bytes = Number(headers["content-length"]);
  const secret = bearerKeyOf(headers.authorization);
  if (
    secret === null ||
    !(bytes > 0 && bytes <= direct.operation.bodyLimit) ||
    deps.isDraining() ||
    deps.isOverloaded()
  )
    return null;
  if (!JSON_TYPE.test(headers["content-type"] ?? "")) return null;
  if (UNUSUAL_HEADERS.some((name) => name in headers) || direct.headerNames.some((name) => name in headers))
    return null;
  const actor = deps.findCachedKey(secret);
  if (actor === null || !isAllowedAddress(deps, actor, request)) return null;
  try {
    refuseTooManyHeaders(request);
    refuseRepeatedHeaders(request);
    deps.checkHost(request);
    checkAccess(direct.operation.security, actor);
    checkRequirements(direct.operation, actor);
    return { ...direct, actor, bytes, releaseBodyBudget: deps.bodyBudget.reserve(actor.organizationId, bytes) };
  } catch {
    return null;
  }
}

function bearerKeyOf(authorization: string | undefined): string | null {
  return authorization?.startsWith("Bearer rc_") ? authorization.slice("Bearer ".length) : null;
}

function isAllowedAddress(deps: Deps, { credential }: SignedInActor, request: IncomingMessage): boolean {
  if (credential.type !== "key") return false;
  const { ipAllowlist } = credential.limits;
  return ipAllowlist.length === 0 || inNetworks(deps.addressOf(request), ipAllowlist);
}

async function answer(
  deps: Deps,
  call: AdmittedCall,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { operation, actor, bytes } = call;
  const id = deps.nextId();
  const responseHeaders: ResponseHeaders = { ...deps.commonHeaders, "request-id": id, "x-request-id": id };
  const startedAt = performance.now();
  const span = deps.tracing?.startRequest("POST", `/api${operation.path}`, request.headers) ?? null;
  try {
    const text = await readBody(request, bytes).finally(call.releaseBodyBudget);
    // Without a text, the caller has disconnected.
    if (text !== null) {
      const body = parseBody(call, text);
      const { headers } = request;
      await call.run(actor, { id, headers, body, bodyBytes: bytes, response, responseHeaders, log: deps.log, span });
    }
  } catch (error) {
    const denial = toHandlerDenial(error, actor);
    if (denial !== null)
      deps.denialLog.record({
        ...denial,
        ip: deps.addressOf(request),
        operation: operation.operationId,
        requestId: id,
      });
    const appError = deps.reportError(error, {
      id,
      url: `/api${operation.path}`,
      bodyLimit: operation.bodyLimit,
      actor,
      log: deps.log,
    });
    sendError(response, responseHeaders, appError, `/api${operation.path}`, id);
  }
  deps.recordRequest(operation.operationId, { id, actor, status: statusOf(response), startedAt, isTimed: false, span });
}

/** Returns the body as text; null if the caller disconnects before its end. */
function readBody(request: IncomingMessage, bytes: number): Promise<string | null> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const [first] = parts;
      resolve((parts.length === 1 && first ? first : Buffer.concat(parts, bytes)).toString("utf8"));
    });
    request.on("close", () => resolve(null));
  });
}

/** Returns the body. Throws `invalid_json`, and `invalid_request` if it is too complex or invalid by the contract. */
function parseBody({ validateBody }: DirectOperation, text: string): unknown {
  const body = parseJsonBody(text);
  if (validateBody(body)) return body;
  throw validationError(validateBody.errors ?? [], "body");
}

function sendError(
  response: ServerResponse,
  responseHeaders: ResponseHeaders,
  error: AppError,
  path: string,
  requestId: string,
): void {
  if (response.headersSent) return void response.destroy(); // the answer has begun, so only its end can tell
  const text = toJsonText(renderError(error, path, requestId));
  response.writeHead(error.status, {
    ...responseHeaders,
    ...error.headers,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}
