/** The error codes behind OAuth's own codes. */
const OAUTH_CODES: Record<string, string> = {
  login_required: "unauthorized",
  access_denied: "impersonation_forbidden",
};

/** Returns the error code of a body in any of the envelopes; undefined where there is none. */
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
