import type { AccessTokens } from "../../../gateway/index.ts";
import type { Outgoing } from "../../../platform/core/network/outgoing.ts";
import { type JsonRequests, type JsonResponse, requestJson, toUnavailable } from "../http/json-requests.ts";

/** What the connection to Google needs. */
export type GcpConnection = JsonRequests & {
  /** The seller's id in the Procurement API. */
  providerId: string;
  /** The key of the service account, as JSON. */
  serviceAccountKey: string;
  accessTokens: AccessTokens;
};
/** Sends a request to the Procurement API, by its path below the seller. Throws `marketplace.unavailable`. */
export type GcpClient = (
  method: "GET" | "POST",
  path: string,
  options?: { query?: Record<string, string>; json?: object },
) => Promise<JsonResponse>;

const API_BASE = "https://cloudcommerceprocurement.googleapis.com";

/** Returns a client that sends to a stand-in what is for Google, by the same paths. */
export function toGoogleFetch(fetch: Outgoing["fetch"], apiBase: string | undefined): Outgoing["fetch"] {
  if (apiBase === undefined) return fetch;
  return (url, init) => {
    const { pathname, search } = new URL(url);
    return fetch(new URL(pathname + search, apiBase), init);
  };
}

/** Creates the client of the Cloud Commerce Partner Procurement API. */
export function createGcpClient(connection: GcpConnection): GcpClient {
  const { providerId, serviceAccountKey, accessTokens, log, provider } = connection;
  return async (method, path, { query = {}, json } = {}) => {
    const url = new URL(`/v1/providers/${encodeURIComponent(providerId)}${path}`, API_BASE);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const token = await accessTokens.get(serviceAccountKey).catch((error: unknown) => {
      log.error({ err: error }, "Google gave no token for FEATHER_GCP_MARKETPLACE_KEY");
      throw toUnavailable(provider);
    });
    const headers = { authorization: `Bearer ${token}` };
    const response = await requestJson(connection, { method, url, headers, ...(json && { json }) });
    if (response.status !== 401 && response.status !== 403) return response;
    log.error(
      { marketplace: { status: response.status } },
      "Google refused the account of FEATHER_GCP_MARKETPLACE_KEY",
    );
    throw toUnavailable(provider);
  };
}
