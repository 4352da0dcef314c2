import type { AppError } from "../shared/errors.ts";

/** Whether errors of this path are written the way OpenAI clients expect. */
export function isOpenAIPath(path: string): boolean {
  return path.startsWith("/api/v1/") || path.startsWith("/v1/") || /^\/api\/deployments\/[^/]+\/v1\//.test(path);
}

/** Whether errors of this path are written the way Anthropic's clients expect. */
function isAnthropicPath(path: string): boolean {
  return /^(\/api)?\/v1\/messages(\/|\?|$)/.test(path);
}

/** Whether errors of this path are written the way OAuth clients expect. */
function isOAuthPath(path: string): boolean {
  return /^\/api\/oauth\/(authorize|token|revoke|device)\/?(\?|$)/.test(path);
}

/** The envelopes of errors, chosen by path. The only place that writes them. */
export function renderError(error: AppError, path: string, requestId: string): object {
  if (isAnthropicPath(path)) return anthropicEnvelope(error, requestId);
  if (isOAuthPath(path)) return oauthEnvelope(error);
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

/** Codes of RFC 6749 and 8628, and of OpenID Connect where those have none. */
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

/** `{error, error_description}`; the description keeps to the characters that RFC 6749 allows. */
function oauthEnvelope({ status, code, message }: AppError): object {
  const other = OAUTH_CODE_OF_STATUS[status] ?? (status >= 500 ? "server_error" : "invalid_request");
  const description = message.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'");
  return { error: OAUTH_CODES.has(code) ? code : other, error_description: description };
}

/** What Anthropic calls the classes of errors. */
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
export function anthropicEnvelope(error: AppError, requestId: string) {
  const { status, message, code, param, details } = error;
  const type = ANTHROPIC_TYPES[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
  return {
    type: "error",
    error: { type, message, code, ...(param !== undefined && { param }), ...(details && { details }) },
    request_id: requestId,
  };
}
