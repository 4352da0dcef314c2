import { AppError } from "../../shared/errors.ts";

/** Codes that RFC 6749, 7009 and 8628 name. */
export type OAuthCode =
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

export function oauthError(code: OAuthCode, message: string): AppError {
  return new AppError(400, code, message, { headers: { "cache-control": "no-store" } });
}

export function invalidClient(): AppError {
  return new AppError(401, "invalid_client", "The application is not known or its secret is wrong.", {
    headers: { "www-authenticate": 'Basic realm="feather"', "cache-control": "no-store" },
  });
}
