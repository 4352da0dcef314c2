import type { components } from "@feather/openapi/schema";
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { decodeClientDataJSON } from "@simplewebauthn/server/helpers";
import { MINUTE_MS } from "../../../platform/core/time.ts";
import type { PasskeyRow } from "./passkeys.repository.ts";
import type { RelyingParty } from "./relying-party.ts";

/** The data that a browser returns for a new passkey. */
export type Attestation = components["schemas"]["PasskeyAttestation"];
/** The data that a browser returns for a sign-in with a passkey. */
export type Assertion = components["schemas"]["PasskeyAssertion"];
/** The options that a browser needs to create a passkey. */
export type CreationOptions = components["schemas"]["PasskeyCreationOptions"];
/** The options that a browser needs to sign with a passkey. */
export type RequestOptions = components["schemas"]["PasskeyRequestOptions"];

/** The lifetime of a challenge and the timeout of the browser, in milliseconds. */
export const CHALLENGE_TTL_MS = 5 * MINUTE_MS;
/** COSE numbers of algorithms in order of preference: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];
/** Values of `AuthenticatorTransport`. */
const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"];

type Account = { id: string; email: string; name: string };
type StoredCredential = Pick<PasskeyRow, "credential_id" | "transports">;

/** Encodes the user id in the form that browsers store with the passkey. */
export function toUserHandle(userId: string): string {
  return Buffer.from(userId).toString("base64url");
}

/** Returns options for creating a passkey. The browser signs `secret`. */
export async function generateCreationOptions(
  { id: rpID, name: rpName }: RelyingParty,
  account: Account,
  existing: readonly StoredCredential[],
  secret: string,
): Promise<CreationOptions> {
  const options = await generateRegistrationOptions({
    rpName,
    rpID,
    userID: Uint8Array.from(Buffer.from(account.id)),
    userName: account.email,
    userDisplayName: account.name,
    challenge: secret,
    timeout: CHALLENGE_TTL_MS,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return {
    challenge: options.challenge,
    rp: { id: rpID, name: rpName },
    user: options.user,
    pubKeyCredParams: options.pubKeyCredParams.map(({ alg }) => ({ type: "public-key", alg })),
    timeout: CHALLENGE_TTL_MS,
    attestation: "none",
    excludeCredentials: existing.map(toCredentialDescriptor),
    authenticatorSelection: { residentKey: "preferred", requireResidentKey: false, userVerification: "preferred" },
  };
}

/** Returns options for signing in: with one of the given passkeys, or with any that verifies its user. */
export async function generateRequestOptions(
  { id: rpID }: RelyingParty,
  allowed: readonly StoredCredential[] | "any",
  secret: string,
): Promise<RequestOptions> {
  const { challenge } = await generateAuthenticationOptions({ rpID, challenge: secret });
  return {
    challenge,
    rpId: rpID,
    timeout: CHALLENGE_TTL_MS,
    userVerification: allowed === "any" ? "required" : "preferred",
    allowCredentials: allowed === "any" ? [] : allowed.map(toCredentialDescriptor),
  };
}

/** Returns the secret that a browser signed, or null if the data is malformed. */
export function readSignedSecret(clientDataJSON: string): string | null {
  try {
    return Buffer.from(decodeClientDataJSON(clientDataJSON).challenge, "base64url").toString("utf8");
  } catch {
    return null;
  }
}

/** Verifies a new passkey. Returns its data, or null if the attestation is not valid. */
export async function verifyAttestation({ id: rpID, origin }: RelyingParty, secret: string, attestation: Attestation) {
  const { clientDataJSON, attestationObject, transports = [] } = attestation.response;
  const verified = await verifyRegistrationResponse({
    response: { ...toCredentialBase(attestation), response: { clientDataJSON, attestationObject } },
    expectedChallenge: Buffer.from(secret).toString("base64url"),
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { credential, credentialBackedUp } = verified.registrationInfo;
  return {
    credential_id: Buffer.from(credential.id, "base64url"),
    public_key: Buffer.from(credential.publicKey),
    sign_count: credential.counter,
    transports: TRANSPORTS.filter((transport) => transports.includes(transport)),
    backed_up: credentialBackedUp,
  };
}

/** Verifies a signature. Returns its counter and flags, or null if it is invalid. The caller must compare the counter. */
export async function verifyAssertion(
  { id: rpID, origin }: RelyingParty,
  passkey: Pick<PasskeyRow, "credential_id" | "public_key">,
  secret: string,
  assertion: Assertion,
) {
  const { clientDataJSON, authenticatorData, signature } = assertion.response;
  const verified = await verifyAuthenticationResponse({
    response: { ...toCredentialBase(assertion), response: { clientDataJSON, authenticatorData, signature } },
    expectedChallenge: Buffer.from(secret).toString("base64url"),
    expectedOrigin: origin,
    expectedRPID: rpID,
    // The library would compare the counter before it checks the signature, so the caller compares it.
    credential: {
      id: passkey.credential_id.toString("base64url"),
      publicKey: Uint8Array.from(passkey.public_key),
      counter: 0,
    },
    requireUserVerification: false,
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { newCounter, userVerified, credentialBackedUp } = verified.authenticationInfo;
  return { signCount: newCounter, userVerified, backedUp: credentialBackedUp };
}

function toCredentialBase({ id, rawId }: { id: string; rawId: string }) {
  return { id, rawId, type: "public-key", clientExtensionResults: {} } as const;
}

function toCredentialDescriptor({ credential_id, transports }: StoredCredential) {
  return { id: credential_id.toString("base64url"), type: "public-key", transports } as const;
}
