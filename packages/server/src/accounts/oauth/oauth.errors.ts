import { type AppError, createError, errors } from "../../platform/core/errors/index.ts";

/** Error codes of RFC 6749, 7009 and 8628. */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "access_denied"
  | "authorization_pending"
  | "slow_down"
  | "expired_token";

/** Returns an OAuth error with status 400, which must not be cached. */
export function createOAuthError(code: OAuthErrorCode, message: string): AppError {
  return createError(code, message, { headers: { "cache-control": "no-store" } });
}

/** Returns the 401 error for an unknown application or a wrong secret. */
export function invalidClient(): AppError {
  return errors.invalidClient({
    headers: { "www-authenticate": 'Basic realm="feather"', "cache-control": "no-store" },
  });
}
