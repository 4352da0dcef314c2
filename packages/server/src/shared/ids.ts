import { randomFillSync } from "node:crypto";

/** Prefixes of ids, one per kind of thing, so that an id says what it names. */
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

/** Makes ids. Passed in, so that tests can foresee them. */
export type Ids = { next(prefix: IdPrefix): string };

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LENGTH = 22;
/** The largest multiple of 62 in a byte: larger ones would make some digits likelier than others. */
const FAIR = 248;

/** Ids with 130 random bits: `usr_4fJqM1t9ZkX2vLr8NwB6yH`. Random bytes are drawn many at a time, as every request has an id. */
export const randomIds: Ids = createRandomIds();

function createRandomIds(): Ids {
  const pool = Buffer.alloc(4096);
  let at = pool.length;
  const byte = (): number => {
    if (at === pool.length) at = randomFillSync(pool).length - pool.length;
    return pool[at++] ?? 0;
  };
  const digit = (): string => {
    for (;;) {
      const drawn = byte();
      if (drawn < FAIR) return DIGITS.charAt(drawn % DIGITS.length);
    }
  };
  return {
    next(prefix) {
      let id = `${prefix}_`;
      for (let length = 0; length < LENGTH; length++) id += digit();
      return id;
    },
  };
}
