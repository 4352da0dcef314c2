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
import { ERROR_TRANSLATIONS, translateText } from "./config/translations.ts";
import { createAdmission } from "./http/admission.ts";
import { endJsonWithLineFeed } from "./http/answers/line-feed.ts";
import { validateResponses } from "./http/answers/response-check.ts";
import { createSerializer } from "./http/answers/serialization.ts";
import { createRequestAuthenticator } from "./http/authenticate.ts";
import { bindContract } from "./http/bind.ts";
import { createBodyBudget } from "./http/bodies/body-budget.ts";
import { addFormParser } from "./http/bodies/form-body.ts";
import { addJsonParser, addSnsParser } from "./http/bodies/json-body.ts";
import { createCallerAddress } from "./http/caller-address.ts";
import { type AnswerCall, createAnswerCall } from "./http/calls/answer-calls.ts";
import { createCallRoutes } from "./http/calls/call-routes.ts";
import { createCanonicalUrl } from "./http/canonical-url.ts";
import { createClientErrorHandler } from "./http/connections/client-errors.ts";
import { createHttpServer, limitConnections } from "./http/connections/connections.ts";
import { type EarlyAnswers, prepareEarlyAnswers } from "./http/connections/early-answers.ts";
import { continueWhenRead } from "./http/connections/expected-continue.ts";
import { type Contract, DEFAULT_BODY_LIMIT_BYTES, toGatewayContract } from "./http/contract.ts";
import { createErrorReport } from "./http/error-report.ts";
import { toAppError } from "./http/framework-errors.ts";
import { registerCorsPreflight, setCorsHeaders } from "./http/headers/cors.ts";
import { createProxyWarning } from "./http/headers/forwarded-warning.ts";
import { createHostCheck } from "./http/headers/host-check.ts";
import { createSecurityHeaders } from "./http/headers/security-headers.ts";
import { createLoadShedder, type LoadShedder } from "./http/load-shedding.ts";
import { createMethodLookup, refuseUnknownMethod } from "./http/methods.ts";
import { serveMetrics } from "./http/metrics-route.ts";
import { createRequestCheck } from "./http/request-checks.ts";
import { recordEndOf } from "./http/request-record.ts";
import type { Validators } from "./http/validation.ts";
import type { Modules } from "./modules.ts";
import { isOpenAIPath, renderError } from "./platform/core/errors/envelopes.ts";
import { type AppError, errors } from "./platform/core/errors/index.ts";
import type { Handlers } from "./platform/core/http/handlers.ts";
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

/**
 * Creates the server with the API and the site: calls to models are answered by `http/calls`, everything else by Fastify. It
 * rejects requests while `loadShedder` reports overload.
 */
export async function createServer(
  platform: Modules,
  handlers = platform.handlers,
  loadShedder: LoadShedder = createLoadShedder(),
): Promise<FastifyInstance> {
  const { settings, api, tracing, earlyAnswers } = platform;
  const isGateway = settings.server.role === "gateway";
  const contract = isGateway ? toGatewayContract(platform.contract) : platform.contract;
  const shared = createShared(platform, contract, loadShedder);
  const { validators, securityHeaders, findMethods, admission, reportError } = shared;
  const app = createApp(platform, shared, createCalls(platform, handlers, shared));
  limitConnections(app.server, settings.server.trustedProxies, earlyAnswers);
  continueWhenRead(app.server);
  setCompilers(app, validators);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const { id, actor, headers, log: requestLog, routeOptions } = request;
    const acceptLanguage = headers["accept-language"];
    const reported = reportError(error, { id, actor, acceptLanguage, log: requestLog, ...routeOptions });
    return sendError(reported, request, reply);
  });
  app.addHook("onRequest", async (request, reply) => {
    recordEndOf(request, reply, platform.recordRequest);
    reply.headers({ ...securityHeaders(request.url), ...toHeaders(request.id, platform.lifecycle) });
    setCorsHeaders(request, reply);
    shared.checkRequest(request.url, request.raw);
    refuseUnknownMethod(request, findMethods);
  });

  await registerPlugins(app, earlyAnswers);
  if (platform.checkResponses) validateResponses(app, validators.forResponse);
  bindContract(app, {
    contract,
    handlers,
    admission,
    idempotency: platform.idempotency,
    eventStreams: platform.eventStreams,
    tracing,
    forward: platform.forwarding.forward,
  });
  if (settings.operations.metricsToken !== undefined) serveMetrics(app, api.operations);
  registerCorsPreflight(app, findMethods);
  if (isGateway) refuseOtherRequests(app, platform.publicUrl);
  else await openSite(app, platform);
  return app;
}

function openSite(app: FastifyInstance, { siteFolder: folder, productName, publicUrl, db, api }: Modules) {
  const siteRepository = createSiteRepository(db);
  const { rulesFor } = api.routeRules;
  const { isSharedChat } = api.chats;
  const { listPublished } = api.content;
  return serveSite(app, {
    folder,
    productName,
    publicUrl,
    siteRepository,
    rulesFor,
    isSharedChat,
    listPublished,
    authenticator: api.identity,
  });
}

/** Makes a server that only answers calls to models say so. */
function refuseOtherRequests(app: FastifyInstance, publicUrl: string): void {
  app.setNotFoundHandler(async () => {
    throw errors.notFound(
      `This server only answers calls to models. The site and all other calls are at ${publicUrl}.`,
    );
  });
}

