import type { IncomingMessage, ServerResponse } from "node:http";
import { fastifyCookie } from "@fastify/cookie";
import type { FastifyBaseLogger } from "fastify";
import { type Actor, ANONYMOUS } from "../../platform/core/auth/actor.ts";
import { renderError } from "../../platform/core/errors/envelopes.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { Exchange, ResponseHeaders } from "../../platform/core/http/exchange.ts";
import { toJsonText } from "../../platform/core/http/json-text.ts";
import type { Span, Tracing } from "../../platform/core/tracing.ts";
import type { Admission } from "../admission.ts";
import type { ReceivedRequest } from "../authenticate.ts";
import type { CallerAddress } from "../caller-address.ts";
import type { EarlyAnswers } from "../connections/early-answers.ts";
import type { ReportError } from "../error-report.ts";
import { corsHeadersFor } from "../headers/cors.ts";
import type { RequestCheck } from "../request-checks.ts";
import { type RecordRequest, statusOf } from "../request-record.ts";
import { validationError } from "../validation.ts";
import { parseCallBody, receiveBody } from "./call-body.ts";
import { parseForm, receiveForm } from "./call-form.ts";
import type { CallRoute, CallRoutes, FoundCall } from "./call-routes.ts";

type Deps = {
  routes: CallRoutes;
  /** Returns the canonical URL of a request. Throws `invalid_request` for an ambiguous one. */
  toCanonicalUrl(request: IncomingMessage): string;
  checkRequest: RequestCheck;
  admission: Admission;
  callers: CallerAddress;
  /** Forwards a request to another replica before this one handles it; null if it must be handled here. */
  forward(operationId: string, request: IncomingMessage, response: ServerResponse): Promise<void> | null;
  earlyAnswers: Pick<EarlyAnswers, "prepare">;
  lifecycle: { readonly draining: boolean };
  nextId(): string;
  /** Headers of every response of the API. */
  commonHeaders: ResponseHeaders;
  reportError: ReportError;
  /** Called when a call has ended. */
  recordRequest: RecordRequest;
  /** Null without tracing. */
  tracing: Tracing | null;
  log: FastifyBaseLogger;
};

/** A call that is being answered. */
type RunningCall = FoundCall & {
  received: ReceivedRequest;
  request: IncomingMessage;
  response: ServerResponse;
  responseHeaders: ResponseHeaders;
  startedAt: number;
  /** The caller, once it is known. */
  actor: Actor | undefined;
  span: Span | null;
};

/** Answers a request and returns true, or returns false and leaves the request to others. */
export type AnswerCall = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Creates the listener that answers the calls to models, with each kind of credential. It does so without Fastify, which
 * would cost more than the call itself. It returns false for every other request.
 */
export function createAnswerCall(deps: Deps): AnswerCall {
  return (request, response) => {
    if (request.method !== "POST") return false;
    const found = findCall(deps, request);
    if (found === null) return false;
    void answer(deps, openCall(deps, found, request, response));
    return true;
  };
}

/** Other addresses are no calls, however they are written. */
const MAY_BE_CALL = /\/(v1|collections)\//;

/** Returns the call at a URL; null for any other URL, and for one that cannot be understood. */
function findCall({ routes, toCanonicalUrl }: Deps, request: IncomingMessage): FoundCall | null {
  const { url = "" } = request;
  const found = routes.findExact(url);
  if (found !== null || !MAY_BE_CALL.test(url)) return found;
  try {
    return routes.findCanonical(toCanonicalUrl(request));
  } catch {
    return null; // Fastify says what is wrong with it
  }
}

function openCall(deps: Deps, found: FoundCall, request: IncomingMessage, response: ServerResponse): RunningCall {
  const id = deps.nextId();
  const { headers } = request;
  return {
    ...found,
    received: toReceivedRequest(deps.callers, found.route, request, id),
    request,
    response,
    responseHeaders: {
      ...deps.commonHeaders,
      "request-id": id,
      "x-request-id": id,
      ...(deps.lifecycle.draining && { connection: "close" }),
      ...corsHeadersFor(headers),
    },
    startedAt: performance.now(),
    actor: undefined,
    span: null,
  };
}

