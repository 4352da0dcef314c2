import ipaddr from "ipaddr.js";
import { type AppError, errors } from "../errors/index.ts";
import { SECOND_MS } from "../time.ts";
import type { CreateLimiter } from "./limiter.ts";

/**
 * The allowed requests (`points`) per `duration` in seconds, by client address, and for some limits by account at an
 * address too.
 */
const RATE_LIMITS = {
  login: { points: 30, duration: 600, perAccount: 10 },
  register: { points: 20, duration: 3600, perAccount: undefined },
  verification: { points: 30, duration: 600, perAccount: undefined },
  reset: { points: 20, duration: 3600, perAccount: 5 },
  deviceStart: { points: 60, duration: 600, perAccount: undefined },
  deviceCode: { points: 60, duration: 600, perAccount: 15 },
  passkey: { points: 120, duration: 600, perAccount: undefined },
  code: { points: 30, duration: 600, perAccount: 10 },
  search: { points: 1_200, duration: 600, perAccount: undefined },
  coupon: { points: 60, duration: 600, perAccount: 30 },
  visitorWrite: { points: 3_000, duration: 600, perAccount: undefined },
  hub: { points: 60, duration: 600, perAccount: 30 },
  podFiles: { points: 60, duration: 600, perAccount: undefined },
  providerKey: { points: 60, duration: 600, perAccount: 30 },
  toolServer: { points: 120, duration: 600, perAccount: 60 },
  tools: { points: 3_000, duration: 600, perAccount: 1_000 },
  collections: { points: 3_000, duration: 600, perAccount: 1_000 },
  webhook: { points: 120, duration: 600, perAccount: 60 },
  sharedChat: { points: 300, duration: 600, perAccount: undefined },
  mailTest: { points: 60, duration: 600, perAccount: 30 },
} as const;

/** Names of the rate limits, as in the contract's `x-rate-limit`. */
export type RateLimitName = keyof typeof RATE_LIMITS;

/** Returns whether a text is the name of a rate limit. */
export function isRateLimitName(name: string): name is RateLimitName {
  return Object.hasOwn(RATE_LIMITS, name);
}

/** Counts requests against rate limits. Throws 429 `rate_limit_exceeded` over a limit. */
export type RateLimiter = { consume(limitName: RateLimitName, ip: string, account?: string): Promise<void> };

/** Creates the rate limits by client address and account. If they are disabled (for load tests), all requests are allowed. */
export function createRateLimiter(enabled: boolean, createLimiter: CreateLimiter): RateLimiter {
  const limiters = new Map(
    Object.entries(RATE_LIMITS).map(([limitName, { points, duration, perAccount }]) => [
      limitName,
      {
        byAddress: createLimiter({ name: `${limitName} by address`, points, duration }),
        byAccount:
          perAccount === undefined
            ? undefined
            : createLimiter({ name: `${limitName} by account`, points: perAccount, duration }),
      },
    ]),
  );
  return {
    async consume(limitName, ip, account) {
      if (!enabled) return;
      const limit = limiters.get(limitName);
      const network = clientNetworkOf(ip);
      // The key includes the address, so that an attacker cannot lock the owner out.
      const waitMs =
        (await limit?.byAddress.consume(network)) ??
        (account === undefined ? null : await limit?.byAccount?.consume(`${network} ${account}`)) ??
        null;
      if (waitMs !== null) throw tooManyAttempts(Math.ceil(waitMs / SECOND_MS));
    },
  };
}

/** Returns an error with status 429 and `retry-after` in seconds. */
export function tooManyAttempts(seconds: number): AppError {
  return errors.rateLimitExceeded(`Too many attempts. Try again in ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  });
}

/**
 * Returns the network that counts as one client: an IPv4 address, or the /64 of an IPv6 address. IPv4-mapped addresses
 * count as IPv4, in any notation. A port after the address is ignored.
 */
export function clientNetworkOf(ip: string): string {
  const withoutPort = ip
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/%.*$/, "");
  if (!ipaddr.isValid(withoutPort)) return "unreadable";
  const address = ipaddr.process(withoutPort);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":");
}
