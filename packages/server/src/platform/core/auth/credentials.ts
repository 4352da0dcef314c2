import { errors } from "../errors/index.ts";

/** The secret in a request, and whether a header or a cookie contained it. Browsers send cookies on their own. */
export type PresentedCredential = { secret: string; from: "header" | "cookie" };

/** The places in a request that may contain a credential. */
export type CredentialSources = {
  authorization: string | undefined;
  apiKeyHeader: string | string[] | undefined;
  sessionCookie: string | undefined;
  query: unknown;
};

/** Query parameters in which other services accept keys. They are refused here, since URLs are written to logs. */
const QUERY_NAMES = ["api_key", "apikey", "access_token", "key", "token"];

/** Matches the beginning of this platform's secrets with which calls can be made. */
const OWN_SECRET = /^(rc|ses|oat|dpt)_/;

/**
 * Returns the credential of a request, or null. Reads the `Authorization` header, `x-api-key` and the session cookie with
 * equal priority. Throws for two different credentials and for keys in the query. If one of the two headers has the
 * credential of another service, which some programs send in addition, that one is ignored.
 */
export function readCredential(sources: CredentialSources): PresentedCredential | null {
  refuseKeysInQuery(sources.query);
  const bearer = parseBearerToken(sources.authorization);
  const header = Array.isArray(sources.apiKeyHeader) ? sources.apiKeyHeader.join(",") : sources.apiKeyHeader;
  const headers = [bearer, header || undefined].filter((value) => value !== undefined);
  const own = headers.filter((value) => OWN_SECRET.test(value));
  const found = [...(own.length > 0 ? own : headers), sources.sessionCookie || undefined].filter(
    (value) => value !== undefined,
  );
  if (new Set(found).size > 1)
    throw errors.invalidRequest("This request carries two different credentials. Send one: a session, or a key.");
  const [secret] = found;
  if (secret === undefined) return null;
  return { secret, from: bearer !== undefined || header ? "header" : "cookie" };
}

function parseBearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization === "") return undefined;
  const match = /^Bearer +([^\s,]+)$/i.exec(authorization);
  if (!match) throw errors.unauthorized("The Authorization header must read: Bearer <key>.");
  return match[1];
}

function refuseKeysInQuery(query: unknown): void {
  if (typeof query !== "object" || query === null) return;
  const params = query as Record<string, unknown>;
  const name = QUERY_NAMES.find(
    (candidate) => typeof params[candidate] === "string" && /^(rc|ses|oat|ort|dpt)_/.test(params[candidate]),
  );
  if (name)
    throw errors.invalidRequest(
      "Keys are not taken from the address, where they end in logs. Send: Authorization: Bearer <key>.",
      { param: name },
    );
}
