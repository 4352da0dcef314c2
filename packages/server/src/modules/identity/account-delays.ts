import { LRUCache } from "lru-cache";
import type { Clock } from "../../core/clock.ts";
import { tooManyAttempts } from "../../core/http/rate-limits.ts";
import { DAY_MS, MINUTE_MS } from "../../core/time.ts";

/** Wrong passwords in a row, from all unknown devices together, before delays start. */
const MAX_FREE_FAILURES = 20;
/** After this many wrong passwords in a row a known device counts as unknown. */
const MAX_DEVICE_FAILURES = 10;
const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 15 * MINUTE_MS;
/** Without another wrong password for this long the count of an account or device starts again at zero. */
const FAILURES_TTL_MS = DAY_MS;
const MAX_ENTRIES = 50_000;

type Failures = { count: number; lastAt: number };

/**
 * Delays for password attempts on one account. `device` is the nonce of a device cookie that is valid for the account
 * (see `device-cookie.ts`), or null.
 */
export type AccountDelays = {
  /** Throws 429 while attempts on the account are delayed, unless they come from a known device with attempts left. */
  check(account: string, device: string | null): void;
  recordFailure(account: string, device: string | null): void;
  recordSuccess(account: string, device: string | null): void;
};

/**
 * Slows down password guessing on one account from many addresses: after 20 wrong passwords in a row, each further one
 * doubles the delay before the next attempt is accepted. Devices on which the owner has signed in have a counter of
 * their own and are exempt, so that attackers cannot lock the owner out. Memory is limited; the least recently used
 * entries are evicted.
 */
export function createAccountDelays(clock: Clock, enabled: boolean): AccountDelays {
  const accountFailures = new LRUCache<string, Failures>({ max: MAX_ENTRIES });
  const deviceFailures = new LRUCache<string, Failures>({ max: MAX_ENTRIES });
  const now = () => clock.now().getTime();
  const deviceKey = (account: string, device: string) => `${device} ${account}`;

  function readFailures(counts: LRUCache<string, Failures>, key: string): Failures {
    const found = counts.get(key);
    return found && now() - found.lastAt < FAILURES_TTL_MS ? found : { count: 0, lastAt: 0 };
  }

  function addFailure(counts: LRUCache<string, Failures>, key: string): void {
    counts.set(key, { count: readFailures(counts, key).count + 1, lastAt: now() });
  }

  const isTrusted = (account: string, device: string | null): device is string =>
    device !== null && readFailures(deviceFailures, deviceKey(account, device)).count < MAX_DEVICE_FAILURES;

  return {
    check(account, device) {
      if (!enabled || isTrusted(account, device)) return;
      const { count, lastAt } = readFailures(accountFailures, account);
      if (count < MAX_FREE_FAILURES) return;
      const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (count - MAX_FREE_FAILURES), MAX_DELAY_MS);
      const waitMs = lastAt + delayMs - now();
      if (waitMs > 0) throw tooManyAttempts(Math.ceil(waitMs / 1_000));
    },
    recordFailure(account, device) {
      if (!enabled) return;
      if (isTrusted(account, device)) addFailure(deviceFailures, deviceKey(account, device));
      else addFailure(accountFailures, account);
    },
    recordSuccess(account, device) {
      if (!enabled) return;
      accountFailures.delete(account);
      if (device !== null) deviceFailures.delete(deviceKey(account, device));
    },
  };
}
