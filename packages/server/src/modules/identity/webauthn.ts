import type { components } from "@feather/openapi/schema";
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { decodeClientDataJSON } from "@simplewebauthn/server/helpers";
import type { PasskeyRow } from "./passkeys.repository.ts";
import type { RelyingParty } from "./relying-party.ts";

export type Attestation = components["schemas"]["PasskeyAttestation"];
export type Assertion = components["schemas"]["PasskeyAssertion"];
export type CreationOptions = components["schemas"]["PasskeyCreationOptions"];
export type RequestOptions = components["schemas"]["PasskeyRequestOptions"];

/** Lifetime of a challenge, and how long the browser waits for the person. */
export const CHALLENGE_TTL_MS = 5 * 60_000;
/** By their COSE numbers, the preferred first: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];
/** Ways to reach a passkey that browsers know. */
const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"];

type Account = { id: string; email: string; name: string };
type Known = Pick<PasskeyRow, "credential_id" | "transports">;

/** The account's id as browsers keep it with the passkey. */
export function userHandleOf(userId: string): string {
  return Buffer.from(userId).toString("base64url");
}

/** Options for making a passkey. `secret` is what the browser has to sign. */
export async function creationOptions(
  { id: rpID, name: rpName }: RelyingParty,
  account: Account,
  existing: readonly Known[],
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
    excludeCredentials: existing.map(descriptorOf),
    authenticatorSelection: { residentKey: "preferred", requireResidentKey: false, userVerification: "preferred" },
  };
}

/** Options for signing in: with any passkey of the browser that checks who holds it, or with one of these. */
export async function requestOptions(
  { id: rpID }: RelyingParty,
  allowed: readonly Known[] | "any",
  secret: string,
): Promise<RequestOptions> {
  const { challenge } = await generateAuthenticationOptions({ rpID, challenge: secret });
  return {
    challenge,
    rpId: rpID,
    timeout: CHALLENGE_TTL_MS,
    userVerification: allowed === "any" ? "required" : "preferred",
    allowCredentials: allowed === "any" ? [] : allowed.map(descriptorOf),
  };
}

/** The secret that a browser signed, or null where there is none to read. */
export function signedSecret(clientDataJSON: string): string | null {
  try {
    return Buffer.from(decodeClientDataJSON(clientDataJSON).challenge, "base64url").toString("utf8");
  } catch {
    return null;
  }
}

/** What a new passkey says of itself, or null where its answer does not hold. */
export async function verifyAttestation({ id: rpID, origin }: RelyingParty, secret: string, answer: Attestation) {
  const { clientDataJSON, attestationObject, transports = [] } = answer.response;
  const verified = await verifyRegistrationResponse({
    response: { ...identification(answer), response: { clientDataJSON, attestationObject } },
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

/** What a passkey's answer says, or null where it does not hold. It is for the caller to compare the counter. */
export async function verifyAssertion(
  { id: rpID, origin }: RelyingParty,
  passkey: Pick<PasskeyRow, "credential_id" | "public_key">,
  secret: string,
  answer: Assertion,
) {
  const { clientDataJSON, authenticatorData, signature } = answer.response;
  const verified = await verifyAuthenticationResponse({
    response: { ...identification(answer), response: { clientDataJSON, authenticatorData, signature } },
    expectedChallenge: Buffer.from(secret).toString("base64url"),
    expectedOrigin: origin,
    expectedRPID: rpID,
    // Compared by the caller once the signature holds: the library compares before it looks at that.
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

function identification({ id, rawId }: { id: string; rawId: string }) {
  return { id, rawId, type: "public-key", clientExtensionResults: {} } as const;
}

function descriptorOf({ credential_id, transports }: Known) {
  return { id: credential_id.toString("base64url"), type: "public-key", transports } as const;
}
