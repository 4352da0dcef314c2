import { LRUCache } from "lru-cache";
import type { Clock } from "../shared/clock.ts";
import { placeOf, tooManyAttempts } from "./address-limits.ts";

/** So many wrong passwords in a row, from wherever they come, cost nothing. */
const FREE_FAILURES = 20;
const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 15 * 60_000;
/** After this long without another wrong password an account starts again at none. */
const FAILURES_KEPT_MS = 24 * 3_600_000;
const KNOWN_PLACE_KEPT_MS = 30 * 24 * 3_600_000;
const MAX_REMEMBERED = 50_000;

type Failures = { count: number; lastAt: number };

export type AccountDelays = {
  /** Throws 429 while guesses at the account are delayed, unless somebody signed in to it from this address before. */
  check(account: string, ip: string): void;
  failed(account: string): void;
  succeeded(account: string, ip: string): void;
};

/**
 * Slows down those who guess at one account from many addresses: after 20 wrong passwords in a row each further one
 * doubles the time until the next is looked at. The places from which the owner signs in are not delayed, so that nobody
 * can lock them out. Memory is bounded; what was used least recently is forgotten first.
 */
export function createAccountDelays(clock: Clock, enabled: boolean): AccountDelays {
  const failures = new LRUCache<string, Failures>({ max: MAX_REMEMBERED });
  const knownPlaces = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  const now = () => clock.now().getTime();
  const placeKey = (account: string, ip: string) => `${placeOf(ip)} ${account}`;

  function isKnown(account: string, ip: string): boolean {
    const at = knownPlaces.get(placeKey(account, ip));
    return at !== undefined && now() - at < KNOWN_PLACE_KEPT_MS;
  }

  function failuresOf(account: string): Failures {
    const found = failures.get(account);
    return found && now() - found.lastAt < FAILURES_KEPT_MS ? found : { count: 0, lastAt: 0 };
  }

  return {
    check(account, ip) {
      if (!enabled || isKnown(account, ip)) return;
      const { count, lastAt } = failuresOf(account);
      if (count < FREE_FAILURES) return;
      const delay = Math.min(FIRST_DELAY_MS * 2 ** (count - FREE_FAILURES), MAX_DELAY_MS);
      const wait = lastAt + delay - now();
      if (wait > 0) throw tooManyAttempts(Math.ceil(wait / 1_000));
    },
    failed(account) {
      if (enabled) failures.set(account, { count: failuresOf(account).count + 1, lastAt: now() });
    },
    succeeded(account, ip) {
      if (!enabled) return;
      failures.delete(account);
      knownPlaces.set(placeKey(account, ip), now());
    },
  };
}
