import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { components } from "@feather/openapi/schema";
import { isoCBOR } from "@simplewebauthn/server/helpers";

type CreationOptions = components["schemas"]["PasskeyCreationOptions"];
type RequestOptions = components["schemas"]["PasskeyRequestOptions"];
/** Deviations from a correct authenticator. */
export type Deviations = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  verifiesUser?: boolean;
  isPresent?: boolean;
  type?: string;
  userHandle?: string | null;
  backedUp?: boolean;
  /** The signature counter after this use. */
  counter?: number;
};

const FLAGS = { present: 1, verified: 4, backupEligible: 8, backedUp: 16, attested: 64 };

/** A passkey in memory: responds like a browser with a platform authenticator, or with `deviations`. */
export function createSoftwareAuthenticator(origin = "http://localhost:4000") {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const credentialId = randomBytes(32);
  let counter = 0;
  let userHandle = "";

  function createClientData(type: string, challenge: string, deviations: Deviations): Buffer {
    const data = {
      type: deviations.type ?? type,
      challenge: deviations.challenge ?? challenge,
      origin: deviations.origin ?? origin,
      crossOrigin: false,
    };
    return Buffer.from(JSON.stringify(data));
  }

  function createAuthenticatorData(rpId: string, deviations: Deviations, attested?: Buffer): Buffer {
    const { isPresent = true, verifiesUser = true, backedUp = false } = deviations;
    const flags =
      (isPresent ? FLAGS.present : 0) |
      (verifiesUser ? FLAGS.verified : 0) |
      (backedUp ? FLAGS.backupEligible | FLAGS.backedUp : 0) |
      (attested ? FLAGS.attested : 0);
    const head = Buffer.alloc(5);
    head.writeUInt8(flags, 0);
    counter = deviations.counter ?? counter;
    head.writeUInt32BE(counter, 1);
    const hash = createHash("sha256")
      .update(deviations.rpId ?? rpId)
      .digest();
    return Buffer.concat([hash, head, attested ?? Buffer.alloc(0)]);
  }

  const identification = {
    id: credentialId.toString("base64url"),
    rawId: credentialId.toString("base64url"),
    type: "public-key",
    clientExtensionResults: {},
  } as const;

  return {
    id: identification.id,

    /** Responds to `navigator.credentials.create`. */
    create(options: CreationOptions, deviations: Deviations = {}) {
      userHandle = options.user.id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, toCoseKey(publicKey)]);
      const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
        ["fmt", "none"],
        ["attStmt", new Map<string, string>()],
        ["authData", Uint8Array.from(createAuthenticatorData(options.rp.id, deviations, attested))],
      ]);
      return {
        ...identification,
        response: {
          clientDataJSON: createClientData("webauthn.create", options.challenge, deviations).toString("base64url"),
          attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString("base64url"),
          transports: ["internal", "hybrid"],
        },
      };
    },

    /** Responds to `navigator.credentials.get`, signed with its own or another key. */
    get(options: RequestOptions, deviations: Deviations = {}, key: KeyObject = privateKey) {
      const data = createClientData("webauthn.get", options.challenge, deviations);
      const authData = createAuthenticatorData(options.rpId, deviations);
      const signed = Buffer.concat([authData, createHash("sha256").update(data).digest()]);
      return {
        ...identification,
        response: {
          clientDataJSON: data.toString("base64url"),
          authenticatorData: authData.toString("base64url"),
          signature: sign("sha256", signed, key).toString("base64url"),
          userHandle: deviations.userHandle === undefined ? userHandle : deviations.userHandle,
        },
      };
    },
  };
}

/** A private key that belongs to no passkey. */
export function createUnknownKey(): KeyObject {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
}

/** Returns the public key in COSE format (ES256). */
function toCoseKey(publicKey: KeyObject): Buffer {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const key = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Uint8Array.from(Buffer.from(x, "base64url"))],
    [-3, Uint8Array.from(Buffer.from(y, "base64url"))],
  ]);
  return Buffer.from(isoCBOR.encode(key));
}
