import type { AppError } from "./index.ts";

/** Returns whether errors of this path use OpenAI's envelope. */
export function isOpenAIPath(path: string): boolean {
  return path.startsWith("/api/v1/") || path.startsWith("/v1/") || /^\/api\/deployments\/[^/]+\/v1\//.test(path);
}

/** Returns whether errors of this path use Anthropic's envelope. */
function isAnthropicPath(path: string): boolean {
  return /^(\/api)?(\/v1)+\/messages(\/|\?|$)/.test(path);
}

/** Returns whether errors of this path use the OAuth envelope. */
function isOAuthPath(path: string): boolean {
  return /^\/api\/oauth\/(authorize|token|revoke|device)\/?(\?|$)/.test(path);
}

/** Returns the error body in the envelope that clients of the path expect. No other code writes error bodies. */
export function renderError(error: AppError, path: string, requestId: string): object {
  if (isAnthropicPath(path)) return toAnthropicEnvelope(error, requestId);
  if (isOAuthPath(path)) return toOAuthEnvelope(error);
  return isOpenAIPath(path) ? toOpenAIEnvelope(error, requestId) : toSiteEnvelope(error);
}

/** `{error: {message, type, param, code, request_id}}` */
export function toOpenAIEnvelope(error: AppError, requestId: string): { error: object } {
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

function toSiteEnvelope(error: AppError): object {
  const { code, message, details } = error;
  return {
    statusCode: error.status,
    statusMessage: error.statusMessage,
    message,
    data: JSON.stringify({ code, message, ...(details && { details }) }),
  };
}

/** Error codes of RFC 6749 and 8628; the codes by status include those of OpenID Connect. */
const OAUTH_CODES: ReadonlySet<string> = new Set([
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "invalid_scope",
  "unauthorized_client",
  "unsupported_grant_type",
  "access_denied",
  "authorization_pending",
  "slow_down",
  "expired_token",
]);
const OAUTH_CODE_OF_STATUS: Readonly<Record<number, string>> = {
  401: "login_required",
  403: "access_denied",
  429: "slow_down",
  503: "temporarily_unavailable",
};

/** Returns `{error, error_description}`. The description has only characters that RFC 6749 allows. */
function toOAuthEnvelope({ status, code, message }: AppError): object {
  const fallbackCode = OAUTH_CODE_OF_STATUS[status] ?? (status >= 500 ? "server_error" : "invalid_request");
  const description = message.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'");
  return { error: OAUTH_CODES.has(code) ? code : fallbackCode, error_description: description };
}

/** Anthropic's error types by status. */
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
};

/** `{type: "error", error: {type, message, code}, request_id}` */
export function toAnthropicEnvelope(error: AppError, requestId: string) {
  const { status, message, code, param, details } = error;
  const type = ANTHROPIC_TYPES[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
  return {
    type: "error",
    error: { type, message, code, ...(param !== undefined && { param }), ...(details && { details }) },
    request_id: requestId,
  };
}
