import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const IV = 12;
const TAG = 16;

/**
 * Encrypts small secrets that the platform itself must read again, such as the key of a backend. `purpose` separates
 * what was sealed for one thing from another.
 */
export type Sealer = { seal(text: string): Buffer; open(sealed: Buffer): string };

/** What is sealed, each with a key of its own. The texts go into the keys: changing one makes what was sealed unreadable. */
export const SEALING_PURPOSES = {
  secondFactors: "second factors",
  backendKeys: "backend keys",
  hubTokens: "hub tokens",
} as const;
export type SealingPurpose = (typeof SEALING_PURPOSES)[keyof typeof SEALING_PURPOSES];

export function createSealer(secret: Uint8Array, purpose: SealingPurpose): Sealer {
  const key = Buffer.from(hkdfSync("sha256", secret, "", `feather ${purpose}`, 32));
  return {
    seal(text) {
      const iv = randomBytes(IV);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    },
    /** Throws when it was sealed with another secret, or changed. */
    open(sealed) {
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, IV));
      decipher.setAuthTag(sealed.subarray(sealed.length - TAG));
      return decipher.update(sealed.subarray(IV, sealed.length - TAG), undefined, "utf8") + decipher.final("utf8");
    },
  };
}
