import type { IncomingMessage } from "node:http";
import compress, { type FastifyCompressOptions } from "@fastify/compress";
import cookie from "@fastify/cookie";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import type { Bindings, ChildLoggerOptions, Logger } from "pino";
import { createRequestAuthenticator } from "./http/authenticate.ts";
import { bindContract } from "./http/bind.ts";
import { createBodyBudget } from "./http/bodies/body-budget.ts";
import { addFormParser } from "./http/bodies/form-body.ts";
import { addJsonParser } from "./http/bodies/json-body.ts";
import { createAddressReader } from "./http/caller-address.ts";
import { createCanonicalUrl } from "./http/canonical-url.ts";
import { createClientErrorHandler } from "./http/connections/client-errors.ts";
import {
  HTTP_SERVER_OPTIONS,
  KEEP_ALIVE_TIMEOUT_MS,
  limitConnections,
  REQUEST_TIMEOUT_MS,
  refuseTooManyHeaders,
} from "./http/connections/connections.ts";
import { type EarlyAnswers, prepareEarlyAnswers } from "./http/connections/early-answers.ts";
import { continueWhenRead } from "./http/connections/expected-continue.ts";
import { DEFAULT_BODY_LIMIT_BYTES } from "./http/contract.ts";
import { createDirectCalls } from "./http/direct-calls.ts";
import { answerDirectly, collectDirectOperations } from "./http/direct-operations.ts";
import { createErrorReport } from "./http/error-report.ts";
import { toAppError, unsupportedMediaType } from "./http/framework-errors.ts";
import { registerCorsPreflight, setCorsHeaders } from "./http/headers/cors.ts";
import { warnOfUntrustedProxy } from "./http/headers/forwarded-warning.ts";
import { createHostCheck } from "./http/headers/host-check.ts";
import { refuseRepeatedHeaders } from "./http/headers/repeated-headers.ts";
import { createSecurityHeaders } from "./http/headers/security-headers.ts";
import { endJsonWithLineFeed } from "./http/line-feed.ts";
import { createLoadShedder, type LoadShedder, refuseWhenOverloaded } from "./http/load-shedding.ts";
import { createMethodLookup, refuseUnknownMethod } from "./http/methods.ts";
import { serveMetrics } from "./http/metrics-route.ts";
import { recordEndOf } from "./http/request-record.ts";
import { validateResponses } from "./http/response-check.ts";
import { createSerializer } from "./http/serialization.ts";
import { createValidators } from "./http/validation.ts";
import type { Modules } from "./modules.ts";
import { isOpenAIPath, renderError } from "./platform/core/errors/envelopes.ts";
import type { AppError } from "./platform/core/errors/index.ts";
import { toJsonText } from "./platform/core/http/json-text.ts";
import { serveSite } from "./site/serve-site.ts";
import { createSiteRepository } from "./site/site.repository.ts";

const COMPRESSION: FastifyCompressOptions = {
  global: true,
  threshold: 1024,
  encodings: ["br", "gzip"],
  globalDecompression: false,
};
const BAD_URL_PATH = "/api/-bad-address";

