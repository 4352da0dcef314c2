import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { base62 } from "./base62.ts";

/**
 * Prefix of a secret: API key (`rc`), session (`ses`), single-use link (`one`), OAuth access token (`oat`), refresh
 * token (`ort`), authorization code (`oac`), device code (`odc`), private deployment (`dpt`) or OAuth application
 * (`secret`).
 */
export type SecretKind = (typeof KINDS)[number];
const KINDS = ["rc", "ses", "one", "oat", "ort", "oac", "odc", "dpt", "secret"] as const;

const BODY_LENGTH = 43; // 32 random bytes in base 62
const CHECK_LENGTH = 6; // a CRC32 in base 62
const SHAPE = new RegExp(`^(${KINDS.join("|")})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$`);

/** Returns `size` random bytes; replaceable in tests. */
export type RandomBytes = (size: number) => Uint8Array;

/** A new random secret, ending in a checksum so that mistyped ones are rejected without a database query. */
export function newSecret(kind: SecretKind, random: RandomBytes = randomBytes): string {
  const body = base62(random(32)).padStart(BODY_LENGTH, "0");
  return `${kind}_${body}${checksum(kind, body)}`;
}

/** The kind of a well-formed secret; null if its form or checksum is wrong. */
export function secretKind(text: string): SecretKind | null {
  const match = SHAPE.exec(text);
  if (!match) return null;
  const [, kind, body, check] = match;
  if (kind === undefined || body === undefined || checksum(kind, body) !== check) return null;
  return kind as SecretKind;
}

/** The hash that is stored instead of a secret. Secrets have full entropy, so one round of SHA-256 is enough. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function checksum(kind: string, body: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(`${kind}_${body}`));
  return base62(bytes).padStart(CHECK_LENGTH, "0");
}
