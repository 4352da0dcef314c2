import { randomBytes } from "node:crypto";
import { base62 } from "./base62.ts";

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
  | "com";

/** Makes ids. Passed in, so that tests can foresee them. */
export type Ids = { next(prefix: IdPrefix): string };

/** Ids with 128 random bits: `usr_4fJqM1t9ZkX2vLr8NwB6yH`. */
export const randomIds: Ids = { next: (prefix) => `${prefix}_${base62(randomBytes(16)).padStart(22, "0")}` };