/** Creates the Fastify server with the API and the site. It rejects requests while `loadShedder` reports overload. */
export async function createServer(
  platform: Modules,
  handlers = platform.handlers,
  loadShedder: LoadShedder = createLoadShedder(),
): Promise<FastifyInstance> {
  const { settings, publicUrl, contract, log, storageHealth, api, tracing, earlyAnswers } = platform;
  const validators = createValidators();
  const { analyticsKey, analyticsHost } = settings.site;
  const usedAnalyticsHost = analyticsKey === undefined ? undefined : analyticsHost;
  const securityHeaders = createSecurityHeaders({ publicUrl, analyticsHost: usedAnalyticsHost });
  const checkHost = createHostCheck({ listenHost: settings.server.host, publicUrl });
  const findMethods = createMethodLookup(contract);
  const reportError = createErrorReport({
    onStorageFailure: storageHealth.recordFailure,
    traffic: platform.traffic,
    lifecycle: platform.lifecycle,
  });
  const app = createApp(platform, securityHeaders);
  limitConnections(app.server, settings.server.trustedProxies, earlyAnswers);
  continueWhenRead(app.server);
  setCompilers(app, validators);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const { id, actor, log: requestLog, routeOptions } = request;
    return sendError(reportError(error, { id, actor, log: requestLog, ...routeOptions }), request, reply);
  });
  app.addHook("onRequest", async (request, reply) => {
    recordEndOf(request, reply, platform.recordRequest);
    reply.headers({ ...securityHeaders(request.url), ...toHeaders(request.id, platform.lifecycle) });
    refuseWhenOverloaded(loadShedder, request.url);
    refuseTooManyHeaders(request.raw);
    refuseRepeatedHeaders(request.raw);
    checkHost(request);
    setCorsHeaders(request, reply);
    refuseUnknownMethod(request, findMethods);
    refuseCompressedBody(request);
  });
  warnOfUntrustedProxy(app, settings.server.trustedProxies, log);

  const bodyBudget = createBodyBudget();
  const commonHeaders = { ...securityHeaders("/api/v1"), "cache-control": "no-store" };
  const answersDirectly = openDirectCalls(app, platform, {
    validators,
    checkHost,
    bodyBudget,
    reportError,
    commonHeaders,
    isOverloaded: loadShedder.isOverloaded,
  });
  answerDirectly(app.server, answersDirectly);

  await registerPlugins(app, earlyAnswers);
  if (platform.checkResponses) validateResponses(app, validators.forResponse);
  await bindContract(app, {
    contract,
    handlers,
    idempotency: platform.idempotency,
    ...createRequestAuthenticator(api.identity, api.audit, publicUrl),
    rateLimiter: platform.limits,
    bodyBudget,
    eventStreams: platform.eventStreams,
    denialLog: api.audit.denialLog,
    tracing,
    forward: platform.forwarding.forward,
  });
  if (settings.operations.metricsToken !== undefined) serveMetrics(app, api.operations);
  registerCorsPreflight(app, findMethods);
  await serveSite(app, {
    folder: platform.siteFolder,
    productName: platform.productName,
    publicUrl,
    siteRepository: createSiteRepository(platform.db),
    rulesFor: api.routeRules.rulesFor,
    authenticator: api.identity,
  });
  return app;
}

/** Returns Fastify without routes, hooks and error handler. It answers malformed URLs, which reach none of these. */
function createApp(platform: Modules, securityHeaders: ReturnType<typeof createSecurityHeaders>): FastifyInstance {
  const { settings, contract, log, ids, earlyAnswers } = platform;
  const toCanonicalUrl = createCanonicalUrl(contract.modelPaths);
  return Fastify({
    ...createLoggers(log),
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: DEFAULT_BODY_LIMIT_BYTES,
    requestIdHeader: false,
    genReqId: () => ids.next("req"),
    rewriteUrl: (request) => rewriteUrl(request, toCanonicalUrl),
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: true },
    trustProxy: settings.server.trustedProxies ?? false,
    http: HTTP_SERVER_OPTIONS,
    connectionTimeout: 0,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    clientErrorHandler: createClientErrorHandler(earlyAnswers),
    forceCloseConnections: "idle",
    // What a proxy still sends over a connection that it keeps open is answered; the connection ends with it.
    return503OnClosing: false,
    // Malformed URLs reach no route, so no hook runs for them.
    frameworkErrors: (error, request, reply) => {
      void reply.headers(securityHeaders(request.url)).header("request-id", request.id);
      void sendError(toAppError(error, request.routeOptions.bodyLimit), request, reply);
    },
  });
}

