import { t } from "@lingui/core/macro";
/** The authorization request in the address of the consent page. */
export type AuthorizationRequest = {
  client_id: string;
  redirect_uri: string;
  response_type?: string;
  response_mode?: string;
  scope?: string;
  state?: string;
  code_challenge?: string;
  code_challenge_method?: string;
};
/** A parsed authorization request. */
export type ParsedRequest = {
  request: AuthorizationRequest;
  /** `none`: the user must not be asked; `always`: they are asked even if they allowed it before. */
  promptMode: "none" | "when needed" | "always";
};

const OPTIONAL = [
  "response_type",
  "response_mode",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
] as const;

/**
 * Returns the request in an address, or why it is invalid as a text. Unknown parameters are ignored, as RFC 6749
 * requires.
 */
export function parseAuthorizationRequest(query: URLSearchParams): ParsedRequest | string {
  const duplicate = [...new Set(query.keys())].find((name) => query.getAll(name).length > 1);
  if (duplicate !== undefined) return t`It says ${duplicate} more than once.`;
  const [client_id, redirect_uri] = [query.get("client_id"), query.get("redirect_uri")];
  if (!client_id) return t`It does not say which application asks: client_id is missing.`;
  if (!redirect_uri) return t`It does not say where to go back to: redirect_uri is missing.`;
  const optional = OPTIONAL.flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const prompt = query.get("prompt")?.split(" ") ?? [];
  const promptMode = prompt.includes("none") ? "none" : prompt.some((word) => word !== "") ? "always" : "when needed";
  return { request: { client_id, redirect_uri, ...Object.fromEntries(optional) }, promptMode };
}

/** Returns where the redirect goes, as a text that the user can check. */
export function describeDestination(redirectUri: string): string {
  if (!URL.canParse(redirectUri)) return redirectUri;
  const { hostname, host } = new URL(redirectUri);
  return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname) ? t`a program on this computer` : host;
}
