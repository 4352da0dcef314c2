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
type Send = (
  method: "GET" | "POST",
  path: string,
  options?: { query?: Record<string, string>; json?: object },
) => Promise<JsonResponse>;
/** Sends requests to Google. They throw `marketplace.unavailable`. */
export type GcpClient = {
  /** Sends a request to the Procurement API, by its path below the seller. */
  procurement: Send;
  /** Sends a request to the Service Control API, by its path below the services. */
  serviceControl: Send;
};

const PROCUREMENT_BASE = "https://cloudcommerceprocurement.googleapis.com";
const SERVICE_CONTROL_BASE = "https://servicecontrol.googleapis.com";

/** Returns a client that sends to a stand-in what is for Google, by the same paths. */
export function toGoogleFetch(fetch: Outgoing["fetch"], apiBase: string | undefined): Outgoing["fetch"] {
  if (apiBase === undefined) return fetch;
  return (url, init) => {
    const { pathname, search } = new URL(url);
    return fetch(new URL(pathname + search, apiBase), init);
  };
}

/** Creates the client of the Cloud Commerce Partner Procurement API and of the Service Control API. */
export function createGcpClient(connection: GcpConnection): GcpClient {
  const seller = `/v1/providers/${encodeURIComponent(connection.providerId)}`;
  return {
    procurement: createSend(connection, new URL(seller, PROCUREMENT_BASE)),
    serviceControl: createSend(connection, new URL("/v1/services", SERVICE_CONTROL_BASE)),
  };
}

function createSend(connection: GcpConnection, base: URL): Send {
  const { serviceAccountKey, accessTokens, log, provider } = connection;
  return async (method, path, { query = {}, json } = {}) => {
    const url = new URL(`${base.pathname}${path}`, base);
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
