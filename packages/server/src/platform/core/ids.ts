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
  | "bky"
  | "pky"
  | "tsv"
  | "tcl"
  | "app"
  | "grant"
  | "fam"
  | "tok"
  | "inv"
  | "crn"
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
  | "mpo"
  | "mus"
  | "com"
  | "psk"
  | "whk"
  | "whd"
  | "whe"
  | "rep"
  | "shr"
  | "col"
  | "doc";

/** Generates ids. It is an argument everywhere, so that tests can predict them. */
export type Ids = { next(prefix: IdPrefix): string };

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_LENGTH = 22;
/** The number of digits of the time at the beginning of ids, enough for milliseconds until the year 8900. */
const TIME_LENGTH = 8;
/** The largest multiple of 62 that fits in a byte. Larger bytes are discarded, so that all digits are equally likely. */
const FAIR_BYTE_LIMIT = 248;

/**
 * Prefixes of rows that every request inserts. Their ids begin with the time in milliseconds, so that new rows are
 * neighbours in the database's indexes; random ids would change a page for each row.
 */
const TIMED_PREFIXES: ReadonlySet<IdPrefix> = new Set<IdPrefix>(["req", "txn", "tcl"]);

/**
 * Creates ids with 130 random bits, such as `usr_4fJqM1t9ZkX2vLr8NwB6yH`. Ids of requests, calls to tools and ledger transactions have the
 * time and 83 random bits. Random bytes are drawn in batches, because every request needs an id.
 */
export const randomIds: Ids = createRandomIds(Date.now);

/** Creates ids whose time comes from a clock in milliseconds since 1970. */
export function createRandomIds(nowMs: () => number): Ids {
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
      let digits = TIMED_PREFIXES.has(prefix) ? toDigits(nowMs()) : "";
      while (digits.length < ID_LENGTH) digits += nextDigit();
      return `${prefix}_${digits}`;
    },
  };
}

/** Returns the time as digits whose alphabetical order is that of the times. */
function toDigits(ms: number): string {
  let digits = "";
  for (let rest = ms; digits.length < TIME_LENGTH; rest = Math.floor(rest / DIGITS.length))
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
  return digits;
}
