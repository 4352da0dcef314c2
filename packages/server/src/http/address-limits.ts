import ipaddr from "ipaddr.js";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { AppError } from "../shared/errors.ts";

/** What is limited, how often within how many seconds: by address, and by account where somebody guesses at one. */
const LIMITS = {
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
} as const;

export type Limited = keyof typeof LIMITS;

export function isLimited(name: string): name is Limited {
  return Object.hasOwn(LIMITS, name);
}

export type AddressLimits = { spend(what: Limited, ip: string, account?: string): Promise<void> };

/** Slows down those who guess. Switched off it lets everything pass, for load tests. */
export function createAddressLimits(enabled: boolean): AddressLimits {
  const limiters = new Map(
    Object.entries(LIMITS).map(([what, { points, duration, perAccount }]) => [
      what,
      {
        byAddress: new RateLimiterMemory({ points, duration }),
        byAccount: perAccount === undefined ? undefined : new RateLimiterMemory({ points: perAccount, duration }),
      },
    ]),
  );
  return {
    async spend(what, ip, account) {
      if (!enabled) return;
      try {
        const limit = limiters.get(what);
        await limit?.byAddress.consume(placeOf(ip));
        // With the address in it, so that a stranger cannot lock the owner out.
        if (account !== undefined) await limit?.byAccount?.consume(`${placeOf(ip)} ${account}`);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) throw tooManyAttempts(Math.ceil(refusal.msBeforeNext / 1000));
        throw refusal;
      }
    },
  };
}

export function tooManyAttempts(seconds: number): AppError {
  return new AppError(429, "rate_limit_exceeded", `Too many attempts. Try again in ${seconds} seconds.`, {
    headers: { "retry-after": String(seconds) },
  });
}

/**
 * What counts as one place: an IPv4 address, or the /64 of IPv6 that one person has whole. Mapped addresses are the IPv4
 * addresses they stand for, however they are spelt; a port that a proxy leaves behind the address does not count.
 */
export function placeOf(ip: string): string {
  const bare = ip
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/%.*$/, "");
  if (!ipaddr.isValid(bare)) return "unreadable";
  const address = ipaddr.process(bare);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":");
}
