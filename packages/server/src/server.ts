import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import type { Dependencies } from "./dependencies.ts";
import { createRequestAuthenticator } from "./http/authenticate.ts";
import { bindContract } from "./http/bind.ts";
import { createBodyBudget } from "./http/body-budget.ts";
import { canonicalUrl } from "./http/canonical-url.ts";
import { DEFAULT_BODY_LIMIT_BYTES } from "./http/contract.ts";
import { allowOtherSites, answerCorsQuestions } from "./http/cors.ts";
import { isOpenAIPath, renderError } from "./http/error-envelopes.ts";
import { addFormParser } from "./http/form-body.ts";
import { warnOfUntrustedProxy } from "./http/forwarded-warning.ts";
import { toAppError, unsupportedMediaType } from "./http/framework-errors.ts";
import { createHostCheck } from "./http/host-check.ts";
import { checkResponses } from "./http/response-check.ts";
import { createSecurityHeaders } from "./http/security-headers.ts";
import { createValidators } from "./http/validation.ts";
import { handlersOf } from "./routes.ts";
import { AppError } from "./shared/errors.ts";
import { serveSite } from "./site/serve-site.ts";
import { createSiteRepository } from "./site/site.repository.ts";

/** Methods that any route accepts. */
const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"];
const BAD_ADDRESS = "/api/-bad-address";

/** Creates the Fastify server with the API and the site. */
export async function createServer(deps: Dependencies, handlers = handlersOf(deps)): Promise<FastifyInstance> {
  const validators = createValidators();
  const securityHeaders = createSecurityHeaders({
    publicUrl: deps.publicUrl,
    analyticsHost: deps.system.analytics?.host,
  });
  const checkHost = createHostCheck({ listensOn: deps.settings.FEATHER_HOST, publicUrl: deps.publicUrl });
  const loggerInstance: FastifyBaseLogger = deps.log;
  const app = Fastify({
    loggerInstance,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: DEFAULT_BODY_LIMIT_BYTES,
    requestIdHeader: false,
    genReqId: () => deps.ids.next("req"),
    rewriteUrl: (request) => rewrite(request.url ?? "/"),
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: true },
    trustProxy: deps.settings.FEATHER_TRUSTED_PROXIES ?? false,
    connectionTimeout: 0,
    requestTimeout: 30_000, // for receiving a request; responses have no limit
    keepAliveTimeout: 65_000,
    forceCloseConnections: "idle",
    // Malformed URLs reach no route, so no hook runs for them.
    frameworkErrors: (error, request, reply) => {
      void reply.headers(securityHeaders(request.url)).header("request-id", request.id);
      void sendError(toAppError(error, request), request, reply);
    },
  });

  app.setValidatorCompiler(({ schema, httpPart }) => validators.forRequest(schema as object, httpPart));
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = toAppError(error, request);
    if (known.code === "changed_meanwhile")
      request.log.warn({ err: error, request_id: request.id, url: request.routeOptions.url }, "two calls at once");
    const where = { request_id: request.id, url: request.routeOptions.url };
    if (known.code === "storage_unavailable") {
      deps.storageHealth.failed();
      request.log.warn({ ...where, code: known.code, reason: error.message }, known.message);
    } else if (isForeseen(error, known)) request.log.info({ ...where, code: known.code }, known.message);
    else if (known.status >= 500) request.log.error({ err: error, ...where }, "request failed");
    return sendError(known, request, reply);
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(securityHeaders(request.url)).header("request-id", request.id).header("x-request-id", request.id);
    checkHost(request);
    allowOtherSites(request, reply);
    refuseUnknownMethod(request);
    refuseCompressedBody(request);
  });
  warnOfUntrustedProxy(app, deps.settings.FEATHER_TRUSTED_PROXIES, deps.log);
  addFormParser(app);

  await app.register(cookie);
  await app.register(compress, {
    global: true,
    threshold: 1024,
    encodings: ["br", "gzip"],
    globalDecompression: false,
  });
  if (deps.checkResponses) checkResponses(app, validators.forResponse);
  await bindContract(app, {
    contract: deps.contract,
    handlers,
    idempotency: deps.idempotency,
    ...createRequestAuthenticator(deps.authenticator, deps.audit, deps.publicUrl),
    limits: deps.limits,
    bodies: createBodyBudget(),
    denials: deps.denials,
  });
  answerCorsQuestions(app, deps.contract);
  await serveSite(app, {
    folder: deps.siteFolder,
    productName: deps.settings.FEATHER_PRODUCT_NAME,
    publicUrl: deps.publicUrl,
    rows: createSiteRepository(deps.db),
    rulesFor: deps.rulesFor,
    authenticator: deps.authenticator,
  });
  return app;
}

/** For some methods that no route accepts, Fastify would require a content type. */
function refuseUnknownMethod({ method }: FastifyRequest): void {
  if (METHODS.includes(method)) return;
  throw new AppError(405, "invalid_request", `Nothing here takes the method ${method}.`, {
    headers: { allow: METHODS.join(", ") },
  });
}

/** Prevents decompression bombs; no client needs to compress its requests. */
function refuseCompressedBody({ headers }: FastifyRequest): void {
  const encoding = headers["content-encoding"];
  if (encoding === undefined || encoding.toLowerCase() === "identity") return;
  throw unsupportedMediaType("Send the body as it is, without the header content-encoding.");
}

/** Whether an error is an expected 503, such as a model that is being loaded, rather than a fault of the server. */
function isForeseen(error: unknown, known: AppError): boolean {
  return error === known && known.status === 503 && known.cause === undefined;
}

/** Ambiguous URLs are sent to a route that does not exist, which returns 404. */
function rewrite(url: string): string {
  try {
    return canonicalUrl(url);
  } catch {
    return isOpenAIPath(url.split("?")[0] ?? "") ? "/api/v1/-bad-address" : BAD_ADDRESS;
  }
}

function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply) {
  return reply
    .code(error.status)
    .headers(error.headers)
    .type("application/json")
    .send(JSON.stringify(renderError(error, request.url, request.id)));
}