/** Returns the loggers of Fastify: its own lines tell what the start says in other words; those of requests keep the level. */
function createLoggers(log: Logger) {
  const loggerInstance: FastifyBaseLogger = log.child({}, { level: log.isLevelEnabled("warn") ? "warn" : log.level });
  const childLoggerFactory = (_: unknown, bindings: Bindings, options: ChildLoggerOptions) =>
    log.child(bindings, options);
  return { loggerInstance, childLoggerFactory };
}

/** Makes Fastify compile the contract's schemas with our own code. */
function setCompilers(app: FastifyInstance, validators: ReturnType<typeof createValidators>): void {
  app.setValidatorCompiler(({ schema, httpPart }) => validators.forRequest(schema as object, httpPart));
  app.setSerializerCompiler<{ oneOf?: readonly object[] }>(({ schema }) => createSerializer(schema));
}

/** Returns the headers of every response. While the server stops, they close the connection. */
function toHeaders(id: string, { draining }: Modules["lifecycle"]): Record<string, string> {
  return { "request-id": id, "x-request-id": id, ...(draining && { connection: "close" }) };
}

type DirectCallPorts = Pick<
  Parameters<typeof createDirectCalls>[0],
  "checkHost" | "bodyBudget" | "reportError" | "commonHeaders" | "isOverloaded"
> & {
  validators: ReturnType<typeof createValidators>;
};

async function registerPlugins(app: FastifyInstance, earlyAnswers: EarlyAnswers): Promise<void> {
  prepareEarlyAnswers(app, earlyAnswers);
  addJsonParser(app);
  await addFormParser(app);
  await app.register(cookie);
  endJsonWithLineFeed(app);
  await app.register(compress, COMPRESSION);
}

/**
 * Creates the direct calls: calls to models that are answered without Fastify. Must be called before the contract is bound.
 */
function openDirectCalls(app: FastifyInstance, platform: Modules, { validators, ...ports }: DirectCallPorts) {
  const { api, contract, settings, lifecycle, ids, log } = platform;
  const operations = collectDirectOperations(app, {
    calls: api.gateway.modelCalls,
    operations: contract.operations,
    compileBody: (schema) => validators.forRequest(schema, "body"),
  });
  return createDirectCalls({
    ...ports,
    operations,
    findCachedKey: api.identity.findCachedKey,
    recordRequest: platform.recordRequest,
    tracing: platform.tracing,
    addressOf: createAddressReader(settings.server.trustedProxies),
    isDraining: () => lifecycle.draining,
    nextId: () => ids.next("req"),
    denialLog: api.audit.denialLog,
    log,
  });
}

/** Prevents decompression bombs; no client needs to compress its requests. */
function refuseCompressedBody({ headers }: FastifyRequest): void {
  const encoding = headers["content-encoding"];
  if (encoding === undefined || encoding.toLowerCase() === "identity") return;
  throw unsupportedMediaType("Send the body as it is, without the header content-encoding.", {
    "accept-encoding": "identity", // by which clients know that a body in another form is taken (RFC 9110, 15.5.16)
  });
}

/** If the request line contains a whole address, its host replaces the header `host` (RFC 9112, 3.2.2). */
function takeHostOfUrl({ url, headers }: IncomingMessage): void {
  const host = /^https?:\/\/([^/?#]*)/i.exec(url ?? "")?.[1];
  if (host !== undefined) headers.host = host;
}

/** Ambiguous URLs are sent to a route that does not exist, which returns 404. */
function rewriteUrl(request: IncomingMessage, toCanonicalUrl: (url: string) => string): string {
  takeHostOfUrl(request);
  const { url = "/" } = request;
  try {
    return toCanonicalUrl(url);
  } catch {
    return isOpenAIPath(url.split("?")[0] ?? "") ? "/api/v1/-bad-address" : BAD_URL_PATH;
  }
}

function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply) {
  return reply
    .code(error.status)
    .headers(error.headers)
    .type("application/json")
    .send(toJsonText(renderError(error, request.url, request.id)));
}