function toReceivedRequest(
  callers: CallerAddress,
  { operation }: CallRoute,
  request: IncomingMessage,
  id: string,
): ReceivedRequest {
  const { headers, method = "", url = "" } = request;
  const query = url.includes("?") ? Object.fromEntries(new URLSearchParams(url.slice(url.indexOf("?")))) : {};
  return {
    id,
    ip: callers.addressOf(request),
    method,
    headers,
    cookies: headers.cookie === undefined ? {} : fastifyCookie.parse(headers.cookie),
    query,
    protocol: callers.protocolOf(request),
    routeOptions: { url: `/api${operation.path}` },
  };
}

async function answer(deps: Deps, call: RunningCall): Promise<void> {
  const { route, request, response, received } = call;
  try {
    deps.checkRequest(received.routeOptions.url ?? "", request);
    const forwarded = deps.forward(route.operation.operationId, request, response);
    if (forwarded !== null) return await forwarded;
    await runCall(deps, call);
  } catch (error) {
    const { operation } = route;
    const { id } = received;
    const url = `/api${operation.path}`;
    const { bodyLimit } = operation;
    const acceptLanguage = request.headers["accept-language"];
    const failed = { id, url, bodyLimit, actor: call.actor, acceptLanguage, log: deps.log };
    sendError(deps, call, deps.reportError(error, failed));
  }
  const { id } = received;
  const { actor, startedAt, span } = call;
  deps.recordRequest(route.operation.operationId, {
    id,
    actor,
    status: statusOf(response),
    startedAt,
    isTimed: false,
    span,
  });
}

/** Lets a call in, receives its body, and runs it. Throws the error for the caller if the response has not begun. */
async function runCall({ admission, tracing, log }: Deps, call: RunningCall): Promise<void> {
  const { route, path, received, request, response, responseHeaders } = call;
  const { operation, handler } = route;
  const { id, headers } = received;
  call.span = tracing?.startRequest("POST", `/api${operation.path}`, headers) ?? null;
  call.actor = await admission.identify(operation, received);
  call.actor = await admission.countCall(operation, call.actor, received);
  const release = admission.reserveBody(operation, call.actor, received);
  try {
    const sent = await (route.takesForm ? receiveForm : receiveBody)(request, operation.bodyLimit);
    if (sent === null) return; // the caller has disconnected
    if (!route.takesForm) release(); // a file is in memory until the call ends
    const body =
      "text" in sent
        ? parseCallBody(sent.text, headers["content-type"], route.validateBody)
        : parseForm(sent, route.validateBody);
    validateParameters(call);
    const { span } = call;
    const exchange: Exchange = { id, headers, body, bodyBytes: sent.bytes, response, responseHeaders, log, span };
    if (handler === undefined) throw errors.notImplemented({ operationId: operation.operationId });
    await handler({ path, actor: call.actor, body, exchange }).catch((error: unknown) => {
      admission.recordHandlerDenial(operation, { error, actor: call.actor ?? ANONYMOUS }, received);
      throw error;
    });
  } finally {
    release();
  }
}

/** Throws `invalid_request` for a parameter in the path or a header that is invalid by the contract. */
function validateParameters({ route, path, request: { headers } }: RunningCall): void {
  if (!route.validatePath({ ...path })) throw validationError(route.validatePath.errors ?? [], "params");
  const declared = route.headerNames.filter((name) => headers[name] !== undefined);
  if (declared.length === 0) return;
  const values = Object.fromEntries(declared.map((name) => [name, headers[name]]));
  if (!route.validateHeaders(values)) throw validationError(route.validateHeaders.errors ?? [], "headers");
}

function sendError(
  deps: Deps,
  { route, request, response, responseHeaders, received }: RunningCall,
  error: AppError,
): void {
  if (response.headersSent) return void response.destroy(); // the answer has begun, so only its end can tell
  deps.earlyAnswers.prepare(request, response);
  const text = toJsonText(renderError(error, `/api${route.operation.path}`, received.id));
  response.writeHead(error.status, {
    ...responseHeaders,
    ...error.headers,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}
