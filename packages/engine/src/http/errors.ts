import type { FastifyError, FastifyInstance } from "fastify";
import { InputTooLongError, UnusableChatError, UnusableTokensError } from "../model/engine-model.ts";
import { ApiError, contextLengthExceeded, internalError, invalidRequest, toErrorBody } from "../openai/errors.ts";

/** Writes a line to the log. */
export type Log = (message: string) => void;

/** Maps anything that was thrown while handling a request to an error for the client; logs unexpected errors. */
export function toApiError(error: unknown, log: Log): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof InputTooLongError) return contextLengthExceeded(error.max, error.got, "input");
  if (error instanceof UnusableTokensError) return invalidRequest(error.message, "prompt");
  if (error instanceof UnusableChatError) {
    return invalidRequest(`The model's chat template refuses these messages: ${error.message}`, "messages");
  }
  log(`request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return internalError();
}

/** Sends every error of the server, including Fastify's own, as an OpenAI error body. */
export function installErrorHandling(app: FastifyInstance, log: Log, bodyLimit: number): void {
  app.setNotFoundHandler((request, reply) => {
    const message = `There is no ${request.method} ${request.url.split("?")[0]} here.`;
    reply.code(404).send(toErrorBody(new ApiError(404, "not_found", message)));
  });
  app.setErrorHandler<FastifyError>((error, _request, reply) => {
    const apiError = toFastifyApiError(error, bodyLimit) ?? toApiError(error, log);
    reply.code(apiError.status).send(toErrorBody(apiError));
  });
}

function toFastifyApiError(error: FastifyError, bodyLimit: number): ApiError | undefined {
  if (error instanceof ApiError || !error.code?.startsWith("FST_") || !error.statusCode) return undefined;
  if (error.statusCode === 413) {
    const megabytes = bodyLimit / 1024 / 1024;
    return new ApiError(413, "payload_too_large", `The body is larger than ${megabytes} MB.`, {
      details: { max: bodyLimit },
    });
  }
  if (error.code === "FST_ERR_CTP_INVALID_JSON_BODY" || error.code === "FST_ERR_CTP_EMPTY_JSON_BODY") {
    return invalidRequest("The body is not valid JSON.");
  }
  return error.statusCode < 500 ? new ApiError(error.statusCode, "invalid_request", error.message) : undefined;
}
