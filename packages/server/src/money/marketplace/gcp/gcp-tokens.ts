import { createHash, type KeyObject, X509Certificate } from "node:crypto";
import {
  createRemoteJWKSet,
  customFetch,
  type JWTHeaderParameters,
  type JWTPayload,
  errors as joseErrors,
  jwtVerify,
  SignJWT,
} from "jose";
import { z } from "zod";
import { errors } from "../../../platform/core/errors/index.ts";
import type { Outgoing } from "../../../platform/core/network/outgoing.ts";
import { DAY_S, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../platform/core/time.ts";
import { toUnavailable } from "../http/json-requests.ts";
import { toFetch } from "../http/to-fetch.ts";

/** Checks what Google signs, and signs what buyers bring back. */
export type GcpTokens = {
  /** Returns the account in the token with which Google sends a buyer; null when it is invalid or expired. */
  readBuyer(token: string, now: Date): Promise<string | null>;
  /** Returns a token of our own for an account, which is valid for a day. */
  issue(accountId: string, now: Date): Promise<string>;
  /** Returns the account in a token of our own; null when it is invalid or expired. */
  readIssued(token: string, now: Date): Promise<string | null>;
  /** Throws `marketplace.notification_refused` unless Pub/Sub sent the request for the seller. */
  verifyPush(authorization: string | undefined, now: Date): Promise<void>;
};

type Connection = {
  fetch: Outgoing["fetch"];
  serviceAccountKey: string;
  /** The domain of the seller, for which Google signs the tokens of buyers. */
  domain: string;
  /** The account with which Pub/Sub signs, and the audience that it signs for. */
  pushAccount: string;
  pushAudience: string;
};

/** Signs the tokens of buyers; its certificates are at this address, which is also the issuer. */
const BUYER_ISSUER =
  "https://www.googleapis.com/robot/v1/metadata/x509/cloud-commerce-partner@system.gserviceaccount.com";
const PUSH_ISSUERS = ["https://accounts.google.com", "accounts.google.com"];
const PUSH_KEYS = "https://www.googleapis.com/oauth2/v3/certs";
const OWN_ISSUER = "feather";
const CLOCK_TOLERANCE_S = 60;
const certificatesSchema = z.record(z.string(), z.string());

/** Creates the checks. Google's keys are fetched when they are needed, and kept for an hour. */
export function createGcpTokens(connection: Connection): GcpTokens {
  const { fetch, serviceAccountKey, domain, pushAccount, pushAudience } = connection;
  const getBuyerKey = createBuyerKeys(fetch);
  const pushKeys = createRemoteJWKSet(new URL(PUSH_KEYS), { [customFetch]: toFetch(fetch) });
  // Every server of the installation has the same key, and nobody else.
  const ownKey = createHash("sha256").update(`tokens of buyers\n${serviceAccountKey}`).digest();
  return {
    readBuyer: async (token, currentDate) => {
      const options = { issuer: BUYER_ISSUER, audience: domain, currentDate, clockTolerance: CLOCK_TOLERANCE_S };
      const getKey = ({ kid = "" }: JWTHeaderParameters) => getBuyerKey(kid, currentDate);
      return subjectOf(jwtVerify(token, getKey, { ...options, algorithms: ["RS256"] }));
    },
    issue: (accountId, now) =>
      new SignJWT()
        .setProtectedHeader({ alg: "HS256" })
        .setIssuer(OWN_ISSUER)
        .setSubject(accountId)
        .setExpirationTime(Math.floor(now.getTime() / SECOND_MS) + DAY_S)
        .sign(ownKey),
    readIssued: (token, currentDate) =>
      subjectOf(jwtVerify(token, ownKey, { issuer: OWN_ISSUER, currentDate, algorithms: ["HS256"] })),
    async verifyPush(authorization, currentDate) {
      const token = /^Bearer (\S+)$/i.exec(authorization ?? "")?.[1];
      if (token === undefined) throw errors.marketplace.notificationRefused("There is no token of Google.");
      const options = { issuer: PUSH_ISSUERS, audience: pushAudience, currentDate, clockTolerance: CLOCK_TOLERANCE_S };
      const { payload } = await jwtVerify(token, pushKeys, { ...options, algorithms: ["RS256"] }).catch(refusePush);
      if (payload.email !== pushAccount || payload.email_verified !== true)
        throw errors.marketplace.notificationRefused("The token is not of FEATHER_GCP_MARKETPLACE_PUSH_ACCOUNT.");
    },
  };
}

/**
 * Returns the function that fetches Google's key with an id, with which the tokens of buyers are signed. Keys with an id that
 * is not among them are looked for once a minute: anybody can send tokens with made-up ids.
 */
function createBuyerKeys(fetch: Outgoing["fetch"]) {
  let known: { certificates: Record<string, string>; fetchedAt: number } | null = null;
  return async (keyId: string, now: Date): Promise<KeyObject> => {
    const age = known ? now.getTime() - known.fetchedAt : Number.POSITIVE_INFINITY;
    if (!known || age > HOUR_MS || (!Object.hasOwn(known.certificates, keyId) && age > MINUTE_MS))
      known = { certificates: await fetchCertificates(fetch), fetchedAt: now.getTime() };
    const certificate = Object.hasOwn(known.certificates, keyId) ? known.certificates[keyId] : undefined;
    if (certificate === undefined) throw new joseErrors.JWKSNoMatchingKey();
    return new X509Certificate(certificate).publicKey;
  };
}

async function fetchCertificates(fetch: Outgoing["fetch"]): Promise<Record<string, string>> {
  const response = await fetch(BUYER_ISSUER).catch(() => null);
  const certificates = response?.ok ? certificatesSchema.safeParse(await response.json().catch(() => null)).data : null;
  if (!certificates) throw toUnavailable("gcp");
  return certificates;
}

async function subjectOf(verification: Promise<{ payload: JWTPayload }>): Promise<string | null> {
  try {
    return (await verification).payload.sub ?? null;
  } catch (error) {
    if (error instanceof joseErrors.JOSEError) return null;
    throw error;
  }
}

function refusePush(error: unknown): never {
  const isRefused = error instanceof joseErrors.JOSEError && error.code !== "ERR_JOSE_GENERIC";
  // Pub/Sub sends it again when the keys can be fetched.
  if (!isRefused || error instanceof joseErrors.JWKSTimeout) throw toUnavailable("gcp");
  throw errors.marketplace.notificationRefused(`The token of Google is not valid: ${error.code}.`);
}
