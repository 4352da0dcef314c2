import { randomFillSync } from "node:crypto";

/** Prefixes of ids, one per kind of object. */
export type IdPrefix =
  | "usr"
  | "org"
  | "key"
  | "ses"
  | "rev"
  | "req"
  | "sub"
  | "bck"
  | "app"
  | "grant"
  | "fam"
  | "tok"
  | "inv"
  | "invite"
  | "pm"
  | "seti"
  | "pay"
  | "txn"
  | "rsv"
  | "price"
  | "dep"
  | "evt"
  | "pull"
  | "mail"
  | "aud"
  | "inc"
  | "cs"
  | "rfd"
  | "rwd"
  | "pout"
  | "rule"
  | "mkt"
  | "com"
  | "psk";

/** Generates ids; passed as an argument so that tests can predict them. */
export type Ids = { next(prefix: IdPrefix): string };

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_LENGTH = 22;
/**
 * The largest multiple of 62 that fits in a byte: larger bytes are discarded, so that all digits are equally likely.
 */
const FAIR_BYTE_LIMIT = 248;

/**
 * Ids with 130 random bits, such as `usr_4fJqM1t9ZkX2vLr8NwB6yH`. Random bytes are drawn in batches, because every
 * request gets an id.
 */
export const randomIds: Ids = createRandomIds();

function createRandomIds(): Ids {
  const pool = Buffer.alloc(4096);
  let at = pool.length;
  const nextByte = (): number => {
    if (at === pool.length) at = randomFillSync(pool).length - pool.length;
    return pool[at++] ?? 0;
  };
  const nextDigit = (): string => {
    for (;;) {
      const randomByte = nextByte();
      if (randomByte < FAIR_BYTE_LIMIT) return DIGITS.charAt(randomByte % DIGITS.length);
    }
  };
  return {
    next(prefix) {
      let id = `${prefix}_`;
      for (let length = 0; length < ID_LENGTH; length++) id += nextDigit();
      return id;
    },
  };
}
