import { z } from "zod";
import type { Clock } from "../../../platform/core/clock.ts";
import { MINUTE_MS, SECOND_MS } from "../../../platform/core/time.ts";
import { type JsonRequests, type JsonResponse, requestJson, toUnavailable } from "../http/json-requests.ts";

/** What the connection to Azure needs. */
export type AzureConnection = JsonRequests & {
  tenantId: string;
  clientId: string;
  clientSecret: string;
  clock: Clock;
  /** Address of a stand-in, in place of Microsoft's servers. */
  apiBase?: string | undefined;
};
/** Sends a request to the fulfillment or the metering API, by its path below `/api`. Throws `marketplace.unavailable`. */
export type AzureClient = (
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  options?: { headers?: Record<string, string>; json?: object },
) => Promise<JsonResponse>;

/** The id of both APIs as a resource of Microsoft Entra, which is also its id as a caller of webhooks. */
export const FULFILLMENT_APP_ID = "20e940b3-4c77-4b0b-9a53-9e16a1b010a7";
const LOGIN_BASE = "https://login.microsoftonline.com";
const API_BASE = "https://marketplaceapi.microsoft.com";
const API_VERSION = "2018-08-31";
/** A request must not begin with a token that expires before it arrives. */
const EARLY_REFRESH_MS = 5 * MINUTE_MS;

const tokenSchema = z.object({ access_token: z.string(), expires_in: z.coerce.number() });
type Token = { value: string; until: number };

/** Returns an address at Microsoft Entra, below the seller's tenant. */
export function toEntraUrl({ tenantId, apiBase }: Pick<AzureConnection, "tenantId" | "apiBase">, path: string): URL {
  return new URL(`/${tenantId}/${path}`, apiBase ?? LOGIN_BASE);
}

/** Creates the client of the SaaS fulfillment API, version 2, and of the metering API. Its access token is kept until shortly before it expires. */
export function createAzureClient(connection: AzureConnection): AzureClient {
  let token: Promise<Token> | null = null;
  const getToken = async (): Promise<string> => {
    const known = await token?.catch(() => null);
    if (!known || known.until <= connection.clock.now().getTime()) token = fetchToken(connection);
    return (await (token as Promise<Token>)).value;
  };
  return async (method, path, { headers = {}, json } = {}) => {
    const url = new URL(`/api${path}`, connection.apiBase ?? API_BASE);
    url.searchParams.set("api-version", API_VERSION);
    const authorization = `Bearer ${await getToken()}`;
    const response = await requestJson(connection, {
      method,
      url,
      headers: { ...headers, authorization },
      ...(json && { json }),
    });
    if (response.status !== 401 && response.status !== 403) return response;
    token = null;
    throw refuse(connection, response.status, "the API refused the application of FEATHER_AZURE_MARKETPLACE_CLIENT_ID");
  };
}

async function fetchToken(connection: AzureConnection): Promise<Token> {
  const { clientId, clientSecret, clock } = connection;
  const { status, body } = await requestJson(connection, {
    method: "POST",
    url: toEntraUrl(connection, "oauth2/v2.0/token"),
    form: {
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
      scope: `${FULFILLMENT_APP_ID}/.default`,
    },
  });
  const token = tokenSchema.safeParse(body).data;
  if (!token) throw refuse(connection, status, "Microsoft Entra refused FEATHER_AZURE_MARKETPLACE_CLIENT_SECRET");
  return { value: token.access_token, until: clock.now().getTime() + token.expires_in * SECOND_MS - EARLY_REFRESH_MS };
}

function refuse({ log, provider }: AzureConnection, status: number, message: string) {
  log.error({ marketplace: { status } }, message);
  return toUnavailable(provider);
}
