import type { AppError } from "../shared/errors.ts";

/** Whether errors of this path are written the way OpenAI clients expect. */
export function isOpenAIPath(path: string): boolean {
  return path.startsWith("/api/v1/") || path.startsWith("/v1/");
}

/** The two envelopes of errors, chosen by path. The only place that writes them. */
export function renderError(error: AppError, path: string, requestId: string): object {
  return isOpenAIPath(path) ? openAIEnvelope(error, requestId) : siteEnvelope(error);
}

/** `{error: {message, type, param, code, request_id}}` */
export function openAIEnvelope(error: AppError, requestId: string): { error: object } {
  return {
    error: {
      message: error.message,
      type: error.type,
      param: error.param ?? null,
      code: error.code,
      request_id: requestId,
      ...(error.details && { details: error.details }),
    },
  };
}

function siteEnvelope(error: AppError): object {
  const { code, message, details } = error;
  return {
    statusCode: error.status,
    statusMessage: error.statusMessage,
    message,
    data: JSON.stringify({ code, message, ...(details && { details }) }),
  };
}
