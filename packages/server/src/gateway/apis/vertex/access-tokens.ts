import type { JWT } from "google-auth-library";
import { LRUCache } from "lru-cache";
import type { Outgoing } from "../../../platform/core/network/outgoing.ts";
import { MINUTE_MS, SECOND_MS } from "../../../platform/core/time.ts";
import { toRecord } from "../../formats/fields.ts";
import type { AccessTokens } from "../api.ts";
import { AccessTokenError, type AccessTokenProblem } from "./access-token-error.ts";
import { readServiceAccount } from "./service-account.ts";

/** Sends the requests for tokens. */
type FetchToken = Outgoing["fetch"];

/** Keys whose tokens are kept. */
const MAX_KEYS = 200;
const SCOPES = ["https://www.googleapis.com/auth/cloud-platform"];
/** Tokens are valid for an hour. A call must not begin with one that expires before it arrives. */
const EARLY_REFRESH_MS = 5 * MINUTE_MS;
/** Failed requests are repeated up to three times. */
const TIMEOUT_MS = 5 * SECOND_MS;
/** What Google says of a key that another one may repair, by the error of its answer. */
const ACCOUNT_ERRORS = [
  "access_denied",
  "admin_policy_enforced",
  "deleted_client",
  "disabled_client",
  "invalid_client",
  "org_internal",
  "unauthorized_client",
];

/** The access tokens where no backend needs any. */
export const NO_ACCESS_TOKENS: AccessTokens = {
  get: () => Promise.reject(new AccessTokenError("google.unavailable", "There are no access tokens")),
};

type Context = { fetchToken: FetchToken; clients: LRUCache<string, Promise<JWT>> };

/**
 * Creates the access tokens of Google's service accounts. One is kept until shortly before it expires, and fetched once for all
 * calls that need it at the same time.
 */
export function createAccessTokens(fetchToken: FetchToken): AccessTokens {
  const context: Context = { fetchToken, clients: new LRUCache({ max: MAX_KEYS }) };
  return { get: (key) => getAccessToken(context, key) };
}

async function getAccessToken(context: Context, key: string): Promise<string> {
  try {
    const client = context.clients.get(key) ?? createClient(context, key);
    context.clients.set(key, client);
    const { token } = await (await client).getAccessToken();
    if (!token) throw new AccessTokenError("google.unavailable", "Google sent no access token");
    return token;
  } catch (error) {
    throw error instanceof AccessTokenError ? error : toAccessTokenError(error);
  }
}

async function createClient({ fetchToken }: Context, key: string): Promise<JWT> {
  const account = readServiceAccount(key);
  if (account === null) throw new AccessTokenError("google.key_form", "The key is not that of a service account");
  // Loaded with the first token: most servers have no backend that needs it, and it takes megabytes of memory.
  const { JWT: Client } = await import("google-auth-library");
  return new Client({
    email: account.email,
    key: account.privateKey,
    scopes: SCOPES,
    eagerRefreshThresholdMillis: EARLY_REFRESH_MS,
    transporterOptions: { fetchImplementation: toFetch(fetchToken), timeout: TIMEOUT_MS },
  });
}

/** Returns the client for the library, which has types of its own for the same fields. */
function toFetch(fetchToken: FetchToken): typeof fetch {
  const send = (url: string | URL, { method, headers, body, signal }: RequestInit) =>
    fetchToken(url, {
      ...(method && { method }),
      headers: Object.fromEntries(new Headers(headers)),
      body: String(body),
      signal: signal ?? null,
    });
  return send as unknown as typeof fetch;
}

/** Returns the error for a request that brought no token, without the request, which has the signed key. */
function toAccessTokenError(error: unknown): AccessTokenError {
  const { error: code, error_description: description } = toRecord(toRecord(toRecord(error).response).data);
  const said = [code, description].filter((text) => typeof text === "string").join(": ");
  const detail = said || (findCode(error) ?? "it cannot be reached");
  return new AccessTokenError(toProblem(code, String(description)), `Google gave no access token: ${detail}`);
}

/** Returns the code of the innermost cause of an error that has one; null if none has. */
function findCode(error: unknown): string | null {
  const { cause, code } = toRecord(error);
  return (cause === undefined ? null : findCode(cause)) ?? (typeof code === "string" ? code : null);
}

function toProblem(code: unknown, description: string): AccessTokenProblem {
  if (ACCOUNT_ERRORS.includes(String(code))) return "google.account";
  if (code !== "invalid_grant") return "google.unavailable";
  if (/\biat\b|\bexp\b|short-lived/i.test(description)) return "google.clock";
  return /account|not a valid email/i.test(description) ? "google.account" : "google.key";
}
