import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../platform/core/time.ts";
import type { BackendFailure } from "./problems.ts";

/** A key with which calls to a backend are sent. Labels differ within a backend. */
export type BackendKeySpec = { readonly label: string; readonly weight: number; readonly secret: string };

/**
 * Why a key gets no calls for a while: `limit` is the provider's limit of requests, `refused` a key that it does not accept
 * or whose account has no credit. `until` is in milliseconds since 1970.
 */
export type KeyRest = { reason: "limit" | "refused"; until: number; failure: BackendFailure };

/** A key of a registered backend with its calls in flight and its rest. */
export type BackendKey = BackendKeySpec & {
  inFlight: number;
  /** The share of calls that it has had, as the position at which it is chosen next. */
  position: number;
  rest: KeyRest | null;
  /** How often in a row it has rested without an answer in between. */
  rests: number;
};

/** The keys of a backend, and the position of the one that was chosen last. */
export type KeyRing = { readonly list: readonly BackendKey[]; position: number };

/** How a backend refused the key of a call. */
export type KeyRefusal = {
  reason: KeyRest["reason"];
  /** The rest that the backend asks for, in milliseconds; null if it names none. */
  retryAfterMs: number | null;
  failure: BackendFailure;
};

/** The number of keys that a backend may have. */
export const MAX_KEYS = 20;
/** The length of the label of a key. */
export const MAX_LABEL_CHARACTERS = 64;
/** The label of the only key of a backend, if it has no other. */
export const FIRST_KEY_LABEL = "key 1";

/** Bounds of the rest of a key at its limit; without `Retry-After` it doubles from 30 s. */
const MIN_LIMIT_REST_MS = SECOND_MS;
const DEFAULT_LIMIT_REST_MS = 30 * SECOND_MS;
const MAX_LIMIT_REST_MS = 5 * MINUTE_MS;
/** The rest of a key that is not accepted doubles from 10 minutes. */
const DEFAULT_REFUSED_REST_MS = 10 * MINUTE_MS;
const MAX_REFUSED_REST_MS = HOUR_MS;

/** A key as it is configured. */
type ConfiguredKey = { key: string; label?: string | undefined; weight: number };

/** Returns configured keys with their labels: a key without one is called by its position. */
export function labelKeys(keys: readonly ConfiguredKey[]): BackendKeySpec[] {
  return keys.map(({ key, label, weight }, index) => ({ label: label ?? `key ${index + 1}`, weight, secret: key }));
}

/** Returns the keys of a backend that is registered again. A key that stays keeps its calls in flight and its rest. */
export function toKeyRing(specs: readonly BackendKeySpec[], previous: KeyRing | undefined): KeyRing {
  const position = previous?.position ?? 0;
  const list = specs.map((spec) => {
    const same = findSame(previous?.list ?? [], spec, specs);
    // The object stays the same: leases decrement its counter when they end.
    return same ? Object.assign(same, spec) : { ...spec, inFlight: 0, position, rest: null, rests: 0 };
  });
  return { list, position };
}

/** Returns the key that a description is of: also under another label, unless that is the label of another one now. */
function findSame(
  keys: readonly BackendKey[],
  { label, secret }: BackendKeySpec,
  specs: readonly BackendKeySpec[],
): BackendKey | undefined {
  const sameSecret = keys.filter((key) => key.secret === secret);
  const isTaken = (key: BackendKey) => specs.some((spec) => spec.secret === secret && spec.label === key.label);
  return sameSecret.find((key) => key.label === label) ?? sameSecret.find((key) => !isTaken(key));
}

/**
 * Returns the key for the next call: of those that do not rest, the one with the fewest calls in flight for its weight, and
 * among equals the one that has had the fewest calls for its weight. Where all are refused by the backend, the one whose
 * rest ends first is tried again. Null without keys, or if all rest because of limits or are excluded.
 */
export function chooseKey(ring: KeyRing, nowMs: number, excluded: ReadonlySet<BackendKey>): BackendKey | null {
  const [first] = ring.list;
  if (first === undefined) return null;
  if (ring.list.length === 1) return excluded.has(first) || isAtLimit(first, nowMs) ? null : first;
  let best: BackendKey | null = null;
  for (const key of ring.list) {
    if (excluded.has(key) || isResting(key, nowMs)) continue;
    // A key that has rested does not make up for the calls that it has missed.
    if (key.rest !== null) key.position = Math.max(key.position, ring.position);
    if (best === null || isBefore(key, best)) best = key;
  }
  if (best === null) return excluded.size > 0 ? null : chooseRefused(ring, nowMs);
  ring.position = Math.max(ring.position, best.position);
  best.position += 1 / best.weight;
  return best;
}

function isBefore(a: BackendKey, b: BackendKey): boolean {
  const load = a.inFlight / a.weight - b.inFlight / b.weight;
  return load === 0 ? a.position + 1 / a.weight < b.position + 1 / b.weight : load < 0;
}

function chooseRefused({ list }: KeyRing, nowMs: number): BackendKey | null {
  if (list.some((key) => isAtLimit(key, nowMs))) return null;
  return list.reduce((first, key) => ((key.rest?.until ?? 0) < (first.rest?.until ?? 0) ? key : first));
}

/** Returns whether a key gets no calls now. */
export function isResting({ rest }: BackendKey, nowMs: number): boolean {
  return rest !== null && rest.until > nowMs;
}

function isAtLimit(key: BackendKey, nowMs: number): boolean {
  return key.rest?.reason === "limit" && isResting(key, nowMs);
}

/** Returns the seconds until the first key gets calls again; null if none rests because of a limit. */
export function secondsUntilKeyIsFree({ list }: KeyRing, nowMs: number): number | null {
  const ends = list.flatMap((key) => (isAtLimit(key, nowMs) && key.rest !== null ? key.rest.until : []));
  return ends.length === 0 ? null : Math.ceil((Math.min(...ends) - nowMs) / SECOND_MS);
}

/**
 * Lets a key rest that the backend has refused. The only key of a backend rests for a limit only if the backend says how
 * long: nothing else could answer meanwhile.
 */
export function restKey({ list }: KeyRing, key: BackendKey, refusal: KeyRefusal, nowMs: number): void {
  const { reason, retryAfterMs, failure } = refusal;
  if (reason === "limit" && retryAfterMs === null && list.length === 1) return;
  key.rest = { reason, until: nowMs + computeRest(refusal, key.rests), failure };
  if (retryAfterMs === null) key.rests += 1;
}

function computeRest({ reason, retryAfterMs }: KeyRefusal, rests: number): number {
  if (reason === "refused") return Math.min(DEFAULT_REFUSED_REST_MS * 2 ** rests, MAX_REFUSED_REST_MS);
  const rest = retryAfterMs ?? DEFAULT_LIMIT_REST_MS * 2 ** rests;
  return Math.min(Math.max(rest, MIN_LIMIT_REST_MS), MAX_LIMIT_REST_MS);
}

/** Ends the rest of a key with which a backend has answered. */
export function endRest(key: BackendKey): void {
  key.rest = null;
  key.rests = 0;
}
