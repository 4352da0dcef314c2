import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts small secrets that the server must be able to read again, such as the key of a backend (AES-256-GCM). */
export type Sealer = { seal(text: string): Buffer; open(sealed: Buffer): string };

/** Encrypts bytes too. */
export type ByteSealer = Sealer & { sealBytes(bytes: Uint8Array): Buffer; openBytes(sealed: Buffer): Buffer };

/**
 * Purposes of encryption, each with its own key. The texts are part of the key derivation: changing one makes the data that
 * was encrypted with it unreadable.
 */
export const SEALING_PURPOSES = {
  secondFactors: "second factors",
  backendKeys: "backend keys",
  providerKeys: "provider keys",
  toolServerSecrets: "tool server secrets",
  hubTokens: "hub tokens",
  idempotentAnswers: "idempotent answer",
  webhookSecrets: "webhook secrets",
  conversationKeys: "conversation keys",
  savedSettings: "saved settings",
} as const;
/** One of `SEALING_PURPOSES`. */
export type SealingPurpose = (typeof SEALING_PURPOSES)[keyof typeof SEALING_PURPOSES];

/** Purposes of signatures, each with its own key. */
export const SIGNING_PURPOSES = {
  deviceCookies: "device cookies",
  registrationStates: "registration states",
  peerCalls: "calls between replicas",
} as const;
/** One of `SIGNING_PURPOSES`. */
export type SigningPurpose = (typeof SIGNING_PURPOSES)[keyof typeof SIGNING_PURPOSES];

const deriveKey = (secret: Uint8Array, purpose: SealingPurpose | SigningPurpose) =>
  Buffer.from(hkdfSync("sha256", secret, "", `feather ${purpose}`, 32));

/** Signs values that clients store and only this server verifies (HMAC-SHA-256, 32 bytes). */
export type Signer = { sign(bytes: Uint8Array): Buffer; verify(bytes: Uint8Array, signature: Uint8Array): boolean };

/** Derives a signing key from the server's secret for one purpose. */
export function createSigner(secret: Uint8Array, purpose: SigningPurpose): Signer {
  const key = deriveKey(secret, purpose);
  const sign = (bytes: Uint8Array) => createHmac("sha256", key).update(bytes).digest();
  return {
    sign,
    verify(bytes, signature) {
      const expected = sign(bytes);
      return signature.length === expected.length && timingSafeEqual(signature, expected);
    },
  };
}

/** Derives an encryption key from the server's secret for one purpose. */
export const createSealer = (secret: Uint8Array, purpose: SealingPurpose): Sealer =>
  createSealerWithKey(deriveKey(secret, purpose));

/** Encrypts with a key of 32 bytes. `open` and `openBytes` throw if something was sealed with another key or was modified. */
export function createSealerWithKey(key: Uint8Array): ByteSealer {
  const sealBytes = (bytes: Uint8Array) => {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv("aes-256-gcm", key, iv);
    return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  };
  const openBytes = (sealed: Buffer) => {
    const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, IV_BYTES));
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, sealed.length - TAG_BYTES)), decipher.final()]);
  };
  return {
    sealBytes,
    openBytes,
    seal: (text) => sealBytes(Buffer.from(text, "utf8")),
    open: (sealed) => openBytes(sealed).toString("utf8"),
  };
}
