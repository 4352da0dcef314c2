import { createRemoteJWKSet, customFetch, type JWTPayload, errors as joseErrors, jwtVerify } from "jose";
import { errors } from "../../../platform/core/errors/index.ts";
import type { Outgoing } from "../../../platform/core/network/outgoing.ts";
import { toUnavailable } from "../http/json-requests.ts";
import { toFetch } from "../http/to-fetch.ts";
import { FULFILLMENT_APP_ID, toEntraUrl } from "./azure-client.ts";

/** Throws `marketplace.notification_refused` unless the header has a token that Microsoft Entra gave to Azure Marketplace. */
export type VerifyAzureCaller = (authorization: string | undefined, now: Date) => Promise<void>;

type Connection = {
  tenantId: string;
  clientId: string;
  fetch: Outgoing["fetch"];
  apiBase?: string | undefined;
};

const CLOCK_TOLERANCE_S = 60;

/** Creates the check of who calls the webhook, with the keys of the seller's tenant. */
export function createAzureWebhooks(connection: Connection): VerifyAzureCaller {
  const { tenantId, clientId } = connection;
  const keys = createRemoteJWKSet(toEntraUrl(connection, "discovery/v2.0/keys"), {
    [customFetch]: toFetch(connection.fetch),
  });
  // Entra gives tokens of two versions, by a setting of the application.
  const issuer = [`https://sts.windows.net/${tenantId}/`, `https://login.microsoftonline.com/${tenantId}/v2.0`];
  return async (authorization, currentDate) => {
    const token = /^Bearer (\S+)$/i.exec(authorization ?? "")?.[1];
    if (token === undefined) throw errors.marketplace.notificationRefused("There is no token of Microsoft Entra.");
    const options = { audience: clientId, issuer, currentDate, clockTolerance: CLOCK_TOLERANCE_S };
    const { payload } = await jwtVerify(token, keys, { ...options, algorithms: ["RS256"] }).catch(refuse);
    if (callerOf(payload) !== FULFILLMENT_APP_ID)
      throw errors.marketplace.notificationRefused("The token was given to another application.");
  };
}

const callerOf = ({ appid, azp }: JWTPayload) => appid ?? azp;

function refuse(error: unknown): never {
  // Whoever sent it sends it again when the keys can be fetched.
  if (!(error instanceof joseErrors.JOSEError) || error instanceof joseErrors.JWKSTimeout || isFetchError(error))
    throw toUnavailable("azure");
  throw errors.marketplace.notificationRefused(`The token of Microsoft Entra is not valid: ${error.code}.`);
}

/** The library throws the general error when the response with the keys is not the expected one. */
const isFetchError = (error: joseErrors.JOSEError) => error.code === "ERR_JOSE_GENERIC";