type Shared = ReturnType<typeof createShared>;

/** Creates what Fastify and the calls to models share. */
function createShared(platform: Modules, contract: Contract, loadShedder: LoadShedder) {
  const { settings, publicUrl, log, storageHealth, api } = platform;
  const { analyticsKey, analyticsHost } = settings.site;
  const { trustedProxies, host: listenHost } = settings.server;
  const usedAnalyticsHost = analyticsKey === undefined ? undefined : analyticsHost;
  return {
    validators: platform.validators,
    securityHeaders: createSecurityHeaders({
      publicUrl,
      analyticsHost: usedAnalyticsHost,
      usesStripe: settings.billing.payments === "stripe",
    }),
    findMethods: createMethodLookup(contract),
    toCanonicalUrl: createCanonicalUrl(contract.modelPaths),
    checkRequest: createRequestCheck({
      loadShedder,
      checkHost: createHostCheck({ listenHost, publicUrl }),
      warnOfProxy: createProxyWarning(trustedProxies, log),
    }),
    admission: createAdmission({
      authenticator: createRequestAuthenticator(api.identity, api.audit, publicUrl),
      rateLimiter: platform.limits,
      bodyBudget: createBodyBudget(),
      denialLog: api.audit.denialLog,
    }),
    reportError: createErrorReport({
      onStorageFailure: storageHealth.recordFailure,
      traffic: platform.traffic,
      lifecycle: platform.lifecycle,
      translations: { byCode: ERROR_TRANSLATIONS, translateText },
    }),
  };
}

/** Creates the listener of calls to models. */
function createCalls(platform: Modules, handlers: Handlers, shared: Shared): AnswerCall {
  const { settings, contract, forwarding, earlyAnswers, lifecycle, ids, recordRequest, tracing, log } = platform;
  const { toCanonicalUrl } = shared;
  return createAnswerCall({
    ...shared,
    routes: createCallRoutes(contract, handlers, shared.validators),
    toCanonicalUrl: (request) => canonicalUrlOf(request, toCanonicalUrl),
    callers: createCallerAddress(settings.server.trustedProxies),
    forward: forwarding.forward,
    earlyAnswers,
    lifecycle,
    nextId: () => ids.next("req"),
    commonHeaders: { ...shared.securityHeaders("/api/v1"), "cache-control": "no-store" },
    recordRequest,
    tracing,
    log,
  });
}

/** Returns Fastify without routes, hooks and error handler. It answers malformed URLs, which reach none of these. */
function createApp(
  platform: Modules,
  { securityHeaders, toCanonicalUrl }: Shared,
  answerCall: AnswerCall,
): FastifyInstance {
  const { settings, log, ids, earlyAnswers } = platform;
  return Fastify({
    ...createLoggers(log),
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: DEFAULT_BODY_LIMIT_BYTES,
    requestIdHeader: false,
    genReqId: () => ids.next("req"),
    rewriteUrl: (request) => rewriteUrl(request, toCanonicalUrl),
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: true },
    trustProxy: settings.server.trustedProxies ?? false,
    serverFactory: (handle) =>
      createHttpServer((request, response) => {
        if (!answerCall(request, response)) handle(request, response);
      }),
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
function setCompilers(app: FastifyInstance, validators: Validators): void {
  app.setValidatorCompiler(({ schema, httpPart }) => validators.forRequest(schema as object, httpPart));
  app.setSerializerCompiler<{ oneOf?: readonly object[] }>(({ schema }) => createSerializer(schema));
}

/** Returns the headers of every response. While the server stops, they close the connection. */
function toHeaders(id: string, { draining }: Modules["lifecycle"]): Record<string, string> {
  return { "request-id": id, "x-request-id": id, ...(draining && { connection: "close" }) };
}

async function registerPlugins(app: FastifyInstance, earlyAnswers: EarlyAnswers): Promise<void> {
  prepareEarlyAnswers(app, earlyAnswers);
  addJsonParser(app);
  addSnsParser(app);
  await addFormParser(app);
  await app.register(cookie);
  endJsonWithLineFeed(app);
  await app.register(compress, COMPRESSION);
}

/** If the request line contains a whole address, its host replaces the header `host` (RFC 9112, 3.2.2). */
function takeHostOfUrl({ url, headers }: IncomingMessage): void {
  const host = /^https?:\/\/([^/?#]*)/i.exec(url ?? "")?.[1];
  if (host !== undefined) headers.host = host;
}

/** Returns the canonical URL of a request. Throws `invalid_request` for an ambiguous one. */
function canonicalUrlOf(request: IncomingMessage, toCanonicalUrl: (url: string) => string): string {
  takeHostOfUrl(request);
  return toCanonicalUrl(request.url ?? "/");
}

/** Ambiguous URLs are sent to a route that does not exist, which returns 404. */
function rewriteUrl(request: IncomingMessage, toCanonicalUrl: (url: string) => string): string {
  try {
    return canonicalUrlOf(request, toCanonicalUrl);
  } catch {
    return isOpenAIPath(request.url?.split("?")[0] ?? "") ? "/api/v1/-bad-address" : BAD_URL_PATH;
  }
}

function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply) {
  return reply
    .code(error.status)
    .headers(error.headers)
    .type("application/json")
    .send(toJsonText(renderError(error, request.url, request.id)));
}
