import type { ErrorCode } from "@feather/sdk";
import type { StubResponse } from "./stub.ts";

/** Returns an error response in the envelope of the platform's API. */
export function errorResponse(
  status: number,
  code: ErrorCode,
  message: string,
  details: Record<string, unknown> = {},
): StubResponse {
  const data = JSON.stringify({ code, message, details });
  return { status, body: { statusCode: status, statusMessage: message, message, data } };
}

/** Returns an error response in OAuth's envelope (RFC 6749). */
export function oauthErrorResponse(error: string, description = "What happened."): StubResponse {
  return { status: 400, body: { error, error_description: description } };
}

/** The platform's codes behind OAuth's own. */
const OAUTH_CODES: Record<string, string> = {
  login_required: "unauthorized",
  access_denied: "impersonation_forbidden",
};

/** Returns the error code of a body in the platform's, OpenAI's or OAuth's envelope; undefined where there is none. */
export function errorCode(body: unknown): string | undefined {
  const { data, error } = (body ?? {}) as { data?: string; error?: { code?: string } | string };
  if (typeof error === "object") return error.code;
  if (typeof error === "string") return OAUTH_CODES[error] ?? error;
  try {
    return (JSON.parse(data ?? "{}") as { code?: string }).code;
  } catch {
    return undefined;
  }
}
