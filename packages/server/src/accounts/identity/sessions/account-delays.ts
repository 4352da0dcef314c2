import type { Clock } from "../../../platform/core/clock.ts";
import { tooManyAttempts } from "../../../platform/core/http/rate-limits.ts";
import { MINUTE_MS } from "../../../platform/core/time.ts";
import type { FailureCounts } from "./failure-counts.ts";

/** The number of wrong passwords in a row, from all unknown devices together, after which delays start. */
const MAX_FREE_FAILURES = 20;
/** The number of wrong passwords in a row after which a known device counts as unknown. */
const MAX_DEVICE_FAILURES = 10;
const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 15 * MINUTE_MS;

/**
 * Delays password attempts on an account. `device` is the nonce of a device cookie that is valid for the account (see
 * `device-cookie.ts`), or null.
 */
export type AccountDelays = {
  /** Throws 429 while attempts on the account are delayed, unless they come from a known device that has attempts left. */
  check(account: string, device: string | null): Promise<void>;
  recordFailure(account: string, device: string | null): Promise<void>;
  recordSuccess(account: string, device: string | null): Promise<void>;
};

type Deps = { clock: Clock; enabled: boolean; failureCounts: FailureCounts };

/**
 * Creates the delays that slow down password guessing on one account from many addresses. After 20 wrong passwords in a
 * row, each further one doubles the delay before the next attempt is accepted. Devices on which the owner has signed in
 * have their own counter and are exempt, so that attackers cannot lock the owner out.
 */
export function createAccountDelays({ clock, enabled, failureCounts }: Deps): AccountDelays {
  const accountKey = (account: string) => `account ${account}`;
  const deviceKey = (account: string, device: string) => `device ${device} ${account}`;

  async function isTrusted(account: string, device: string | null): Promise<boolean> {
    if (device === null) return false;
    const { count } = await failureCounts.read(deviceKey(account, device));
    return count < MAX_DEVICE_FAILURES;
  }

  return {
    async check(account, device) {
      if (!enabled || (await isTrusted(account, device))) return;
      const { count, lastAt } = await failureCounts.read(accountKey(account));
      if (count < MAX_FREE_FAILURES) return;
      const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (count - MAX_FREE_FAILURES), MAX_DELAY_MS);
      const waitMs = lastAt + delayMs - clock.now().getTime();
      if (waitMs > 0) throw tooManyAttempts(Math.ceil(waitMs / 1_000));
    },
    async recordFailure(account, device) {
      if (!enabled) return;
      const countsForDevice = device !== null && (await isTrusted(account, device));
      await failureCounts.add(countsForDevice ? deviceKey(account, device) : accountKey(account));
    },
    async recordSuccess(account, device) {
      if (!enabled) return;
      const keys = [accountKey(account), ...(device === null ? [] : [deviceKey(account, device)])];
      await failureCounts.delete(keys);
    },
  };
}
