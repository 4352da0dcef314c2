import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { isChangedMeanwhile, isTransient } from "./db/errors.ts";
import type { Dependencies } from "./dependencies.ts";
import { createRequestAuthenticator } from "./http/authenticate.ts";
import { bindContract } from "./http/bind.ts";
import { canonicalUrl } from "./http/canonical-url.ts";
import { allowOtherSites, answerCorsQuestions } from "./http/cors.ts";
import { renderError } from "./http/error-envelopes.ts";
import { warnOfUntrustedProxy } from "./http/forwarded-warning.ts";
import { checkResponses } from "./http/response-check.ts";
import { createSecurityHeaders } from "./http/security-headers.ts";
import { createValidators, validationError } from "./http/validation.ts";
import { handlersOf } from "./routes.ts";
import { AppError, invalidRequest, notFound } from "./shared/errors.ts";
import { serveSite } from "./site/serve-site.ts";
import { createSiteRepository } from "./site/site.repository.ts";

const BODY_LIMIT = 16 * 1024 * 1024;
/** PostgreSQL's code for text that it cannot store. */
const NUL_IN_TEXT = "22021";
const BAD_ADDRESS = "/api/-bad-address";

/** The whole platform behind one address. Everything it works with comes in as `deps`. */
export async function createServer(deps: Dependencies, handlers = handlersOf(deps)): Promise<FastifyInstance> {
  const validators = createValidators();
  const securityHeaders = createSecurityHeaders({
    publicUrl: deps.publicUrl,
    analyticsHost: deps.system.analytics?.host,
  });
  const loggerInstance: FastifyBaseLogger = deps.log;
  const app = Fastify({
    loggerInstance,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    requestIdHeader: false,
    genReqId: () => deps.ids.next("req"),
    rewriteUrl: (request) => rewrite(request.url ?? "/"),
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: true },
    trustProxy: deps.settings.FEATHER_TRUSTED_PROXIES ?? false,
    connectionTimeout: 0,
    requestTimeout: 30_000, // to receive a whole request; answers may take as long as they like
    keepAliveTimeout: 65_000,
    forceCloseConnections: "idle",
    // Addresses that cannot be read come to no route, and so past the hooks of all.
    frameworkErrors: (error, request, reply) => {
      void reply.headers(securityHeaders(request.url)).header("request-id", request.id);
      void sendError(toAppError(error), request, reply);
    },
  });

  app.setValidatorCompiler(({ schema, httpPart }) => validators.forRequest(schema as object, httpPart));
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = toAppError(error);
    if (known.code === "changed_meanwhile")
      request.log.warn({ err: error, request_id: request.id, url: request.routeOptions.url }, "two calls at once");
    if (known.status >= 500)
      request.log.error({ err: error, request_id: request.id, url: request.routeOptions.url }, "request failed");
    return sendError(known, request, reply);
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(securityHeaders(request.url)).header("request-id", request.id).header("x-request-id", request.id);
    allowOtherSites(request, reply);
  });
  warnOfUntrustedProxy(app, deps.settings.FEATHER_TRUSTED_PROXIES, deps.log);
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) => {
    const fields = [...new URLSearchParams(String(body))];
    const twice = fields.find(([name], index) => fields.findIndex(([other]) => other === name) !== index);
    if (twice) done(invalidRequest(`${twice[0]} is sent more than once.`, { param: twice[0] }));
    else done(null, Object.fromEntries(fields));
  });

  await app.register(cookie);
  await app.register(compress, { global: true, threshold: 1024, encodings: ["br", "gzip"] });
  if (deps.checkResponses) checkResponses(app, validators.forResponse);
  await bindContract(app, {
    contract: deps.contract,
    handlers,
    idempotency: deps.idempotency,
    authenticate: createRequestAuthenticator(deps.authenticator, deps.audit),
  });
  answerCorsQuestions(app);
  await serveSite(app, {
    folder: deps.siteFolder,
    productName: deps.settings.FEATHER_PRODUCT_NAME,
    publicUrl: deps.publicUrl,
    rows: createSiteRepository(deps.db),
  });
  return app;
}

/** Addresses without an honest reading go to a route that does not exist, and are answered as such. */
function rewrite(url: string): string {
  try {
    return canonicalUrl(url);
  } catch {
    return url.startsWith("/v1/") || url.startsWith("/api/v1/") ? "/api/v1/-bad-address" : BAD_ADDRESS;
  }
}

function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply) {
  return reply
    .code(error.status)
    .headers(error.headers)
    .type("application/json")
    .send(JSON.stringify(renderError(error, request.url, request.id)));
}

/** Two calls at once where the database, and no check before it, kept the second from breaking a rule. */
function changedMeanwhile(cause: unknown): AppError {
  return new AppError(
    409,
    "changed_meanwhile",
    "What this is about was changed or deleted at the same time. Look at it again, and try once more.",
    { cause },
  );
}

function toAppError(error: FastifyError): AppError {
  if (error instanceof AppError) return error;
  if (error.validation) return validationError(error.validation, error.validationContext);
  switch (error.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new AppError(413, "payload_too_large", `The body may hold at most ${BODY_LIMIT} bytes.`, {
        details: { max: BODY_LIMIT },
      });
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new AppError(
        415,
        "unsupported_media_type",
        "Send the body as JSON, with the header content-type: application/json.",
      );
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
    case "FST_ERR_CTP_INVALID_JSON_BODY":
      return new AppError(400, "invalid_json", "The body is not valid JSON.");
    case NUL_IN_TEXT:
      return new AppError(400, "invalid_request", "The request holds a NUL character, which no text here may hold.");
    case "FST_ERR_NOT_FOUND":
      return notFound();
    default:
      if (isTransient(error) || isChangedMeanwhile(error)) return changedMeanwhile(error);
      if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
        return new AppError(error.statusCode, "invalid_request", error.message);
      return new AppError(
        500,
        "internal_error",
        "Something went wrong on the server. The request id helps to find it in the log.",
        { cause: error },
      );
  }
}
