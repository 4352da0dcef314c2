import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { encodeBase62 } from "./base62.ts";

/**
 * Prefix of a secret: API key (`rc`), session (`ses`), single-use link (`one`), OAuth access token (`oat`), refresh
 * token (`ort`), authorization code (`oac`), device code (`odc`), private deployment (`dpt`) or OAuth application
 * (`secret`).
 */
export type SecretKind = (typeof KINDS)[number];
const KINDS = ["rc", "ses", "one", "oat", "ort", "oac", "odc", "dpt", "secret"] as const;

const BODY_LENGTH = 43; // 32 random bytes in base 62
const CHECK_LENGTH = 6; // a CRC32 in base 62
const SECRET_PATTERN = new RegExp(`^(${KINDS.join("|")})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$`);

/** Returns `size` random bytes. Tests replace it. */
export type RandomBytes = (size: number) => Uint8Array;

/** Returns a new random secret. It ends with a checksum, so that mistyped secrets are rejected without a database query. */
export function createSecret(kind: SecretKind, random: RandomBytes = randomBytes): string {
  const body = encodeBase62(random(32)).padStart(BODY_LENGTH, "0");
  return `${kind}_${body}${computeChecksum(kind, body)}`;
}

/** Returns the kind of a well-formed secret; null if its form or checksum is wrong. */
export function parseSecretKind(text: string): SecretKind | null {
  const match = SECRET_PATTERN.exec(text);
  if (!match) return null;
  const [, kind, body, givenChecksum] = match;
  if (kind === undefined || body === undefined || computeChecksum(kind, body) !== givenChecksum) return null;
  return kind as SecretKind;
}

/** Returns the hash that is stored instead of a secret. Secrets have full entropy, so one round of SHA-256 is enough. */
export function hashSecret(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

function computeChecksum(kind: string, body: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(`${kind}_${body}`));
  return encodeBase62(bytes).padStart(CHECK_LENGTH, "0");
}
